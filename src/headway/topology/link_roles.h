// SPDX-License-Identifier: Apache-2.0
// The links that play the same role in a network, which are expected to be equally fast: its peers tell
// whether a link is slow.
#pragma once

#include <cstdint>
#include <vector>

#include "headway/topology/graph.h"

namespace headway {

class LinkRoles {
 public:
  // Two links have the same role if they lead from devices of one kind to devices of one kind. A node is
  // another kind with its links for scale-up than with others, and aggregators are one. Switches are of one
  // kind if they are of the same stage or, in networks without stages, if they are as far from the nodes and
  // have as many links.
  explicit LinkRoles(const Graph& graph);

  // A link of this one's role that has the rate of most of them; the fastest of these rates, if several are
  // equally frequent. Links are given by the ports of the graph that they leave.
  PortId usual(PortId link) const { return usual_[role_[link]]; }

 private:
  std::vector<std::uint32_t> role_;  // [port of the graph]; without meaning if it has no link
  std::vector<PortId> usual_;        // [role]
};

}  // namespace headway
