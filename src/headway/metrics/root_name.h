// SPDX-License-Identifier: Apache-2.0
// The names of roots of congestion and of links.
#pragma once

#include <string>

#include "headway/config/names.h"
#include "headway/metrics/rows.h"
#include "headway/observe/photograph.h"
#include "headway/topology/topology.h"

namespace headway {

constexpr auto names_in_specs(RootKind) {
  return name_list("link", "crossbar", "input", "window", "cycle", "receiver", "limiter", "outage");
}

RootKind root_kind(const PlaceRow& root);
// For a legend: "switch 30 port 3 → node 123".
std::string root_name(const PlaceRow& root, const NetworkNames& names);
// For a sentence: "the link from switch 30 port 3 to node 123".
std::string root_phrase(const PlaceRow& root, const NetworkNames& names);

// Whether the rows of a table are at roots or links.
bool has_places(const Table& table);

// "node 123", or its name if the network names its nodes; "the aggregator of switch 4". The same for
// switches.
std::string node_text(double number, const NetworkNames& names);
std::string switch_text(double number, const NetworkNames& names);

}  // namespace headway
