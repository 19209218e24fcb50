// SPDX-License-Identifier: Apache-2.0
// A network as a file describes it: switches, nodes and links with names, and the readers of such files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headway/base/error.h"
#include "headway/base/ids.h"
#include "headway/base/units.h"
#include "headway/topology/hosts.h"

namespace headway {

// One end of a link in the file. A port that is not given is chosen after all given ports are known.
struct End {
  SwitchId sw = kNone;
  std::uint32_t port = kNone;
  std::string where;
};
struct Wire {
  std::vector<End> ends;  // one for a node's link, otherwise two
  std::optional<Rate> rate;
  std::optional<Duration> delay;
};
struct Fabric {
  std::vector<std::string> switch_names, node_names;
  std::vector<std::string> switch_places;    // [switch] where the file describes it
  std::vector<std::uint32_t> ports;          // [switch]
  std::vector<Wire> nodes, links;            // `nodes`: the links of nodes, node by node
  std::vector<std::vector<HostLink>> hosts;  // [node] its links; empty: every node has one
  std::vector<std::uint64_t> switch_guids;   // [switch] of InfiniBand, or empty
  std::vector<std::uint32_t> node_lids;      // [node] local identifiers of InfiniBand, or empty
};

// `file` is the name in messages. Mistakes have the key "network.file" or the key of a table; the fabric is
// valid only if there are none.
Fabric read_network_file(const std::string& text, const std::string& file, Mistakes& mistakes);

// The output of the program ibnetdiscover of the OpenFabrics tools. `is_ibnetdiscover` recognises it by its
// first lines.
bool is_ibnetdiscover(std::string_view text);
Fabric read_ibnetdiscover(const std::string& text, const std::string& file, Mistakes& mistakes);

// Adds a mistake for each switch that is not connected to the first node.
void check_connected(const Fabric& fabric, Mistakes& mistakes);

}  // namespace headway
