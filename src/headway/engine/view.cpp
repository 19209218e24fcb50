// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/view.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "headway/base/error.h"
#include "headway/base/fetch.h"
#include "headway/engine/adaptive.h"
#include "headway/engine/next_hop.h"
#include "headway/engine/state.h"

namespace headway {

Tick StateView::now() const { return state_->wheel.now(); }

const State& StateView::part_of(NodeId node) const {
  return part_of_device(parts_, state_->network.switches() + node);
}

std::uint32_t StateView::length(std::uint32_t queue) const { return state_->queues[queue].length; }
std::uint32_t StateView::longest(std::uint32_t queue) const { return state_->queues[queue].longest; }

std::vector<PacketView> StateView::packets(std::uint32_t queue) const {
  std::vector<PacketView> result;
  state_->for_each_packet(queue, [&](PacketId id) { result.push_back(packet(id)); });
  return result;
}

namespace {

PacketView view_of(const Packet& packet) { return {packet.source, packet.destination, packet.serial}; }

WaitingPacket waiting(const State& state, PacketId id) {
  const Packet& packet = state.packets[id];
  const SwitchId chooses = packet.output == kNone ? state.ports[packet.next_output].owner : kNone;
  const PortId kept = chooses != kNone && state.may_keep ? kept_output(packet) : kNone;
  return {view_of(packet), id, packet.output, chooses, packet.course, packet.target, kept};
}

}  // namespace

bool StateView::head(std::uint32_t queue, WaitingPacket& packet) const {
  const Queue& from = state_->queues[queue];
  if (from.length == 0) return false;
  packet = waiting(*state_, from.head);
  packet.target = from.target;  // differs from the packet's own target once the packet has taken room there
  return true;
}

// The packets of a queue are a chain through memory. Walking several chains at once hides most of the time
// that each step takes.
void StateView::packets(std::span<const std::uint32_t> queues,
                        std::span<std::vector<WaitingPacket>> packets) const {
  std::array<PacketId, kQueuesAtOnce> next;
  std::uint32_t longest = 0;
  for (std::size_t i = 0; i < queues.size(); ++i) {
    next[i] = state_->queues[queues[i]].head;
    longest = std::max<std::uint32_t>(longest, length(queues[i]));
    packets[i].clear();
  }
  for (std::uint32_t place = 0; place < longest; ++place)
    for (std::size_t i = 0; i < queues.size(); ++i) {
      if (place >= length(queues[i])) continue;
      packets[i].push_back(waiting(*state_, next[i]));
      next[i] = state_->packets[next[i]].next;
      state_->packets.fetch(next[i]);
    }
  for (std::size_t i = 0; i < queues.size(); ++i)
    if (!packets[i].empty()) packets[i].front().target = state_->queues[queues[i]].target;
}

namespace {

// Calls visit(event, tick, waits) for all packets that are on links to nodes or in the memory of slow nodes,
// where all but the one that is being consumed wait.
template <class Visit>
void for_each_delivery(const State& state, Visit&& visit) {
  const Network& network = state.network;
  state.wheel.for_each_at(EventKind::deliver, [&](const Event& event, Tick tick) {
    const Packet& packet = state.packets[event.a];
    visit(event, tick,
          event.b == 1 && tick - network.consumption(packet.destination, packet.length) >= state.wheel.now());
  });
}

}  // namespace

void StateView::in_receive_memory(std::vector<WaitingPacket>& packets) const {
  packets.clear();
  if (!state_->network.has_slow_nodes()) return;
  for (const State* part : parts_)
    for_each_delivery(*part, [&](const Event& event, Tick, bool waits) {
      if (waits) packets.push_back(waiting(*part, event.a));
    });
}

bool StateView::waits_in_receive_memory(PacketId packet) const {
  bool found = false;
  if (!state_->network.has_slow_nodes()) return false;
  for (const State* part : parts_)
    for_each_delivery(*part,
                      [&](const Event& event, Tick, bool waits) { found |= waits && event.a == packet; });
  return found;
}

bool StateView::consumes(NodeId node) const {
  return state_->network.has_slow_nodes() && state_->consumed_by[node] >= now();
}

void StateView::on_links(std::vector<MovingPacket>& packets) const {
  packets.clear();
  const auto add = [&](PacketId id, Tick end, bool is_consumed, std::uint32_t queue) {
    const Packet& packet = state_->packets[id];
    const std::uint32_t via = packet.course.undecided ? kNone : packet.course.via;
    packets.push_back({view_of(packet), id, end, is_consumed, queue, via});
  };
  for (const State* part : parts_) {
    part->wheel.for_each_at(EventKind::arrive,
                            [&](const Event& event, Tick tick) { add(event.b, tick, false, event.a); });
    for_each_delivery(*part, [&](const Event& event, Tick tick, bool waits) {
      if (!waits) add(event.a, tick, event.b == 1, kNone);
    });
  }
}

void StateView::transfers(std::vector<Transfer>& transfers) const {
  transfers.clear();
  const Network& network = state_->network;
  const auto transfer_of = [&](const Event& event, Tick end) {
    const PortId first = network.first_port[event.a];
    return Transfer{first + (event.b >> 16), first + (event.b & 0xffff), end};
  };
  for (const State* part : parts_) {
    part->wheel.for_each_at(EventKind::release, [&](const Event& event, Tick end) {
      transfers.push_back(transfer_of(event, end));
      Transfer& transfer = transfers.back();
      transfer.holds_output = !state_->link_outlasts(transfer.input, transfer.output);
      transfer.holds_input = !network.output_queued;
    });
    part->wheel.for_each_at(EventKind::sent, [&](const Event& event, Tick end) {
      const PortId port = network.first_port[event.a];
      transfers.push_back(network.is_switch(event.a) ? transfer_of(event, end) : Transfer{port, port, end});
      transfers.back().holds_input = !network.is_switch(event.a);
    });
    part->wheel.for_each_at(EventKind::vacate, [&](const Event& event, Tick end) {
      if (event.b == kNone) transfers.push_back({kNone, event.a, end});
    });
  }
}

namespace {

// Returns is_free(the crossbar of a device).
template <class IsFree>
bool is_free(const State& state, std::uint32_t id, const IsFree& is_free) {
  auto& variable = const_cast<State&>(state);  // crossbars have no constant form; nothing is changed
  Device& device = variable.devices[id];
  return with_ports(state.port_count,
                    [&]<PortCount kPorts>() { return is_free(variable.crossbar<kPorts>(device)); });
}
bool is_free_output(const State& state, std::uint32_t id, std::uint32_t output) {
  return is_free(state, id, [&](auto crossbar) { return crossbar.is_free_output(output); });
}
bool is_free_input(const State& state, std::uint32_t id, std::uint32_t input) {
  return is_free(state, id, [&](auto crossbar) { return crossbar.is_free_input(input); });
}

// A walk over a list of admittance queues.
struct ListWalk {
  AdmittanceView waiting;  // node, injection queue and refusal, which all queues of the list share
  std::uint32_t queue = kNone;
  const State* part = nullptr;  // that has the node
};

// Calls visit(message) for every message of a FIFO queue, in order.
template <class Visit>
void for_each_message(const State& state, NodeId node, const AdmittanceQueue& queue, Visit&& visit) {
  const AdmittanceState& all = state.admittance;
  for (std::uint32_t m = queue.first; m != kNone; m = all.messages[m].next) visit(all.messages[m]);
  if (queue.tail == kNone) return;
  NodeStream stream = all.tails[queue.tail].stream;
  for (std::uint32_t m = 0; m < all.tails[queue.tail].messages; ++m)
    visit(stream.next(node, state.network.framing()));
}

class AdmittanceViews {
 public:
  AdmittanceViews(const State& state, std::vector<AdmittanceView>& waiting,
                  std::vector<GeneratedPackets>* generated)
      : fifo_(state.network.admittance == Admittance::fifo),
        packets_to_(fifo_ ? state.network.nodes() : 0),
        waiting_(waiting),
        generated_(generated) {
    waiting.clear();
    if (generated != nullptr) generated->clear();
    if (generated != nullptr && !state.admittance.by_generator)
      throw InvariantError("the simulation does not count waiting packets by generator");
  }

