// SPDX-License-Identifier: Apache-2.0
// Finds the class and the root of every packet of a photograph, and whether it is a victim.
#include <algorithm>

#include "headway/observe/flow_census.h"
#include "headway/observe/photograph.h"

namespace headway {

// A packet waits for the root of its queue's head. If the queue moves, it waits for its own link or input.
void Camera::charge_queue(const StateView& view, std::uint32_t place,
                          const std::vector<WaitingPacket>& packets) {
  QueueSeen& seen = photograph_.queues[place];
  const PortId input = port_of_[seen.queue];
  const std::uint32_t root = root_of_[place];
  grow_tree(root, input, depth_of_[place]);

  seen.root = root;
  seen.packets = static_cast<std::uint32_t>(packets.size());
  seen.newest = {packets.back().source, packets.back().destination, packets.back().serial};
  for (std::size_t i = 0; i < packets.size(); ++i) {
    const WaitingPacket& packet = packets[i];
    const Waiting waiting = i == 0 ? seen.waiting : behind(view, seen, packet);
    ++photograph_.packets[static_cast<std::size_t>(waiting)];
    bool victim = false;
    if (waiting == Waiting::serial || waiting == Waiting::input) {
      if (i > 0 && differs(packet, seen.head)) ++photograph_.drain;
      const Root own = waiting == Waiting::serial ? holding(sends_by_[input])
                                                  : Root{RootKind::input, network_.graph_port(input)};
      const std::uint32_t charged = own == photograph_.roots[root].root ? root : root_number(own);
      ++photograph_.roots[charged].packets;
      count(view, charged, packet, true);
    } else {
      victim = charge(view, root, input, packet);
      seen.victims += victim ? 1 : 0;
    }
    const bool movable = note_request(view, seen.queue, packet, victim);
    if (waiting == Waiting::hol) {
      ++seen.hol;
      ++photograph_.hol_to[packet.destination];
      if (census_ != nullptr) census_->block({view.generator(packet.id), packet.source, packet.destination});
      photograph_.movable += movable ? 1 : 0;
    }
  }
}

void Camera::grow_tree(std::uint32_t root, PortId input, std::uint32_t depth) {
  RootSeen& seen = photograph_.roots[root];
  ++seen.tree_queues;
  seen.depth = std::max(seen.depth, depth);
  if (last_port_[root] != input) ++seen.tree_ports;
  last_port_[root] = input;
}

// Returns true if all outputs that the packet can leave by are among those of the other packet.
bool Camera::is_within(const WaitingPacket& packet, const WaitingPacket& other) const {
  if (packet.output == kNone && other.output == kNone && packet.destination == other.destination) return true;
  const auto among = [&](PortId output) {
    if (other.output != kNone) return output == other.output;
    bool found = false;
    network_.for_each_candidate(other.chooses, other.destination,
                                [&](PortId candidate) { found |= candidate == output; });
    return found;
  };
  if (packet.output != kNone) return among(packet.output);
  bool all = true;
  network_.for_each_candidate(packet.chooses, packet.destination,
                              [&](PortId output) { all = all && among(output); });
  return all;
}

bool Camera::differs(const WaitingPacket& a, const WaitingPacket& b) const {
  return !is_within(a, b) || !is_within(b, a);
}

// The class of a packet behind the head of its queue.
Waiting Camera::behind(const StateView& view, const QueueSeen& seen, const WaitingPacket& packet) const {
  const PortId input = port_of_[seen.queue];
  if (seen.waiting == Waiting::serial || seen.waiting == Waiting::input)
    return is_within(packet, {.output = sends_by_[input]}) ? Waiting::serial : Waiting::input;
  return needs_the_same(view, seen, packet) ? seen.waiting : Waiting::hol;
}

bool Camera::needs_the_same(const StateView& view, const QueueSeen& seen, const WaitingPacket& packet) const {
  const WaitingPacket& first = seen.head;
  if (first.output == kNone) return is_within(packet, first);
  if (!is_within(packet, first)) return false;
  if (seen.waiting == Waiting::output) return true;
  const std::uint32_t refusing =
      obeys_refusals(view, seen.queue) ? view.refusing(packet.output, packet.destination) : 0;
  if (seen.refusing != 0) return (seen.refusing & refusing) != 0;
  if (refusing != 0 || packet.target != first.target) return false;
  // with cells, a shorter packet can have room where the head has none
  return !network_.has_cells() || !view.has_room(port_of_[seen.queue], packet);
}

// Charges a packet of a queue that does not move; returns true if it is a victim.
bool Camera::charge(const StateView& view, std::uint32_t root, PortId input, const WaitingPacket& packet) {
  RootSeen& seen = photograph_.roots[root];
  ++seen.packets;
  const bool is_input = seen.root.kind == RootKind::input || seen.root.kind == RootKind::window;
  bool crosses = false;
  if (const PortId link = link_to_cross(seen.root); link == kNone || (is_input && input == seen.root.port)) {
    crosses = true;  // every packet crosses the root, or this packet is at the root's input
  } else if (packet.output != kNone) {
    crosses = paths_.crosses(view, network_.graph_port(packet.output), packet, link);
  } else {
    network_.for_each_candidate(packet.chooses, packet.destination, [&](PortId output) {
      crosses = crosses || paths_.can_cross(output, packet.destination, link);
    });
  }
  count(view, root, packet, crosses);
  return !crosses;
}

void Camera::count(const StateView& view, std::uint32_t root, const WaitingPacket& packet, bool crosses) {
  if (census_ != nullptr)
    census_->charge(root, {view.generator(packet.id), packet.source, packet.destination}, 1, crosses);
  count(root, packet.destination, 1, crosses);
}

void Camera::count(std::uint32_t root, NodeId destination, std::uint64_t packets, bool crosses) {
  if (crosses) {
    photograph_.culprits_to[destination] += packets;
    const Root& at = photograph_.roots[root].root;
    if (at.kind == RootKind::link && network_.is_adapter_port(at.port)) return;
    culprits_.push_back({root, destination, packets});
    return;
  }
  photograph_.roots[root].victims += packets;
  photograph_.victims += packets;
  photograph_.victims_to[destination] += packets;
}

// The link of a root: packets that cross the link cross the root. kNone: all packets that wait for the root
// cross it.
PortId Camera::link_to_cross(const Root& root) const {
  switch (root.kind) {
    case RootKind::link:
    case RootKind::crossbar:
      return root.port;
    case RootKind::input:
    case RootKind::window:
      return network_.graph.source_of(root.port);
    case RootKind::cycle:
      break;
  }
  return kNone;
}

// Notes which idle links a packet wants. Returns true if it lacks only the place at the head of its queue.
bool Camera::note_request(const StateView& view, std::uint32_t queue, const WaitingPacket& packet,
                          bool victim) {
  const PortId input = port_of_[queue];
  const bool single = packet.output != kNone;
  const bool refused =
      single && obeys_refusals(view, queue) && view.refusing(packet.output, packet.destination) != 0;
  bool movable = false;
  const auto note = [&](PortId output) {
    paths_.mark_behind(view, network_.graph_port(output), packet);
    const PortId link = link_of(output);
    if (photograph_.holders[link] != Photograph::kNobody &&
        photograph_.holders[output] != Photograph::kNobody)
      return;
    const bool room =
        !refused && (single ? view.has_room(input, packet) : view.has_room(input, packet, output));
    const bool free =
        room && photograph_.holders[output] == Photograph::kNobody && sends_by_[input] == Photograph::kNobody;
    movable |= free;
    requests_[link] |= free ? kMovable : room ? kHasRoom : victim ? kLacksRoom | kVictim : kLacksRoom;
  };
  if (single)
    note(packet.output);
  else
    network_.for_each_candidate(packet.chooses, packet.destination, note);
  return movable;
}

// The output port of the link behind an output of a device.
PortId Camera::link_of(PortId output) const {
  return output < network_.layout.graph_ports ? network_.link_port(output) : output;
}

void Camera::charge_admittance(const StateView& view) {
  photograph_.packets[static_cast<std::size_t>(Waiting::admittance)] = view.waiting_for_admittance();
  view.admittance(admittance_, census_ != nullptr ? &parts_ : nullptr);
  for (const AdmittanceView& waiting : admittance_) {
    const PortId adapter = network_.adapter_port(waiting.node);
    const auto [photograph, root, link] = entrance_of(view, waiting);
    const bool crosses = link == kNone || paths_.can_cross(adapter, waiting.destination, link);
    photograph_.roots[root].admittance += waiting.packets;
    count(root, waiting.destination, waiting.packets, crosses);
    for (std::uint32_t part = waiting.first_part; part < waiting.first_part + waiting.parts; ++part)
      census_->charge(root, {parts_[part].generator, waiting.node, waiting.destination}, parts_[part].packets,
                      crosses);
    photograph_.admittance_at[waiting.node] += waiting.packets;
    paths_.mark_behind(adapter, waiting.destination);
    if (photograph_.holders[adapter] == Photograph::kNobody)
      requests_[adapter] |= crosses ? kLacksRoom : kLacksRoom | kVictim;
  }
}

// All packets that wait for an injection queue share one entrance, unless isolation refuses them.
Camera::Entrance Camera::entrance_of(const StateView& view, const AdmittanceView& waiting) {
  if (waiting.refused) return find_entrance(view, waiting);
  Entrance& entrance = entrances_[waiting.queue - first_injection_queue_];
  if (entrance.photograph != number_) entrance = find_entrance(view, waiting);
  return entrance;
}

Camera::Entrance Camera::find_entrance(const StateView& view, const AdmittanceView& waiting) {
  const PortId adapter = network_.adapter_port(waiting.node);
  QueueSeen seen;
  // The lines may have let go of a packet that its node has not looked at since.
  const std::uint32_t lines = waiting.refused ? view.refusing(adapter, waiting.destination) : 0;
  if (lines != 0) {
    wait_for_lines(view, network_.graph.peer_of(adapter), lines, seen);
  } else {
    groups_.assign(1, group_of(waiting.queue));
    seen.next = draw_queue(view);
    if (seen.next == kNone) seen.ends_in = {RootKind::link, adapter};  // its last packet is being sent
  }
  const std::uint32_t root = seen.next == kNone ? root_number(seen.ends_in) : root_of_[place_of_[seen.next]];
  return {number_, root, link_to_cross(photograph_.roots[root].root)};
}

void Camera::sum_up_roots() {
  for (RootSeen& seen : photograph_.roots) {
    seen.tree_packets = seen.packets;
    if (seen.depth == 0) seen.tree_queues = seen.tree_ports = 0, seen.tree_packets = 0;
  }
  // Each root gets its culprits in the order of their destinations. No other sort, because there are as many
  // culprits as packets.
  by_destination_.assign(network_.nodes(), culprits_.size(),
                         [&](std::uint32_t place) { return culprits_[place].destination; });
  for (const std::uint32_t place : by_destination_.all()) {
    const Culprit& culprit = culprits_[place];
    auto& culprits = photograph_.roots[culprit.root].culprits;
    if (culprits.empty() || culprits.back().first != culprit.destination)
      culprits.emplace_back(culprit.destination, 0);
    culprits.back().second += culprit.packets;
  }
  if (census_ != nullptr) census_->end_photograph(photograph_.roots);
  put_roots_in_order();
}

void Camera::put_roots_in_order() {
  std::vector<RootSeen>& roots = photograph_.roots;
  std::vector<std::uint32_t> order;
  for (std::uint32_t r = 0; r < roots.size(); ++r)
    if (roots[r].packets + roots[r].admittance > 0) order.push_back(r);
  std::ranges::sort(order, {}, [&](std::uint32_t r) { return roots[r].root; });
  unordered_.swap(roots);
  roots.clear();
  std::vector<std::uint32_t> place(unordered_.size(), kNone);
  for (const std::uint32_t r : order) {
    place[r] = static_cast<std::uint32_t>(roots.size());
    roots.push_back(std::move(unordered_[r]));
  }
  for (QueueSeen& seen : photograph_.queues) seen.root = place[seen.root];
}

}  // namespace headway
