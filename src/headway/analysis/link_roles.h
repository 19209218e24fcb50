// SPDX-License-Identifier: Apache-2.0
// The links that play the same role in a network, which are expected to be equally fast: its peers tell
// whether a link is slow.
#pragma once

#include <cstdint>
#include <vector>

#include "headway/engine/network.h"

namespace headway {

class LinkRoles {
 public:
  // Two links have the same role if they lead from devices of one kind to devices of one kind. Switches are
  // of one kind if they are of the same stage or, in networks without stages, if they are as far from the
  // nodes and have as many links.
  explicit LinkRoles(const Network& network);

  // Ticks per byte of most links of this one's role; of the fastest of these rates, if several are equally
  // frequent. The link leaves this port of the graph.
  std::uint32_t usual_ticks_per_byte(PortId link) const { return usual_[role_[link]]; }

 private:
  std::vector<std::uint32_t> role_;   // [port of the graph]; without meaning if it has no link
  std::vector<std::uint32_t> usual_;  // [role]
};

}  // namespace headway
