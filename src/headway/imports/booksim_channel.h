// SPDX-License-Identifier: Apache-2.0
// How fast a virtual channel of BookSim 2 passes packets, and a queue of Headway. BookSim's flits move on one
// by one, and their credits return so (wormhole switching). A packet of Headway needs room for all of it,
// which returns when all of it has left.
#pragma once

#include <cstdint>

namespace headway::imports {

struct BooksimChannel {
  std::int64_t packet = 1;       // flits
  std::int64_t delay = 1;        // of a link, in cycles, as all times here
  std::int64_t head = 0;         // of a head in a router
  std::int64_t serial = 0;       // those of a head that begin when the packet in front has left its VC
  std::int64_t credit_loop = 0;  // from a flit to the next one in its place

  // The part of a link's rate that a VC alone passes, with a buffer of so many flits. BookSim 2 (28f4329) has
  // this rate between two routers, for packets of 1, 4 and 8 flits, buffers of 2 to 32 and several delays.
  double rate_in_booksim(std::int64_t buffer) const;
  // The rate here of a queue with room for so many packets.
  double rate_here(std::int64_t packets) const;
  // The packets for which a queue needs room.
  std::int64_t packets_for(std::int64_t buffer) const;
};

}  // namespace headway::imports
