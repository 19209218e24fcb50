// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/gather.h"

#include <vector>

namespace headway {
namespace {

template <class Io, class T>
void at_index(Io& io, std::span<T> table, std::size_t index) {
  if (!table.empty()) io.value(table[index]);
}

template <class Io>
void serialize_port(Io& io, State& part, PortId id) {
  const Network& network = part.network;
  const Port& port = network.ports[id];
  io.value(part.ports[id]);
  at_index(io, part.sent, id);
  io.table(part.queues.subspan(port.first_queue, port.queues));
  at_index(io, part.links_now, id);
  if (id >= network.layout.graph_ports) return;  // of an output unit
  if (part.isolation != nullptr) part.isolation->serialize_port(id, io);
  for (std::uint32_t lane = 0; lane < network.lanes; ++lane) {
    if (part.pauses != nullptr) {
      part.pauses->serialize_at_port(network.lane_place(id, lane), io);
      if (const PortId peer = network.graph.peer_of(id); peer != kNone)
        part.pauses->serialize_at_sender(network.lane_place(peer, lane), io);
    }
    if (part.control != nullptr) part.control->marks.serialize_waiting(network.lane_place(id, lane), io);
  }
}

template <class Io>
void serialize_node(Io& io, State& part, NodeId node) {
  AdmittanceState& admittance = part.admittance;
  const Port& adapter = part.network.ports[part.network.adapter_port(node)];
  at_index(io, part.consumed_by, node);
  io.value(admittance.nodes[node].waiting_packets);
  for (std::uint32_t q = adapter.first_queue; q < adapter.first_queue + adapter.queues; ++q)
    at_index(io, admittance.active, q - admittance.first_adapter_queue);
  at_index(io, admittance.aside, node);
}

template <class Io>
void serialize_admittance(Io& io, AdmittanceState& admittance, const Workload& workload) {
  admittance.messages.serialize(io);
  admittance.queues.serialize(io);
  auto tails = admittance.tails.size();
  io.value(tails);
  admittance.tails.resize(tails);
  for (Tail& tail : admittance.tails) {
    tail.stream.serialize(io, workload);
    io.value(tail.messages);
  }
  bool counts = admittance.by_generator != nullptr;
  io.value(counts);
  if (!counts) return;
  if (!admittance.by_generator) admittance.by_generator = std::make_unique<WaitingByGenerator>();
  admittance.by_generator->serialize(io);
}

// Packets on links, and transfers in progress.
constexpr EventKind kSeen[] = {EventKind::arrive, EventKind::deliver, EventKind::release, EventKind::sent,
                               EventKind::vacate};

template <class Io>
void serialize_state(Io& io, State& part, const Workload& workload) {
  const Network& network = part.network;
  io.value(part.admittance.first_adapter_queue);
  io.value(part.next_change);
  for (std::uint32_t device = 0; device < network.devices(); ++device) {
    if (!part.part.has(device)) continue;
    const PortId first = part.devices[device].first_port;
    for (PortId id = first; id < first + part.devices[device].radix; ++id) serialize_port(io, part, id);
  }
  for (NodeId node = 0; node < network.nodes(); ++node)
    if (part.has_node(node)) serialize_node(io, part, node);
  serialize_admittance(io, part.admittance, workload);
  io.table(std::span(part.credits));
  if (part.isolation != nullptr) io.value(part.isolation->counts());
  if (part.overflow != nullptr) io.value(part.overflow->counts());
  if (part.limiter != nullptr) {
    part.limiter->flows.serialize(io);
    io.list(part.limiter->parked);
  }
}

}  // namespace

void write_state(State& part, const Workload& workload, ParcelWriter& to) {
  serialize_state(to, part, workload);
  std::vector<TimedEvent> events;
  for (const EventKind kind : kSeen)
    part.wheel.for_each_at(kind,
                           [&](const Event& event, Tick tick) { events.push_back({tick, event, kind}); });
  to.value(part.wheel.now());
  to.list(events);
}

void read_state(ParcelReader& from, const Workload& workload, State& part) {
  serialize_state(from, part, workload);
  for (std::size_t i = 0; i < part.next_change; ++i)
    if (const auto& routes = part.network.changes[i].routes) part.routes = routes.get();
  Tick now = 0;
  std::vector<TimedEvent> events;
  from.value(now);
  from.list(events);
  part.wheel.advance(now);
  for (const TimedEvent& it : events)
    part.wheel.schedule_at_any_distance(it.kind, it.tick, it.event.a, it.event.b);
}

}  // namespace headway
