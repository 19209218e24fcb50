// SPDX-License-Identifier: Apache-2.0
// Memory of switches and nodes (docs/modelling.md, "Devices"). What the spec leaves open is never too little
// for the network.
#include <algorithm>
#include <limits>

#include "headway/compile/plan/parts.h"

namespace headway {
namespace {

constexpr Bytes kUsualMemory{4096};  // of a port, unless it needs more

// Choice: with pauses, a lane has by default twice its headroom and two full packets. A lane that lets its
// sender resume two packets below XOFF then still holds what its output sends until packets come again.
Bytes usual_lane(const EventSpec& spec, const NetworkOptions& options) {
  const std::int64_t unit = options.pause->unit_bytes, headroom = unit * options.pause->headroom;
  const std::int64_t until_pause = headroom + 2 * unit * options.lane_credits_of(options.packet_bytes);
  const Bytes xoff = spec.switches.flow_control->pauses()->xoff.value_or(Bytes{0});
  return Bytes{std::max(until_pause, xoff.count) + headroom};
}

// What `queues` queues need for the packets that each must have room for.
Bytes least_memory(const EventSpec& spec, const Graph& graph, const NetworkOptions& options,
                   std::int64_t queues) {
  return Bytes{slot_of(spec).count * least_room(graph, options) * queues};
}

// Choice: sources that react to congestion have injection queues for one packet, because nothing acts on what
// is in these queues.
std::uint32_t injection_capacity(const EventSpec& spec, const Bytes& of_port, std::uint32_t queues,
                                 const NetworkOptions& options) {
  const Bytes slot = slot_of(spec);
  if (spec.node.injection_memory) return credits_per_queue(*spec.node.injection_memory, queues, slot);
  const std::uint32_t packet = options.credits_of_packet();
  if (spec.node.reaction->traits()) return packet;
  return std::clamp(credits_per_queue(of_port, queues, slot), packet, std::max(packet, kMostCreditsPerQueue));
}

}  // namespace

std::uint32_t credits_per_queue(const Bytes& memory, std::int64_t queues, const Bytes& slot) {
  const std::int64_t credits = memory.count / queues / slot.count;
  return static_cast<std::uint32_t>(
      std::min<std::int64_t>(credits, std::numeric_limits<std::uint32_t>::max()));
}

Bytes input_memory(const EventSpec& spec, const Graph& graph, const NetworkOptions& options,
                   std::uint32_t queues) {
  const SwitchSpec& switches = spec.switches;
  if (switches.queue_memory) return Bytes{switches.queue_memory->count * queues};
  if (switches.input_memory) return *switches.input_memory;
  if (options.pause) return std::max(kUsualMemory, Bytes{usual_lane(spec, options).count * options.lanes});
  return std::max(kUsualMemory, least_memory(spec, graph, options, queues));
}

Bytes output_memory(const EventSpec& spec, const Graph& graph, const NetworkOptions& options,
                    std::uint32_t queues) {
  if (spec.switches.output_memory) return *spec.switches.output_memory;
  return std::max(kUsualMemory, least_memory(spec, graph, options, queues));
}

Bytes receive_memory(const EventSpec& spec, const Graph& graph, const NetworkOptions& options,
                     std::uint32_t queues) {
  if (spec.node.receive_memory) return *spec.node.receive_memory;
  const Bytes lane{input_memory(spec, graph, options, queues).count / options.lanes};
  return options.pause ? lane : std::min(lane, Bytes{slot_of(spec).count * kMostCreditsPerQueue});
}

void plan_room(const EventSpec& spec, const Graph& graph, std::uint32_t queues, NetworkOptions& options) {
  const SwitchSpec& switches = spec.switches;
  const Bytes slot = slot_of(spec), lane_unit = options.pause ? Bytes{options.pause->unit_bytes} : slot;
  const Bytes of_port = input_memory(spec, graph, options, queues);
  const std::uint32_t parts = options.has_lane_memory() ? options.lanes : queues;
  options.capacity = credits_per_queue(of_port, parts, lane_unit);
  options.injection_capacity = injection_capacity(spec, of_port, queues, options);
  if (has_output_units(switches)) {
    const std::uint32_t outputs = output_queues(switches, options.lanes, queues);
    options.output_capacity = credits_per_queue(output_memory(spec, graph, options, outputs), outputs, slot);
  }
  if (options.has_slow_nodes())
    options.receive_capacity = credits_per_queue(receive_memory(spec, graph, options, queues), 1, lane_unit);
}

}  // namespace headway
