// SPDX-License-Identifier: Apache-2.0
// The names of roots of congestion, read from a row of a table of roots (metrics/root_columns.h).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "headway/config/names.h"
#include "headway/metrics/result.h"
#include "headway/observe/photograph.h"
#include "headway/topology/topology.h"

namespace headway {

constexpr auto names_in_specs(RootKind) {
  return name_list("link", "crossbar", "input", "window", "cycle", "receiver", "limiter");
}

RootKind root_kind(const Table& table, std::size_t row);
// For a legend: "switch 30 port 3 → node 123".
std::string root_name(const Table& table, std::size_t row, const NetworkNames& names);
// For a sentence: "the link from switch 30 port 3 to node 123".
std::string root_phrase(const Table& table, std::size_t row, const NetworkNames& names);

// "node 123", or its name if the network names its nodes. The same for switches.
std::string node_text(double number, const NetworkNames& names);
std::string switch_text(double number, const NetworkNames& names);

}  // namespace headway
