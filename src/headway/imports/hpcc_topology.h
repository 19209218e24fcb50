// SPDX-License-Identifier: Apache-2.0
// The topologies of HPCC's simulator and of SimAI, which comes from it. HPCC's has a line "nodes switches
// links", the numbers of the switches, and a line "a b rate delay error" per link. SimAI's first line is
// "nodes GPUs-per-server NVSwitches switches links GPU-type", and its first switches are the NVSwitches.
//
// Choice: whatever is no switch is a host.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headway/base/error.h"
#include "headway/imports/network_draft.h"

namespace headway::imports {

struct HpccTopology {
  static constexpr std::int64_t kMostNodes = 1'000'000;
  NetworkDraft draft;               // vertices by their numbers
  std::vector<std::int64_t> hosts;  // in order
  bool loses = false;               // a link has an error rate
  bool is_simai = false;
  std::size_t rows_behind = 0;  // which have no effect
  std::string gpu;              // of SimAI

  std::optional<std::int64_t> node_of(std::int64_t id) const;  // Headway's number of a host
  std::size_t most_ports() const;                              // of a switch
  const std::string& first_rate() const;                       // of a link that does not lead to an NVSwitch
};

// "100Gbps" -> "100 Gbit/s"; "0.001ms" -> "0.001 ms"
std::string with_unit(const std::string& text);

bool is_hpcc_topology(std::string_view text);
bool is_simai_topology(std::string_view text);
HpccTopology topology_of(const Source& source, Mistakes& mistakes);

// What of a topology has no counterpart.
void name_rest(const HpccTopology& topology, SpecText& spec);

// A file of flows with Headway's numbers of hosts, line by line, and without what a file has behind them.
std::string renumbered(const Source& flows, const HpccTopology& topology, Mistakes& mistakes);

}  // namespace headway::imports
