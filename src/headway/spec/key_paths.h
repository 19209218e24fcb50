// SPDX-License-Identifier: Apache-2.0
// All keys of specs: their paths, for a key that is in the wrong table, and which of them hold lists.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "headway/config/document.h"

namespace headway {

// The paths of keys with this last name, such as "traffic.flow.load", in the order of a spec; with the
// parameters of all members of families. Lists of tables have no index. Keys of another kernel only if the
// event-driven one has none.
std::vector<std::string> keys_called(std::string_view name);

// Returns true if the event-driven kernel has a key with this path, without indices.
bool is_key(std::string_view path);

// Returns true if the value is a list of several values for the key: switch.queues = [4, 8] are two values,
// measure.tables = ["per-link"] is one. Unknown keys hold single values.
bool is_list_of_values(const std::string& key, const Document& value);

// traffic.flow[0].load -> traffic.flow.load
std::string without_indices(std::string_view path);

}  // namespace headway
