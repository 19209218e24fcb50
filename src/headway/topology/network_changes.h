// SPDX-License-Identifier: Apache-2.0
// Changes of a network that a question names: what if its links were as fast as their peers, had no delay,
// or if it were one perfect switch? (docs/remedies.md)
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "headway/config/names.h"
#include "headway/topology/graph.h"

namespace headway {

enum class DoubledLinks : std::uint8_t { none, nodes, switches };
constexpr auto names_in_specs(DoubledLinks) { return name_list("none", "nodes", "switches"); }

struct NetworkChanges {
  static constexpr std::string_view kAll = "all";

  // Links "SWITCH:PORT", or kAll.
  std::vector<std::string> repaired;          // they have not failed
  std::vector<std::string> usual_rates;       // they get the usual rate of their role
  DoubledLinks doubled = DoubledLinks::none;  // links of nodes, or links between switches: twice as fast
  bool no_delay = false;        // propagation takes as long as a byte; a hop cannot take no time at all
  bool perfect_switch = false;  // one switch in place of all, at the links of the nodes

  static bool names_all(const std::vector<std::string>& links) {
    return std::ranges::find(links, kAll) != links.end();
  }
  // Returns true if `changed` changes graphs.
  bool change_links() const {
    return !usual_rates.empty() || doubled != DoubledLinks::none || no_delay || perfect_switch;
  }
};

// Makes the changes, except `repaired`, in the order above. Throws SpecError (keys "what_if.usual_rates",
// "what_if.perfect_switch") if a link has no such name, or if a switch cannot have as many ports.
Graph changed(Graph graph, const NetworkChanges& changes);

// The links of a graph that are slower than usual for their role, as named_link reads them, each once: in the
// order of their ends.
std::vector<std::string> slow_links(const Graph& graph);

// [node] the rate of its link in the first graph as a fraction of that in the second one; empty if none
// differs.
std::vector<double> rates_of_nodes(const Graph& of, const Graph& in);

}  // namespace headway
