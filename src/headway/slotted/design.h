// SPDX-License-Identifier: Apache-2.0
// A slotted multistage network: its switches, layers and buffers, the rules of a network cycle that papers
// leave open, and its traffic.
//
// Source of the defaults: Vasiliadis, Rizos and Vassilakis on dual-priority multi-layer MINs under hot spots
// (papers/multilayer), sections II and III.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headway/base/error.h"
#include "headway/config/names.h"
#include "headway/topology/banyan.h"

namespace headway::slotted {

// Where packets queue: per input link of a switch; per output link (with as many writes per cycle as there is
// room for); or per pair of an input link and an output link, in front of the switch: the places of an input
// link are divided evenly among the output links. A link with fewer places than output links has one queue.
enum class Queueing : std::uint8_t { input_link, output_link, virtual_output };
// How many packets an output link carries in a slot: one, or one of each class, so that only packets of the
// same class contend ("if both incoming link buffers hold packets of the same priority", section II).
enum class OutputSlots : std::uint8_t { one, per_class };
// The packets of higher classes for which a packet waits, if it may not pass them: all at its input link, or
// those for the same output link.
enum class Precedence : std::uint8_t { link, output };
// Treatment of a head that cannot move: it waits; it waits and draws a new destination among those that it
// can still reach, as the classic analyses assume (Jenq 1983); or it is discarded, as in unbuffered networks
// (Patel 1981).
enum class Blocked : std::uint8_t { wait, redraw, discard };

// The layer that a packet enters in a stage with more layers: chosen by the input link that it leaves from in
// the previous switch, so that the previous switch forwards without contention (paper, section II and Figure
// 2), or by the input link that it arrives on, so that the next switch has no contention ("contentions are
// limited to the four initial stages", section IV).
enum class Spread : std::uint8_t { by_sender, by_receiver };
// Treatment of an arrival whose queue is full: it is lost there, or waits at the network input.
enum class WhenFull : std::uint8_t { drop, hold };

constexpr auto names_in_specs(Queueing) { return name_list("input-link", "output-link", "virtual-output"); }
constexpr auto names_in_specs(OutputSlots) { return name_list("one", "per-class"); }
constexpr auto names_in_specs(Precedence) { return name_list("link", "output"); }
constexpr auto names_in_specs(Blocked) { return name_list("wait", "redraw", "discard"); }
constexpr auto names_in_specs(Spread) { return name_list("by-sender", "by-receiver"); }
constexpr auto names_in_specs(WhenFull) { return name_list("drop", "hold"); }

struct Rules {
  Queueing queueing = Queueing::input_link;
  Spread spread = Spread::by_sender;
  Blocked blocked = Blocked::wait;
  // A packet can leave while the head of a higher-priority class is blocked. Choice: the paper's text lets
  // low priority leave only while no high-priority packet waits, but the plateau of its Figure 3 is reached
  // only if low priority may pass a blocked head (papers/multilayer/README.md).
  bool pass = true;
  bool reuse = true;  // a place freed in a cycle can be taken in the same cycle
  WhenFull when_full = WhenFull::drop;
  OutputSlots output_slots = OutputSlots::one;
  Precedence precedence = Precedence::link;  // if packets may not pass

  // Destinations change, or packets are lost, inside the network.
  bool loses_destinations() const { return blocked != Blocked::wait; }
};

struct Design {
  std::uint32_t nodes = 64;  // network inputs, fan_in^stages
  std::uint32_t fan_in = 2;
  std::uint32_t fan_out = 2;
  std::string wiring = "omega";
  std::uint32_t classes = 2;          // 0 is the highest priority
  std::vector<std::uint32_t> layers;  // [stage]; empty: one everywhere
  // [stage][class]: packets per queue or, with virtual_output, per input link; one entry serves all classes,
  // an empty table means two everywhere.
  std::vector<std::vector<std::uint32_t>> buffers;
  Rules rules;

  std::uint32_t stages() const;   // 0 if nodes is not a power of fan_in
  std::uint32_t outputs() const;  // fan_out^stages
  std::uint32_t layers_at(std::uint32_t stage) const { return layers.empty() ? 1 : layers[stage]; }
  std::uint32_t buffer(std::uint32_t stage, std::uint32_t priority) const;
  // The queues of an input link of this stage: one, or one for each output link.
  std::uint32_t queues_per_link(std::uint32_t stage) const;
  // Packets per queue.
  std::uint32_t depth(std::uint32_t stage, std::uint32_t priority) const {
    return buffer(stage, priority) / queues_per_link(stage);
  }
  std::uint64_t switching_elements() const;  // over all stages and layers: the cost of the design
  std::uint64_t queue_bytes() const;         // memory of the queues of all replications of a run
};

struct Traffic {
  double load = 1.0;              // probability of an arrival per network input and slot
  double hotspot_fraction = 0.0;  // fraction of the load; all of it belongs to `hotspot_class`
  std::uint32_t hotspot = 0;      // destination of this fraction
  std::uint32_t hotspot_class = 1;
  std::vector<double> shares = {0.2, 0.8};  // [class]: shares of the rest, which is uniform over all outputs
};

// Reports all mistakes of a design and its traffic, with the keys of a spec.
void check(const Design& design, const Traffic& traffic, Mistakes& mistakes);

}  // namespace headway::slotted
