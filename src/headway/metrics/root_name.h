// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "headway/topology/topology.h"

namespace headway {

// The name of a root in a row of a table of roots, by the row's cells: "switch 30 port 3 → node 123".
std::string root_name(const std::function<double(std::string_view column)>& cell, const NetworkNames& names);

}  // namespace headway
