// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/state_memory.h"

#include "headway/engine/state.h"

namespace headway {
namespace {

// What all parts of a run share.
void add_tables(const StateMemory& memory, const Layout& layout, MemoryParts& parts) {
  parts.add("queues", bytes_taken(memory.queues, memory.served, memory.cells_in));
  parts.add("ports", bytes_taken(memory.ports, memory.ahead, memory.sent, memory.links_now));
  parts.add("devices", bytes_taken(memory.devices, memory.wide_sets, memory.wide_requests, memory.flows));
  parts.add("request lists", bytes_taken(memory.lists, memory.unbound));
  parts.add("credits", bytes_taken(memory.consumed_by));
  if (memory.feedback.shares_links())
    parts.add("credits",
              Feedback::bytes(layout.devices, layout.graph_ports, memory.feedback.credits().size()));
  parts.add("congestion", layout.turn_bytes + layout.mark_bytes + layout.pool_bytes);
  if (memory.pauses != nullptr) parts.add("congestion", Pauses::bytes(layout.lane_places, layout.switches));
  parts.add("adapters", bytes_taken(memory.admittance.nodes, memory.admittance.active));
}

// What each part of a run has of its own.
void add_own(const State& state, const Layout& layout, MemoryParts& parts) {
  parts.add("ports", bytes_taken(state.queue_of_output));
  parts.add("devices", bytes_taken(state.touched_switches.devices, state.touched_adapters.devices,
                                   state.touched_output_units.devices, state.asking_switches.devices));
  parts.add("credits", bytes_taken(state.credits, state.next_inputs));
  parts.add("congestion", layout.pool_turns + bytes_taken(state.unsettled.marks, state.record.marks_at));
  if (state.limiter != nullptr)
    parts.add("congestion", state.limiter->flows.bytes() + state.limiter->parked_of.bytes() +
                                bytes_taken(state.limiter->parked));
  const Record& record = state.record;
  parts.add("counters", bytes_taken(record.bytes_to, record.bytes_between, record.received) +
                            record.disorder.deliveries_of.bytes());
  parts.add(kEventsPart, state.wheel.bytes());
  const AdmittanceState& waits = state.admittance;
  parts.add(kWaitingPart, waits.messages.bytes() + waits.queues.bytes() +
                              bytes_taken(waits.service_of, waits.tails_of_node, waits.tails) +
                              waits.tails.size() * (kBytesPerTail - sizeof(Tail)) +
                              (waits.by_generator ? waits.by_generator->bytes() : 0));
}

}  // namespace

MemoryParts memory_of(std::span<const State* const> states) {
  const State& first = *states.front();
  const Layout& layout = first.network.layout;
  MemoryParts parts;
  add_tables(*first.memory, layout, parts);
  std::uint64_t packets = first.memory->packets.taken();
  for (const State* state : states) {
    add_own(*state, layout, parts);
    packets -= state->packets.not_used();
  }
  parts.add(kPacketsPart, first.memory->packets.bytes(packets));
  std::uint64_t tables_of_nodes = 0;
  for (const AdmittanceState::Node& node : first.memory->admittance.nodes)
    tables_of_nodes += node.queue_of.bytes();
  parts.add(kWaitingPart, tables_of_nodes);
  return parts;
}

}  // namespace headway
