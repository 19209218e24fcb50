// SPDX-License-Identifier: Apache-2.0
// Ranges in a sweep: { from = 0.1, to = 1.0, step = 0.05 }, or { from = "1 us", to = "5 us", points = 9 }.
// They are computed with exact fractions, so that 0.1, 0.15, ..., 1.0 are the numbers that a list would have.
// `to` is included if it falls on a step.
#pragma once

#include <cstddef>
#include <string>

#include "headway/base/error.h"
#include "headway/config/document.h"

namespace headway {

// Returns true if the value is a table with a key of a range. No key of a spec has such a name.
bool is_range(const Document& value);

// The values of a range, at most `most`. Empty if it has a mistake, which is reported.
Document::Array range_values(const std::string& key, const Document& range, std::size_t most,
                             Mistakes& mistakes);

}  // namespace headway
