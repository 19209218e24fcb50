// SPDX-License-Identifier: Apache-2.0
// The paths of all keys of specs, for a key that is in the wrong table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headway {

// The paths of keys with this last name, such as "traffic.flow.load", in the order of a spec; with the
// parameters of all members of families. Lists of tables have no index. Keys of the slotted kernel only if
// the other one has none.
std::vector<std::string> keys_called(std::string_view name);

// traffic.flow[0].load -> traffic.flow.load
std::string without_indices(std::string_view path);

}  // namespace headway
