// SPDX-License-Identifier: Apache-2.0
// What is better or worse in one of two runs, and why, as a page of plain text.
#pragma once

#include <cstddef>
#include <string>

#include "headway/run/compared_points.h"
#include "headway/run/why.h"

namespace headway {

// Throws NoResult if a run was made without observe.waiting, or if the runs have different flows.
std::string why_compare(const ComparedPair& pair, std::size_t columns = kWhyColumns);

}  // namespace headway