  void add(const ListWalk& walk) {
    const AdmittanceState& all = walk.part->admittance;
    const AdmittanceQueue& queue = all.queues[walk.queue];
    view_ = walk.waiting;
    if (!fifo_) {
      add(all.messages[queue.first].destination, queue.packets);
      if (generated_ != nullptr)
        all.by_generator->for_each(walk.queue, [&](std::uint32_t generator, std::uint64_t packets) {
          add_generated({generator, packets});
        });
    } else if (view_.refused) {
      for_each_message(*walk.part, view_.node, queue, [&](const Message& message) {
        add(message.destination, message.packets);
        if (generated_ != nullptr) add_generated({message.source, message.packets});
      });
    } else {
      add_sums(*walk.part, queue);
    }
  }

 private:
  void add(NodeId destination, std::uint64_t packets) {
    view_.destination = destination;
    view_.packets = packets;
    if (generated_ != nullptr) view_.first_generated = static_cast<std::uint32_t>(generated_->size());
    waiting_.push_back(view_);
  }
  void add_generated(const GeneratedPackets& packets) {
    ++waiting_.back().generated;
    generated_->push_back(packets);
  }

  // Adds one view per destination, because there can be many millions of messages.
  void add_sums(const State& part, const AdmittanceQueue& queue) {
    destinations_.clear();
    by_destination_.clear();
    for_each_message(part, view_.node, queue, [&](const Message& message) {
      if (packets_to_[message.destination] == 0) destinations_.push_back(message.destination);
      packets_to_[message.destination] += message.packets;
      if (generated_ != nullptr) by_destination_[{message.destination, message.source}] += message.packets;
    });
    for (const NodeId destination : destinations_) {
      add(destination, std::exchange(packets_to_[destination], 0));
      for (auto sum = by_destination_.lower_bound({destination, 0});
           sum != by_destination_.end() && sum->first.first == destination; ++sum)
        add_generated({sum->first.second, sum->second});
    }
  }

