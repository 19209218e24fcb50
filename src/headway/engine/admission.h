// SPDX-License-Identifier: Apache-2.0
// The part of Adapters (adapters.h) that moves packets from admittance queues to injection queues
// (docs/modelling.md, "Admit").
#pragma once

#include <cstdint>
#include <utility>

#include "headway/engine/adapters.h"

namespace headway {

// Adds the message to its admittance queue, then admits all packets that can move.
template <EngineShape kShape>
void Adapters<kShape>::append(NodeId at, const Message& message) {
  Node& node = waits_.nodes[at];
  ++sources_[message.source].waiting_messages;
  node.waiting_packets += message.packets;
  if constexpr (kShape.may_have_cells())
    node.waiting_cells += cells_of({message.packets, message.last_bytes});
  state_.record.waiting_packets += message.packets;

  std::uint32_t& queue =
      node.queue_of.at(admittance_key(state_, message.source, at, message.destination), kNone);
  if (queue == kNone) {
    if (waits_.queues.size() % kMemoryCheckInterval == 0) expect_backlog_memory(state_);
    queue = waits_.new_queue();
    state_.record.admittance_queues = waits_.queues.size();
    waits_.share = std::max(waits_.most_kept.of_queue, waits_.most_kept.of_run / waits_.queues.size());
  }
  AdmittanceQueue& waiting = waits_.queues[queue];
  waiting.packets += message.packets;
  if (waits_.by_generator) waits_.by_generator->add(queue, message.source, message.packets);
  if (waiting.tail != kNone) {
    ++waits_.tails[waiting.tail].messages;
    return;
  }
  const bool behind = waiting.first != kNone;
  keep_message(state_, waiting, message);
  if (waiting.kept >= waits_.most_kept_of(node) && !node.keeps_all) forget_later_messages(at, queue);
  if (behind) return;  // nothing new can move
  const std::uint32_t number = injection_queue_at_head(at, waiting);
  const bool alone = active(at, number).first == kNone;
  waits_.join(active(at, number), queue);
  if (!alone) return;  // its injection queue is full in this case
  if (queue_fixed_)
    admit(at, number);
  else
    admit_all(at);
}

// The number of the injection queue that the first waiting packet will use.
template <EngineShape kShape>
std::uint32_t Adapters<kShape>::injection_queue_at_head(NodeId node, const AdmittanceQueue& waiting) const {
  const Message& head = waits_.messages[waiting.first];
  return injection_queue_of(
      node, first_hop(head.source, node, head.destination, drawn_by(head, waiting.begun)).target);
}

// Serves the active list of an injection queue until it is empty, the queue is full or, with kOnce, a packet
// has moved. Returns true if anything moved.
template <EngineShape kShape>
template <bool kOnce>
bool Adapters<kShape>::admit(NodeId at, std::uint32_t number) {
  ActiveList& list = active(at, number);
  Node& node = waits_.nodes[at];
  bool moved = false;
  while (list.first != kNone && admits_first(at, number, list)) {
    const std::uint32_t queue = list.first;
    AdmittanceQueue& waiting = waits_.queues[queue];
    list.first = waiting.next_active;
    const std::uint32_t id = waiting.first;
    Message& message = waits_.messages[id];
    if (is_held(message.source, at, message.destination, next_bytes(message))) {
      gates_.wait(message.source, at, message.destination, queue, next_bytes(message));
      continue;
    }
    if (is_refused(at, message.destination)) {
      waits_.join(waits_.aside[at], queue);
      continue;
    }
    inject(at, message, waiting.begun,
           first_hop(message.source, at, message.destination, drawn_by(message, waiting.begun)));
    moved = true;
    if constexpr (kShape.may_have_cells()) node.waiting_cells -= next_credits(message);
    if (waits_.by_generator) waits_.by_generator->take(queue, message.source);
    ++message.serial;
    --waiting.packets;
    --node.waiting_packets;
    --state_.record.waiting_packets;
    if (--message.packets == 0) {
      --sources_[message.source].waiting_messages;
      waiting.first = message.next;
      waiting.begun = 0;
      message.next = waits_.free_message;
      waits_.free_message = id;
      --waiting.kept;
      if (waiting.first == kNone && waiting.tail != kNone) refill(state_, at, queue);
    } else {
      ++waiting.begun;
    }
    if (waiting.first != kNone)
      waits_.join(queue_fixed_ ? list : active(at, injection_queue_at_head(at, waiting)), queue);
    else if (node.keeps_all && node.queue_of.size() > AdmittanceState::kMostEmptyQueues)
      forget_queue(at, id, queue);
    if constexpr (kOnce) break;
  }
  if (list.first != kNone) fetch(&waits_.messages[waits_.queues[list.first].first]);
  return moved;
}

// Every waiting line joins the active list of the injection queue to which the new routes lead.
template <EngineShape kShape>
void Adapters<kShape>::follow_routes() {
  if (!queue_fixed_)
    for (NodeId node = 0; node < state_.network.nodes(); ++node)
      if (state_.has_node(node) && waits_.nodes[node].waiting_packets > 0) join_again(node);
}

template <EngineShape kShape>
void Adapters<kShape>::join_again(NodeId node) {
  const std::uint32_t queues = state_.network.ports[state_.network.adapter_port(node)].queues;
  std::vector<std::uint32_t> lines;
  for (std::uint32_t number = 0; number < queues; number += channels_) {
    for (std::uint32_t line = active(node, number).first; line != kNone;
         line = waits_.queues[line].next_active)
      lines.push_back(line);
    active(node, number) = {};
  }
  for (const std::uint32_t line : lines)
    waits_.join(active(node, injection_queue_at_head(node, waits_.queues[line])), line);
  const std::uint64_t waiting = waits_.nodes[node].waiting_packets;
  admit_all(node);
  if (waits_.nodes[node].waiting_packets != waiting) wake_sources(node);
}

template <EngineShape kShape>
void Adapters<kShape>::admit_all(NodeId node) {
  const std::uint32_t queues =
      is_pooled() ? 1 : state_.network.ports[state_.network.adapter_port(node)].queues;
  if (kShape.has_cells(state_.network)) {
    // A queue can have room for several packets, and the packet behind each of them can belong to a lower
    // queue, which is served first.
    for (std::uint32_t number = 0; number < queues;)
      number = admit</*kOnce=*/true>(node, number) ? 0 : number + channels_;
    return;
  }
  for (bool moved = true; moved;) {
    moved = false;
    for (std::uint32_t number = 0; number < queues; number += channels_) moved |= admit(node, number);
  }
}

template <EngineShape kShape>
void Adapters<kShape>::inject(NodeId at, const Message& message, std::uint32_t begun, const FirstHop& hop) {
  const PortState& port = adapter(at);
  const PacketId id = state_.packets.allocate();
  const std::uint32_t payload = next_payload(message);
  Packet& packet = state_.packets[id];
  packet.ready = state_.wheel.now();
  state_.packets.origin(id) = {.generated = message.generated,
                               .injected = packet.ready,
                               .generator = message.source,
                               .message = message.serial - begun,
                               .packets = message.packets + begun,
                               .payload = static_cast<std::uint16_t>(payload)};
  packet.source = at;
  packet.destination = message.destination;
  packet.serial = message.serial;
  packet.queue = port.first_queue + injection_queue_of(at, hop.target);
  const std::uint32_t credits = next_credits(message);
  if (channels_ > 1)
    packet.queue = state_.flow.choose_channel(packet.queue, waits_.nodes[at].next_queue, credits);
  packet.input = 0;
  packet.output = state_.network.adapter_port(at);
  packet.next_output = hop.output;
  packet.target = hop.target;
  if (kShape.has_lanes(state_.network)) packet.course = hop.course;
  packet.length = static_cast<std::uint16_t>(framing_.frame(payload));
  state_.flow.take(packet.queue, credits);
  if (limits() && message.source != state_.notifier) gates_.admit(message.source, packet);
  ++state_.record.packets_in_network;
  enqueue<kShape>(state_, id, state_.touched_adapters);
  if (is_pooled()) state_.unsettled.add(state_.network.adapter_port(at), false);
}

}  // namespace headway
