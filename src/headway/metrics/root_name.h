// SPDX-License-Identifier: Apache-2.0
// The names of roots of congestion, read from a row of a table of roots (metrics/waiting_tables.h).
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "headway/topology/topology.h"

namespace headway {

using RootCell = std::function<double(std::string_view column)>;

// For a legend: "switch 30 port 3 → node 123".
std::string root_name(const RootCell& cell, const NetworkNames& names);
// For a sentence: "the link from switch 30 port 3 to node 123".
std::string root_phrase(const RootCell& cell, const NetworkNames& names);

// "node 123", or its name if the network names its nodes. The same for switches.
std::string node_text(double number, const NetworkNames& names);
std::string switch_text(double number, const NetworkNames& names);

}  // namespace headway
