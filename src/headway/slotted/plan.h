// SPDX-License-Identifier: Apache-2.0
// A slotted network compiled to tables: levels of queues with hops of crossbars between them.
//
// Both queueings are one chain, source level -> hop 0 -> level 1 -> ... -> hop n -> outputs. With queues at
// the input links, hop 0 is a direct connection and hop i is stage i. With queues at the output links, hop i
// is stage i+1 and the last hop is a direct connection. A switch sees a queue per input link (of every class)
// and a target queue per output link and layer.
#pragma once

#include <cstdint>
#include <vector>

#include "headway/slotted/design.h"
#include "headway/slotted/replications.h"

namespace headway::slotted {

// The queues between two hops, numbered by the input of the hop they feed: switch * fan_in + port, and times
// `per_link` plus the output if an input has a queue for each output.
struct Level {
  std::uint32_t queues = 0;
  std::uint32_t per_link = 1;
  std::uint32_t planes = 0;                // bits of the destination that are still needed
  std::uint32_t places = 0;                // places of one queue, for all classes together
  std::vector<std::uint32_t> first_place;  // [class], and one past the last
};

struct Hop {
  std::uint32_t fan_in = 1;
  std::uint32_t fan_out = 1;
  std::uint32_t bits = 0;  // bits of the destination digit used for routing; 0 for a direct connection
  bool one_write = true;   // an output link carries one packet per slot; otherwise as many as fit
  std::vector<std::uint32_t> first_link;  // [switch], and one past the last: its links, output by output
  std::vector<std::uint32_t> target;      // [link]: input of the next hop, or network output
  std::vector<std::uint32_t>
      shared;  // [switch]: number of leading digits that all its packets share with the hot spot
  std::uint32_t switches() const { return static_cast<std::uint32_t>(shared.size()); }
};

// Zones as in the paper's section II: zone 0 is the hot spot, 1 the outputs of its last switch (adjacent),
// zone j + 1 the outputs whose path leaves that of the hot spot j stages before the end (Cold-j). A
// destination is the sequence of digits in stage order.
struct Plan {
  std::uint32_t stages = 0;
  std::uint32_t classes = 0;
  std::uint32_t radix = 0;  // digits are below this
  std::uint32_t digit_bits = 0;
  std::vector<Level> levels;                // [0 .. stages]
  std::vector<Hop> hops;                    // [0 .. stages]
  std::vector<std::uint32_t> source_queue;  // [network input]: its queue in level 0
  std::vector<std::uint32_t> zone_of;       // [output]
  std::vector<std::uint32_t> outputs_in;    // [zone]
  std::vector<std::uint32_t> hot_digits;    // [stage]
  std::uint32_t hot_class = 0;
  Probability load, hot;
  std::vector<Probability> class_given_lower;  // [class]: P(this class, if no class before it was drawn)
  std::vector<Probability> redraw_hot;         // [shared digits]: P(a hot-class packet is for the hot spot)
  Rules rules;
  std::uint64_t switching_elements = 0;

  std::uint32_t zones() const { return stages + 1; }
};

// Throws SpecError with all mistakes that `check` reports.
Plan compile(const Design& design, const Traffic& traffic);

}  // namespace headway::slotted
