// SPDX-License-Identifier: Apache-2.0
// The result of a selection function, as used by the engine: the function, the definition of a free output,
// and for functions that use addresses of a tree the required data of every switch.
#pragma once

#include <cstddef>
#include <cstdint>

#include "headway/base/ids.h"
#include "headway/base/shared_vector.h"
#include "headway/routing/route_table.h"

namespace headway {

enum class SelectionKind : std::uint8_t { ff, ssp, sdp, sop, sadp, cp, mc, rp };

// When an output can be chosen (docs/modelling.md, "Choose").
enum class FreeOutput : std::uint8_t {
  room_credit,   // room behind the crossbar and a credit of the link; the crossbar may be busy
  spare_credit,  // in addition, more credits of the link than packets in the output queue
  now,           // in addition, the packet can be transferred at once
};

struct SelectionRule {
  // The place of a switch <s, o> in a tree.
  struct TreePlace {
    Divisor ways;             // of its stage; k^s in a k-ary tree
    std::uint32_t digit = 0;  // its subtree's number among its siblings; o_s in a k-ary tree
  };

  SelectionKind kind = SelectionKind::ff;
  FreeOutput free = FreeOutput::room_credit;
  bool random_ties = false;
  SharedVector<TreePlace> places;  // [switch]; empty if the function does not use addresses
  SharedVector<NodeId> label_of;   // [node] number with the digits used; empty: the node number

  std::size_t bytes() const { return places.bytes() + label_of.bytes(); }
};

}  // namespace headway
