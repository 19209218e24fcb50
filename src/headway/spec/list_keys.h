// SPDX-License-Identifier: Apache-2.0
// Distinguishes a list that is a single value of a key from a list of several values.
#pragma once

#include <string>

#include "headway/config/document.h"

namespace headway {

// Returns true if the value is a list of several values for the key: switch.queues = [4, 8] are two values,
// measure.tables = ["per-link"] is one. Unknown keys hold single values.
bool is_list_of_values(const std::string& key, const Document& value);

}  // namespace headway
