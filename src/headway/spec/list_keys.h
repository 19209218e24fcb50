// SPDX-License-Identifier: Apache-2.0
// Which values are a single value of a key, and which are several of them.
#pragma once

#include <string>

#include "headway/config/document.h"

namespace headway {

// Returns true if the value is a list, and not a list that the key holds: measure.tables = ["per-link"] is
// one value, switch.queues = [4, 8] are two. Keys without a meaning hold single values.
bool is_list_of_values(const std::string& key, const Document& value);

}  // namespace headway