  bool fifo_;
  std::vector<std::uint64_t> packets_to_;  // [destination] of one queue
  std::vector<NodeId> destinations_;       // of these packets
  std::map<std::pair<NodeId, std::uint32_t>, std::uint64_t>
      by_destination_;  // these packets by destination and generator
  std::vector<AdmittanceView>& waiting_;
  std::vector<GeneratedPackets>* generated_;
  AdmittanceView view_;
};

void add_lists_of(NodeId node, const State& state, std::vector<ListWalk>& lists) {
  const AdmittanceState& all = state.admittance;
  if (all.nodes[node].waiting_packets == 0) return;
  const Port& adapter = state.network.ports[state.network.adapter_port(node)];
  for (std::uint32_t q = adapter.first_queue; q < adapter.first_queue + adapter.queues; ++q)
    if (const std::uint32_t first = all.active[q - all.first_adapter_queue].first; first != kNone)
      lists.push_back({{.node = node, .queue = q}, first, &state});
  if (!all.aside.empty() && all.aside[node].first != kNone)
    lists.push_back(
        {{.node = node, .queue = adapter.first_queue, .refused = true}, all.aside[node].first, &state});
}

// Queues that wait until their source may send: those of a node, or of all (kNone).
void add_limited(const State& state, NodeId node, std::vector<ListWalk>& lists) {
  if (!state.limiter) return;
  for (const Limiter::Parked& parked : state.limiter->parked) {
    if (parked.list.first == kNone || (node != kNone && parked.node != node)) continue;
    const PortId adapter = state.network.adapter_port(parked.node);
    lists.push_back({{.node = parked.node, .queue = state.ports[adapter].first_queue, .limited = true},
                     parked.list.first,
                     &state});
  }
}

// The time of a full packet on the link of a node.
Tick packet_time(const Network& network, NodeId node) {
  return static_cast<Tick>(network.packet_bytes) * network.ports[network.adapter_port(node)].ticks_per_byte;
}

}  // namespace

// Walks several lists at once, for the same reason as `packets`.
void StateView::admittance(std::vector<AdmittanceView>& waiting,
                           std::vector<GeneratedPackets>* generated) const {
  AdmittanceViews views(*state_, waiting, generated);
  std::vector<ListWalk> lists;
  for (NodeId node = 0; node < state_->network.nodes(); ++node) add_lists_of(node, part_of(node), lists);
  for (const State* part : parts_) add_limited(*part, kNone, lists);
  for (std::size_t first = 0; first < lists.size(); first += kQueuesAtOnce) {
    const std::span<ListWalk> together(lists.data() + first, std::min(kQueuesAtOnce, lists.size() - first));
    for (bool any = true; any;) {
      any = false;
      for (ListWalk& walk : together) {
        if (walk.queue == kNone) continue;
        any = true;
        views.add(walk);
        const AdmittanceState& all = walk.part->admittance;
        walk.queue = all.queues[walk.queue].next_active;
        if (walk.queue != kNone) fetch(&all.queues[walk.queue]);
      }
    }
  }
}

std::uint32_t StateView::generator(PacketId packet) const { return state_->packets.origin(packet).generator; }
std::uint32_t StateView::bytes(PacketId packet) const { return state_->packets[packet].length; }

std::uint64_t StateView::bytes_waiting(PortId output, std::uint32_t lane) const {
  return state_->control ? state_->control->marks.waiting(state_->network.lane_place(output, lane)) : 0;
}

double StateView::rate(NodeId source, NodeId destination) const {
  if (!state_->limiter) return 1;
  const Network& network = state_->network;
  return part_of(source).limiter->flows.rate(flow_key(network, source, destination, 0),
                                             packet_time(network, source));
}

void StateView::limited(std::vector<LimitedFlowView>& flows) const {
  flows.clear();
  if (!state_->limiter) return;
  const Network& network = state_->network;
  for (const State* part : parts_) {
    const LimitedFlows& limited = part->limiter->flows;
    limited.for_each([&](const ReactingFlow& flow) {
      const NodeId source = LimitedFlows::node_of(flow.key);
      flows.push_back({source, destination_of(network, flow.key), service_of(network, flow.key),
                       limited.rate(flow, packet_time(network, source)), flow.notifications});
    });
  }
}

std::optional<AdmittanceView> StateView::admittance_of(NodeId node, std::uint32_t serial) const {
  const State& part = part_of(node);
  const AdmittanceState& all = part.admittance;
  std::vector<ListWalk> lists;
  add_lists_of(node, part, lists);
  add_limited(part, node, lists);
  for (ListWalk& walk : lists)
    for (std::uint32_t q = walk.queue; q != kNone; q = all.queues[q].next_active)
      for (std::uint32_t m = all.queues[q].first; m != kNone; m = all.messages[m].next) {
        const Message& message = all.messages[m];
        if (serial < message.serial || serial - message.serial >= message.packets) continue;
        walk.waiting.destination = message.destination;
        walk.waiting.packets = 1;
        return walk.waiting;
      }
  return std::nullopt;
}

PacketId StateView::find(NodeId node, std::uint32_t serial) const {
  PacketId found = kNone;
  const auto look = [&](PacketId id) {
    const Packet& packet = state_->packets[id];
    if (packet.source == node && packet.serial == serial) found = id;
  };
  const Port& adapter = state_->network.ports[state_->network.adapter_port(node)];
  for (std::uint32_t q = adapter.first_queue; q < adapter.first_queue + adapter.queues; ++q)
    state_->for_each_packet(q, look);
  for (const State* part : parts_) {
    if (found == kNone) part->wheel.for_each(EventKind::arrive, [&](const Event& event) { look(event.b); });
    if (found == kNone) part->wheel.for_each(EventKind::deliver, [&](const Event& event) { look(event.a); });
  }
  return found;
}

std::uint32_t StateView::bound_for(PacketId packet) const { return state_->packets[packet].queue; }

std::uint32_t StateView::queue_of(PacketId packet) const {
  const std::uint32_t queue = bound_for(packet);
  if (queue >= sink()) return kNone;
  bool found = false;
  state_->for_each_packet(queue, [&](PacketId id) { found |= id == packet; });
  return found ? queue : kNone;
}

PacketView StateView::packet(PacketId id) const { return view_of(state_->packets[id]); }

bool StateView::is_of_message(PacketId packet, NodeId node, std::uint32_t serial) const {
  const PacketOrigin& origin = state_->packets.origin(packet);
  return state_->packets[packet].source == node && serial - origin.message < origin.packets;
}

SentView StateView::sent(PortId output) const {
  return {state_->sent[output].packet, state_->sent[output].generator};
}

void StateView::transfers_of(std::uint32_t device, std::vector<DeviceTransfer>& transfers) const {
  transfers.clear();
  const Device& at = state_->devices[device];
  for (std::uint32_t local = 0; local < at.radix; ++local) {
    const PortId output = at.first_port + local;
    const bool is_idle = !state_->links_now.empty() && state_->links_now[output].idle;
    if (is_idle || is_free_output(*state_, device, local)) continue;
    const SentPacket& sent = state_->sent[output];
    if (sent.packet == kNone) {
      transfers.push_back({.output = output});
      continue;
    }
    const PortId input = at.first_port + sent.input;
    const bool holds_input =
        state_->sent[input].sends_to == local && !is_free_input(*state_, device, sent.input);
    transfers.push_back({input, output, holds_input});
  }
}

std::uint32_t StateView::sink() const { return state_->sink(); }

bool StateView::has_room(PortId input, const WaitingPacket& packet) const {
  const Port& port = state_->network.ports[input];
  std::uint32_t needed = state_->credits_of(state_->packets[packet.id]);
  if (state_->network.has_rings) needed = state_->network.slots_needed(port.local, packet.output);
  return part_of_device(parts_, port.owner)
      .flow.has_room(packet.target, state_->devices[port.owner].channels, needed);
}

bool StateView::has_room(PortId input, const WaitingPacket& packet, PortId candidate) const {
  const Device& device = state_->devices[packet.chooses];
  bool has_room = false;
  for_each_candidate(*state_, packet.chooses, packet, [&](const Candidate& possible) {
    if (possible.output != candidate || has_room) return;
    const std::uint32_t to_leave = possible.escapes ? 0 : state_->network.room_to_leave(input);
    has_room = has_room_behind(part_of_device(parts_, packet.chooses), device, possible.output,
                               possible.target, to_leave, state_->packets[packet.id]);
  });
  return has_room;
}

void StateView::targets(const WaitingPacket& packet, std::vector<std::uint32_t>& targets) const {
  targets.clear();
  const Device& device = state_->devices[packet.chooses];
  for_each_candidate(*state_, packet.chooses, packet, [&](const Candidate& possible) {
    std::uint32_t target = possible.target;
    if (state_->network.has_output_units()) {
      const std::uint32_t output_queue =
          state_->output_queue(possible.output, possible.target, possible.course.lane);
      const std::uint32_t needed = state_->credits_of(state_->packets[packet.id]);
      if (!part_of_device(parts_, packet.chooses).flow.has_room(output_queue, device.channels, needed))
        target = output_queue;
    }
    targets.push_back(target);
  });
}

std::uint32_t StateView::refusing(PortId output, NodeId destination) const {
  return state_->isolation ? state_->isolation->refusing(output, destination) : 0;
}

bool StateView::obeys_refusals(std::uint32_t number) const {
  return number > 0 || !state_->isolation->rules().pass_when_full;
}

std::uint32_t StateView::drawn_by(const WaitingPacket& packet) const {
  return state_->network.drawn_by(packet.serial, state_->packets.origin(packet.id).message);
}

PortId StateView::next_output(SwitchId sw, std::uint32_t via, NodeId source, NodeId destination,
                              std::uint32_t serial) const {
  return output_by</*kEnds=*/true>(*state_, sw, via, source, destination, serial);
}

bool StateView::links_change() const { return !state_->links_now.empty(); }
bool StateView::is_withheld(PortId output) const { return links_change() && state_->links_now[output].held; }

std::uint64_t StateView::bytes_sent(PortId output) const { return state_->ports[output].bytes_sent; }

const Pauses* StateView::pauses() const { return state_->pauses; }
const Isolation* StateView::isolation() const { return state_->isolation.get(); }
const Overflow* StateView::overflow() const { return state_->overflow.get(); }

IsolationCounts StateView::isolation_counts() const {
  IsolationCounts sum;
  for (const State* part : parts_) {
    sum.add(part->isolation->counts());
    // the largest is that of the run (PartsOfRun)
    sum.most_active_lines = std::max(sum.most_active_lines, part->isolation->counts().most_active_lines);
  }
  return sum;
}

OverflowCounts StateView::overflow_counts() const {
  OverflowCounts sum;
  for (const State* part : parts_) sum.add(part->overflow->counts());
  return sum;
}

}  // namespace headway
