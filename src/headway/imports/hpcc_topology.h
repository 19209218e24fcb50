// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "headway/base/error.h"
#include "headway/imports/import.h"

namespace headway::imports {

// The topology of HPCC's simulator: a line "nodes switches links", the numbers of the switches, and a line "a
// b rate delay error" per link. Rates and delays have Headway's units here.
struct HpccTopology {
  struct Link {
    std::int64_t a, b;
    std::string rate, delay;
  };
  static constexpr std::int64_t kMostNodes = 1'000'000;
  std::set<std::int64_t> switches;
  std::vector<std::int64_t> hosts;
  std::vector<Link> links;
  std::map<std::int64_t, std::int64_t> degree;
  bool loses = false;

  bool is_switch(std::int64_t id) const { return switches.contains(id); }
  std::optional<std::int64_t> node_of(std::int64_t id) const;  // Headway's number of a host
};

// "100Gbps" -> "100 Gbit/s"; "0.001ms" -> "0.001 ms"
std::string with_unit(const std::string& text);

HpccTopology topology_of(const Source& source, Mistakes& mistakes);

// A file of flows with Headway's numbers of hosts, line by line, and without what a file has behind them.
std::string renumbered(const Source& flows, const HpccTopology& topology, Mistakes& mistakes);

// The network as a file of topology "file" (docs/files.md); nodes are in the order of the hosts.
std::string network_text(const HpccTopology& topology);

}  // namespace headway::imports
