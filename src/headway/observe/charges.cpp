// SPDX-License-Identifier: Apache-2.0
#include "headway/observe/charges.h"

#include <algorithm>
#include <span>

#include "headway/observe/flow_census.h"

namespace headway {

Charges::Charges(const Network& network, HeadWaits& heads, WaitRoots& roots, FlowCensus* census)
    : network_(network),
      heads_(heads),
      roots_(roots),
      census_(census),
      paths_(network),
      first_injection_queue_(network.ports[network.adapter_port(0)].first_queue),
      requests_(network.ports.size()) {
  std::uint32_t injection_queues = 0;
  for (NodeId node = 0; node < network.nodes(); ++node)
    injection_queues += network.ports[network.adapter_port(node)].queues;
  entrances_.resize(injection_queues);
}

std::uint64_t Charges::bytes(const Layout& layout) {
  return Paths::bytes(layout) + layout.ports * sizeof(std::uint8_t);
}

void Charges::charge(const StateView& view, Photograph& photograph) {
  photograph_ = &photograph;
  ++number_;
  std::ranges::fill(requests_, 0);
  culprits_.clear();
  paths_.clear_marks();
  view.on_links(moving_);
  photograph.packets[static_cast<std::size_t>(Waiting::transit)] = moving_.size();
  if (census_ != nullptr) census_->pass(view, moving_);
  charge_receive_memory(view);
  for (const MovingPacket& packet : moving_)
    if (packet.queue != kNone)
      paths_.mark_from(view, network_.ports[heads_.port_of(packet.queue)].owner, packet.via,
                       {packet.source, packet.destination, packet.serial});
  std::array<std::uint32_t, StateView::kQueuesAtOnce> numbers;
  const std::span<QueueSeen> all(photograph.queues);
  for (std::size_t place = 0; place < all.size(); place += numbers.size()) {
    const auto queues = all.subspan(place, std::min(numbers.size(), all.size() - place));
    std::ranges::transform(queues, numbers.begin(), &QueueSeen::queue);
    view.packets(std::span(numbers).first(queues.size()), packets_);
    for (std::size_t i = 0; i < queues.size(); ++i) charge_queue(view, queues[i], packets_[i]);
  }
  charge_admittance(view);
}

// A packet waits for the root of its queue's head. If the queue moves, it waits for its own link or input.
void Charges::charge_queue(const StateView& view, QueueSeen& seen,
                           const std::vector<WaitingPacket>& packets) {
  const PortId input = heads_.port_of(seen.queue);
  const std::uint32_t root = seen.root;
  seen.packets = static_cast<std::uint32_t>(packets.size());
  seen.newest = {packets.back().source, packets.back().destination, packets.back().serial};
  for (std::size_t i = 0; i < packets.size(); ++i) {
    const WaitingPacket& packet = packets[i];
    const Waiting waiting = i == 0 ? seen.waiting : behind(view, seen, packet);
    ++photograph_->packets[static_cast<std::size_t>(waiting)];
    bool victim = false;
    if (waiting == Waiting::serial || waiting == Waiting::input) {
      if (i > 0 && differs(packet, seen.head)) ++photograph_->drain;
      const Root own = waiting == Waiting::serial ? heads_.holding(photograph_->sends_by[input])
                                                  : Root{RootKind::input, network_.graph_port(input)};
      const std::uint32_t charged =
          own == photograph_->roots[root].root ? root : roots_.number(own, *photograph_);
      ++photograph_->roots[charged].packets;
      count(view, charged, waiting, packet, true);
    } else {
      victim = charge(view, root, waiting, input, packet);
      seen.victims += victim ? 1 : 0;
    }
    const bool movable = note_request(view, seen.queue, packet, victim);
    if (waiting == Waiting::hol) {
      ++seen.hol;
      ++photograph_->hol_to[packet.destination];
      photograph_->movable += movable ? 1 : 0;
    }
  }
}

// Packets in the memory of a slow node have crossed their root.
void Charges::charge_receive_memory(const StateView& view) {
  view.in_receive_memory(received_);
  photograph_->packets[static_cast<std::size_t>(Waiting::output)] += received_.size();
  for (const WaitingPacket& packet : received_) {
    const Root root{RootKind::receiver, network_.adapter_port(packet.destination)};
    const std::uint32_t charged = roots_.number(root, *photograph_);
    ++photograph_->roots[charged].packets;
    count(view, charged, Waiting::output, packet, true);
  }
}

// Returns true if all outputs that the packet can leave by are among those of the other packet.
bool Charges::is_within(const WaitingPacket& packet, const WaitingPacket& other) const {
  if (packet.output == kNone && other.output == kNone && packet.destination == other.destination &&
      packet.kept == other.kept)
    return true;
  const auto among = [&](PortId output) {
    if (other.output != kNone) return output == other.output;
    bool found = false;
    for_each_choice(network_, other, [&](PortId candidate) { found |= candidate == output; });
    return found;
  };
  if (packet.output != kNone) return among(packet.output);
  bool all = true;
  for_each_choice(network_, packet, [&](PortId output) { all = all && among(output); });
  return all;
}

bool Charges::differs(const WaitingPacket& a, const WaitingPacket& b) const {
  return !is_within(a, b) || !is_within(b, a);
}

// The class of a packet behind the head of its queue.
Waiting Charges::behind(const StateView& view, const QueueSeen& seen, const WaitingPacket& packet) const {
  const PortId input = heads_.port_of(seen.queue);
  if (seen.waiting == Waiting::serial || seen.waiting == Waiting::input)
    return is_within(packet, {.output = photograph_->sends_by[input]}) ? Waiting::serial : Waiting::input;
  return needs_the_same(view, seen, packet) ? seen.waiting : Waiting::hol;
}

bool Charges::needs_the_same(const StateView& view, const QueueSeen& seen,
                             const WaitingPacket& packet) const {
  const WaitingPacket& first = seen.head;
  if (first.output == kNone) return is_within(packet, first);
  if (!is_within(packet, first)) return false;
  if (seen.waiting == Waiting::output) return true;
  const std::uint32_t refusing =
      heads_.obeys_refusals(view, seen.queue) ? view.refusing(packet.output, packet.destination) : 0;
  if (seen.refusing != 0) return (seen.refusing & refusing) != 0;
  if (refusing != 0 || !heads_.share_room(packet.target, first.target)) return false;
  // with cells, a shorter packet can have room where the head has none
  return !network_.has_cells() || !view.has_room(heads_.port_of(seen.queue), packet);
}

// Charges a packet of a queue that does not move; returns true if it is a victim.
bool Charges::charge(const StateView& view, std::uint32_t root, Waiting waiting, PortId input,
                     const WaitingPacket& packet) {
  RootSeen& seen = photograph_->roots[root];
  ++seen.packets;
  const bool is_culprit = crosses(view, seen.root, input, packet);
  count(view, root, waiting, packet, is_culprit);
  return !is_culprit;
}

bool Charges::crosses(const StateView& view, const Root& root, PortId input, const WaitingPacket& packet) {
  const bool is_input = root.kind == RootKind::input || root.kind == RootKind::window;
  const PortId link = link_to_cross(root);
  // every packet crosses the root, or this packet is at the root's input
  if (link == kNone || (is_input && input == root.port)) return true;
  if (packet.output != kNone) return paths_.crosses(view, network_.graph_port(packet.output), packet, link);
  bool can = false;
  for_each_choice(network_, packet,
                  [&](PortId output) { can = can || paths_.can_cross(output, packet.destination, link); });
  return can;
}

bool Charges::crosses(const Root& root, const AdmittanceView& waiting) {
  const PortId link = link_to_cross(root);
  return link == kNone || paths_.can_cross(network_.adapter_port(waiting.node), waiting.destination, link);
}

void Charges::count(const StateView& view, std::uint32_t root, Waiting waiting, const WaitingPacket& packet,
                    bool crosses) {
  if (census_ != nullptr)
    census_->charge(root, waiting, {view.generator(packet.id), packet.source, packet.destination}, 1,
                    crosses);
  count(root, packet.destination, 1, crosses);
}

void Charges::count(std::uint32_t root, NodeId destination, std::uint64_t packets, bool crosses) {
  if (crosses) {
    photograph_->culprits_to[destination] += packets;
    const Root& at = photograph_->roots[root].root;
    if ((at.kind == RootKind::link || at.kind == RootKind::outage) && network_.is_adapter_port(at.port))
      return;
    culprits_.push_back({root, destination, packets});
    return;
  }
  photograph_->roots[root].victims += packets;
  photograph_->victims += packets;
  photograph_->victims_to[destination] += packets;
}

// The link of a root: packets that cross the link cross the root. kNone: all packets that wait for the root
// cross it.
PortId Charges::link_to_cross(const Root& root) const {
  switch (root.kind) {
    case RootKind::link:
    case RootKind::crossbar:
    case RootKind::outage:
      return root.port;
    case RootKind::input:
    case RootKind::window:
    case RootKind::limiter:
    case RootKind::receiver:
      return network_.graph.source_of(root.port);
    case RootKind::cycle:
      break;
  }
  return kNone;
}

// Notes which idle links a packet wants. Returns true if it lacks only the place at the head of its queue.
bool Charges::note_request(const StateView& view, std::uint32_t queue, const WaitingPacket& packet,
                           bool victim) {
  const PortId input = heads_.port_of(queue);
  const bool single = packet.output != kNone;
  const bool refused =
      single && heads_.obeys_refusals(view, queue) && view.refusing(packet.output, packet.destination) != 0;
  bool movable = false;
  const auto note = [&](PortId output) {
    paths_.mark_behind(view, network_.graph_port(output), packet);
    const PortId link = link_of(output);
    if (!photograph_->is_free(link) && !photograph_->is_free(output)) return;
    const bool room =
        !refused && (single ? view.has_room(input, packet) : view.has_room(input, packet, output));
    const bool free = room && photograph_->is_free(output) && photograph_->is_idle(input);
    movable |= free;
    requests_[link] |= free ? kMovable : room ? kHasRoom : victim ? kLacksRoom | kVictim : kLacksRoom;
  };
  if (single)
    note(packet.output);
  else
    for_each_choice(network_, packet, note);
  return movable;
}

// The output port of the link behind an output of a device.
PortId Charges::link_of(PortId output) const {
  return output < network_.layout.graph_ports ? network_.link_port(output) : output;
}

void Charges::charge_admittance(const StateView& view) {
  const bool by_generator = census_ != nullptr && census_->tells_flows_apart();
  view.admittance(admittance_, by_generator ? &generated_ : nullptr);
  for (const AdmittanceView& waiting : admittance_) {
    const PortId adapter = network_.adapter_port(waiting.node);
    const auto [photograph, root, link] = entrance_of(view, waiting);
    const bool crosses = link == kNone || paths_.can_cross(adapter, waiting.destination, link);
    const Waiting why = waiting.limited ? Waiting::limited : Waiting::admittance;
    photograph_->packets[static_cast<std::size_t>(why)] += waiting.packets;
    photograph_->roots[root].admittance += waiting.packets;
    count(root, waiting.destination, waiting.packets, crosses);
    for (const GeneratedPackets& each :
         std::span(generated_).subspan(waiting.first_generated, waiting.generated))
      census_->charge(root, why, {each.generator, waiting.node, waiting.destination}, each.packets, crosses);
    if (census_ != nullptr && !by_generator)
      census_->charge(root, why, {0, waiting.node, waiting.destination}, waiting.packets, crosses);
    photograph_->admittance_at[waiting.node] += waiting.packets;
    paths_.mark_behind(adapter, waiting.destination);
    // a link is not idle for lack of room if its packets may not be sent
    if (!waiting.limited && photograph_->is_free(adapter))
      requests_[adapter] |= crosses ? kLacksRoom : kLacksRoom | kVictim;
  }
}

// All packets that wait for an injection queue share one entrance, unless isolation refuses them.
Charges::Entrance Charges::entrance_of(const StateView& view, const AdmittanceView& waiting) {
  if (waiting.limited) {
    const Root limiter{RootKind::limiter, network_.adapter_port(waiting.node)};
    return {number_, roots_.number(limiter, *photograph_), kNone};
  }
  if (waiting.refused) return find_entrance(view, waiting);
  Entrance& entrance = entrances_[waiting.queue - first_injection_queue_];
  if (entrance.photograph != number_) entrance = find_entrance(view, waiting);
  return entrance;
}

Charges::Entrance Charges::find_entrance(const StateView& view, const AdmittanceView& waiting) {
  const QueueSeen seen = heads_.entrance(view, waiting);
  const std::uint32_t root = seen.next == kNone ? roots_.number(seen.ends_in, *photograph_)
                                                : photograph_->queues[heads_.place_of(seen.next)].root;
  return {number_, root, link_to_cross(photograph_->roots[root].root)};
}

// Each root gets its culprits in the order of their destinations. No other sort, because there are as many
// culprits as packets.
void Charges::list_culprits(Photograph& photograph) {
  by_destination_.assign(network_.nodes(), culprits_.size(),
                         [&](std::uint32_t place) { return culprits_[place].destination; });
  for (const std::uint32_t place : by_destination_.all()) {
    const Culprit& culprit = culprits_[place];
    auto& culprits = photograph.roots[culprit.root].culprits;
    if (culprits.empty() || culprits.back().first != culprit.destination)
      culprits.emplace_back(culprit.destination, 0);
    culprits.back().second += culprit.packets;
  }
}

LinkTime Charges::time_of(PortId port, const Photograph& photograph) const {
  const PortId link = link_of(port);
  const std::uint8_t requests = requests_[link];
  if (photograph.holders[link] == Photograph::kDown) return LinkTime::down;
  if (!photograph.is_free(link))
    return photograph.holders[link] == Photograph::kFeedback ? LinkTime::feedback : LinkTime::busy;
  if (requests == 0) return paths_.is_marked(port) ? LinkTime::starved : LinkTime::unwanted;
  if ((requests & kMovable) != 0) return LinkTime::lost_hol;
  if ((requests & kHasRoom) != 0) return LinkTime::lost_input;
  return (requests & kVictim) != 0 ? LinkTime::lost_room : LinkTime::throttled;
}

}  // namespace headway
