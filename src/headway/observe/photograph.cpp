// SPDX-License-Identifier: Apache-2.0
#include "headway/observe/photograph.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "headway/base/error.h"
#include "headway/engine/inspect.h"
#include "headway/observe/flow_census.h"

namespace headway {

Camera::Camera(const Network& network, std::uint64_t seed, FlowCensus* census)
    : network_(network),
      paths_(network),
      rng_(seed, StreamKind::photograph, 1),
      census_(census),
      port_of_(network.queues),
      first_injection_queue_(network.ports[network.adapter_port(0)].first_queue),
      sends_by_(network.ports.size()),
      wishes_(network.ports.size()),
      place_of_(network.queues) {
  std::uint32_t injection_queues = 0;
  for (NodeId node = 0; node < network.nodes(); ++node)
    injection_queues += network.ports[network.adapter_port(node)].queues;
  entrances_.resize(injection_queues);
  for (PortId id = 0; id < network.ports.size(); ++id)
    std::fill_n(port_of_.begin() + network.ports[id].first_queue, network.ports[id].queues, id);
  photograph_.holders.resize(network.ports.size());
  photograph_.links.resize(network.graph.ports());
  photograph_.admittance_at.resize(network.nodes());
  photograph_.hol_to.resize(network.nodes());
  photograph_.victims_to.resize(network.nodes());
  photograph_.culprits_to.resize(network.nodes());
}

std::uint64_t Camera::bytes(const Layout& layout) {
  constexpr std::uint64_t kPerPort = 2 * sizeof(PortId) + sizeof(std::uint8_t) + sizeof(LinkTime);
  constexpr std::uint64_t kPerQueue = 2 * sizeof(std::uint32_t);
  return Paths::bytes(layout) + layout.ports * kPerPort + layout.queues * kPerQueue +
         layout.nodes * 4 * sizeof(std::uint32_t);
}

const Photograph& Camera::take(const StateView& view) {
  photograph_.packets = {};
  photograph_.movable = photograph_.drain = photograph_.victims = 0;
  photograph_.roots.clear();
  std::ranges::fill(photograph_.admittance_at, 0);
  std::ranges::fill(photograph_.hol_to, 0);
  std::ranges::fill(photograph_.victims_to, 0);
  std::ranges::fill(photograph_.culprits_to, 0);
  std::ranges::fill(wishes_, 0);
  number_of_.clear();
  culprits_.clear();
  paths_.clear_marks();

  ++number_;
  read_transfers(view);
  view.on_links(moving_);
  photograph_.packets[static_cast<std::size_t>(Waiting::transit)] = moving_.size();
  for (const MovingPacket& packet : moving_)
    if (packet.queue != kNone)
      paths_.mark_from(network_.ports[port_of_[packet.queue]].owner, packet.destination);
  read_heads(view);
  find_roots();
  last_port_.assign(photograph_.roots.size(), kNone);
  const std::span<const std::uint32_t> occupied(occupied_);
  for (std::size_t place = 0; place < occupied.size(); place += packets_.size()) {
    const auto queues = occupied.subspan(place, std::min(packets_.size(), occupied.size() - place));
    view.packets(queues, packets_);
    for (std::size_t i = 0; i < queues.size(); ++i)
      charge_queue(view, static_cast<std::uint32_t>(place + i), packets_[i]);
  }
  charge_admittance(view);
  sum_up_roots();
  classify_links();
  return photograph_;
}

void Camera::read_transfers(const StateView& view) {
  std::ranges::fill(photograph_.holders, Photograph::kNobody);
  std::ranges::fill(sends_by_, Photograph::kNobody);
  view.transfers(transfers_);
  for (const Transfer& transfer : transfers_) {
    photograph_.holders[transfer.output] = transfer.input == kNone ? Photograph::kFeedback : transfer.input;
    if (transfer.input != kNone) sends_by_[transfer.input] = transfer.output;
  }
}

void Camera::read_heads(const StateView& view) {
  occupied_.clear();
  photograph_.queues.clear();
  WaitingPacket packet;
  for (std::uint32_t queue = 0; queue < network_.queues; ++queue) {
    if (!view.head(queue, packet)) continue;
    place_of_[queue] = static_cast<std::uint32_t>(occupied_.size());
    occupied_.push_back(queue);
    photograph_.queues.push_back(classify(view, queue, packet));
  }
}

// Of several things that it lacks, the farthest: if the nearest came first, a hot queue whose port serves
// other queues, too, would seem to wait for its port.
QueueSeen Camera::classify(const StateView& view, std::uint32_t queue, const WaitingPacket& packet) {
  const PortId input = port_of_[queue];
  QueueSeen seen{.queue = queue, .head = packet, .ends_in = {}, .newest = {}};
  if (packet.output == kNone) {
    choose_wait(view, input, seen);
    return seen;
  }
  if (heeds(view, queue)) seen.refusing = view.refusing(packet.output, packet.destination);
  if (seen.refusing != 0) {
    wait_for_lines(view, network_.graph.peer_of(packet.output), seen.refusing, seen);
  } else if (!view.has_room(input, packet)) {
    groups_.assign(1, group_of(packet.target));
    wait_for_room(view, seen);
  } else {
    wait_for_port(input, packet.output, seen);
  }
  return seen;
}

bool Camera::heeds(const StateView& view, std::uint32_t queue) const {
  return network_.isolation && view.heeds_refusals(queue - network_.ports[port_of_[queue]].first_queue);
}

// A head that has not chosen among its candidates waits for room if none has any, else for the best of those
// that have.
void Camera::choose_wait(const StateView& view, PortId input, QueueSeen& seen) {
  const WaitingPacket& packet = seen.head;
  groups_.clear();
  PortId with_room = kNone;
  for (PortId o = packet.first_candidate; o < packet.first_candidate + packet.candidates; ++o) {
    groups_.push_back(group_of(view.target_of(packet, o)));
    if (!view.has_room(packet, o)) continue;
    // a free output is better than one that its own input holds, and that is better than another's
    const auto rank = [&](PortId port) {
      return photograph_.holders[port] == Photograph::kNobody ? 2
             : photograph_.holders[port] == input             ? 1
                                                              : 0;
    };
    if (with_room == kNone || rank(o) > rank(with_room)) with_room = o;
  }
  // Output units grant after heads have chosen: the room of an output queue that has become shorter in this
  // tick is seen in the next one.
  const bool not_yet = with_room != kNone && photograph_.holders[with_room] == Photograph::kNobody &&
                       sends_by_[input] == Photograph::kNobody;
  if (with_room == kNone || not_yet) return wait_for_room(view, seen);
  wait_for_port(input, with_room, seen);
}

// The queues that share the room of one: the channels of its group, or all queues of a pooled memory.
Camera::Group Camera::group_of(std::uint32_t target) const {
  const Port& port = network_.ports[port_of_[target]];
  if (network_.is_pooled()) return {port.first_queue, port.queues};
  return {target, std::min(network_.queue_map.channels, port.queues)};
}

// In one of `groups_`, drawn in proportion to its packets.
void Camera::wait_for_room(const StateView& view, QueueSeen& seen) {
  seen.waiting = Waiting::room;
  seen.next = draw_queue(view);
  if (seen.next == kNone) seen.ends_in = empty_memory(port_of_[groups_.front().first]);
}

void Camera::wait_for_lines(const StateView& view, PortId behind, std::uint32_t lines, QueueSeen& seen) {
  groups_.clear();
  for (std::uint32_t line = 0; lines >> line != 0; ++line)
    if ((lines >> line & 1) != 0) groups_.push_back({network_.ports[behind].first_queue + 1 + line, 1});
  wait_for_room(view, seen);
}

std::uint32_t Camera::draw_queue(const StateView& view) {
  std::uint64_t packets = 0;
  for (const Group& group : groups_)
    for (std::uint32_t q = group.first; q < group.first + group.queues; ++q) packets += view.length(q);
  if (packets == 0) return kNone;
  if (groups_.size() == 1 && groups_.front().queues == 1) return groups_.front().first;
  std::uint64_t left = packets == 1 ? 0 : rng_.below(packets);
  for (const Group& group : groups_)
    for (std::uint32_t q = group.first; q < group.first + group.queues; ++q) {
      if (left < view.length(q)) return q;
      left -= view.length(q);
    }
  return kNone;
}

// Nothing is in it, so its slots are on the wire, or, of an output queue, held until the link has sent.
Root Camera::empty_memory(PortId port) const {
  const bool sends = port >= network_.layout.graph_ports && photograph_.holders[port] != Photograph::kNobody;
  return {sends ? RootKind::link : RootKind::window, graph_port(port)};
}

void Camera::wait_for_port(PortId input, PortId output, QueueSeen& seen) const {
  const std::uint32_t device = network_.ports[input].owner;
  const PortId holder = photograph_.holders[output];
  if (holder == Photograph::kNobody) {
    if (sends_by_[input] == Photograph::kNobody)
      throw InvariantError(
          fmt::format("{}: a head waits although it lacks nothing", place_of(network_, input)));
    seen.waiting = Waiting::input;
    seen.ends_in = {RootKind::input, graph_port(input)};
    return;
  }
  const bool own = network_.is_switch(device) ? holder == input : network_.is_adapter(device);
  seen.waiting = own ? Waiting::serial : Waiting::output;
  seen.ends_in = holding(output);
}

// The root of what waits for an output of a device.
Root Camera::holding(PortId output) const {
  const bool crossbar = network_.has_output_units() && network_.is_switch(network_.ports[output].owner);
  return {crossbar ? RootKind::crossbar : RootKind::link, graph_port(output)};
}

PortId Camera::graph_port(PortId port) const {
  return port < network_.layout.graph_ports ? port : network_.ports[port].source;
}

void Camera::find_roots() {
  constexpr std::uint32_t kUnknown = kNone, kOnTheWay = kNone - 1;
  root_of_.assign(occupied_.size(), kUnknown);
  depth_of_.assign(occupied_.size(), 0);
  std::vector<std::uint32_t>& way = way_;
  for (std::uint32_t start = 0; start < occupied_.size(); ++start) {
    way.clear();
    std::uint32_t at = start;
    while (root_of_[at] == kUnknown && photograph_.queues[at].next != kNone) {
      root_of_[at] = kOnTheWay;
      way.push_back(at);
      at = place_of_[photograph_.queues[at].next];
    }
    if (root_of_[at] == kOnTheWay) {  // it waits for itself
      const auto first = std::ranges::find(way, at);
      PortId lowest = kNone;
      for (auto it = first; it != way.end(); ++it)
        lowest = std::min(lowest, graph_port(port_of_[occupied_[*it]]));
      const std::uint32_t root = root_number({RootKind::cycle, lowest});
      for (auto it = first; it != way.end(); ++it) {
        root_of_[*it] = root;
        depth_of_[*it] = static_cast<std::uint32_t>(way.end() - first);
      }
      way.erase(first, way.end());
    } else if (root_of_[at] == kUnknown) {
      root_of_[at] = root_number(photograph_.queues[at].ends_in);
    }
    for (; !way.empty(); way.pop_back()) {
      root_of_[way.back()] = root_of_[at];
      depth_of_[way.back()] = depth_of_[at] + 1;
      at = way.back();
    }
  }
}

std::uint32_t Camera::root_number(const Root& root) {
  const std::uint64_t key = std::uint64_t{root.port} << 8 | static_cast<std::uint8_t>(root.kind);
  const auto [found, fresh] =
      number_of_.try_emplace(key, static_cast<std::uint32_t>(photograph_.roots.size()));
  if (fresh) photograph_.roots.push_back({.root = root, .culprits = {}});
  return found->second;
}

// A packet waits for the root of its queue's head, unless the queue moves: then for its own link or input.
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
      const Root own =
          waiting == Waiting::serial ? holding(sends_by_[input]) : Root{RootKind::input, graph_port(input)};
      const std::uint32_t charged = own == photograph_.roots[root].root ? root : root_number(own);
      ++photograph_.roots[charged].packets;
      count(charged, packet.source, packet.destination, 1, true);
    } else {
      victim = charge(view, root, input, packet);
      seen.victims += victim ? 1 : 0;
    }
    const bool movable = note_wish(view, seen.queue, packet, victim);
    if (waiting == Waiting::hol) {
      ++seen.hol;
      ++photograph_.hol_to[packet.destination];
      if (census_ != nullptr) census_->block(packet.source, packet.destination);
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

bool Camera::differs(const WaitingPacket& a, const WaitingPacket& b) {
  return a.output != b.output || a.first_candidate != b.first_candidate || a.candidates != b.candidates;
}

// A packet behind the head of its queue.
Waiting Camera::behind(const StateView& view, const QueueSeen& seen, const WaitingPacket& packet) const {
  const PortId input = port_of_[seen.queue];
  if (seen.waiting == Waiting::serial || seen.waiting == Waiting::input)
    return packet.output == sends_by_[input] ? Waiting::serial : Waiting::input;
  return needs_the_same(view, seen, packet) ? seen.waiting : Waiting::hol;
}

bool Camera::needs_the_same(const StateView& view, const QueueSeen& seen, const WaitingPacket& packet) const {
  const WaitingPacket& first = seen.head;
  if (first.output == kNone) {  // all options of the packet are among those of the head
    const PortId begin = packet.output == kNone ? packet.first_candidate : packet.output;
    const std::uint32_t count = packet.output == kNone ? packet.candidates : 1;
    return begin >= first.first_candidate && begin + count <= first.first_candidate + first.candidates;
  }
  if (packet.output != first.output) return false;
  if (seen.waiting == Waiting::output) return true;
  const std::uint32_t refusing =
      heeds(view, seen.queue) ? view.refusing(packet.output, packet.destination) : 0;
  if (seen.refusing != 0) return (seen.refusing & refusing) != 0;
  return refusing == 0 && packet.target == first.target;
}

// Charges a packet that has not moved yet; returns whether it is a victim.
bool Camera::charge(const StateView& view, std::uint32_t root, PortId input, const WaitingPacket& packet) {
  RootSeen& seen = photograph_.roots[root];
  ++seen.packets;
  const bool is_input = seen.root.kind == RootKind::input || seen.root.kind == RootKind::window;
  bool crosses = false;
  if (const PortId link = link_to_cross(seen.root); link == kNone || (is_input && input == seen.root.port)) {
    crosses = true;  // it may be in that very input
  } else if (packet.output != kNone) {
    crosses = paths_.crosses(view, graph_port(packet.output), packet.source, packet.destination,
                             packet.serial, link);
  } else {
    for (PortId o = packet.first_candidate; o < packet.first_candidate + packet.candidates && !crosses; ++o)
      crosses = paths_.can_cross(o, packet.destination, link);
  }
  count(root, packet.source, packet.destination, 1, crosses);
  return !crosses;
}

void Camera::count(std::uint32_t root, NodeId source, NodeId destination, std::uint32_t packets,
                   bool crosses) {
  if (census_ != nullptr) census_->charge(root, source, destination, packets, crosses);
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

// What crosses a root crosses this link; kNone: everything that waits for it.
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

// A packet that wants an idle link. Returns true if it lacks nothing but the place at the head of its queue.
bool Camera::note_wish(const StateView& view, std::uint32_t queue, const WaitingPacket& packet, bool victim) {
  const PortId input = port_of_[queue];
  const bool single = packet.output != kNone;
  const PortId first = single ? packet.output : packet.first_candidate;
  const std::uint32_t count = single ? 1 : packet.candidates;
  const bool refused = single && heeds(view, queue) && view.refusing(packet.output, packet.destination) != 0;
  bool movable = false;
  for (PortId output = first; output < first + count; ++output) {
    paths_.mark_behind(graph_port(output), packet.destination);
    const PortId link = link_of(output);
    if (photograph_.holders[link] != Photograph::kNobody &&
        photograph_.holders[output] != Photograph::kNobody)
      continue;
    const bool room = !refused && (single ? view.has_room(input, packet) : view.has_room(packet, output));
    const bool free =
        room && photograph_.holders[output] == Photograph::kNobody && sends_by_[input] == Photograph::kNobody;
    movable |= free;
    wishes_[link] |= free ? kMovable : room ? kHasRoom : victim ? kLacksRoom | kVictim : kLacksRoom;
  }
  return movable;
}

// The output port of the link behind an output of a device.
PortId Camera::link_of(PortId output) const {
  return output < network_.layout.graph_ports ? network_.link_port(output) : output;
}

void Camera::charge_admittance(const StateView& view) {
  photograph_.packets[static_cast<std::size_t>(Waiting::admittance)] = view.waiting_for_admittance();
  view.admittance(admittance_);
  for (const AdmittanceView& waiting : admittance_) {
    const PortId adapter = network_.adapter_port(waiting.node);
    const auto [photograph, root, link] = entrance_of(view, waiting);
    const bool crosses = link == kNone || paths_.can_cross(adapter, waiting.destination, link);
    photograph_.roots[root].admittance += waiting.packets;
    count(root, waiting.node, waiting.destination, waiting.packets, crosses);
    photograph_.admittance_at[waiting.node] += waiting.packets;
    paths_.mark_behind(adapter, waiting.destination);
    if (photograph_.holders[adapter] == Photograph::kNobody)
      wishes_[adapter] |= crosses ? kLacksRoom : kLacksRoom | kVictim;
  }
}

// One for all packets that wait for an injection queue, unless isolation refuses them.
Camera::Entrance Camera::entrance_of(const StateView& view, const AdmittanceView& waiting) {
  if (waiting.refused) return find_entrance(view, waiting);
  Entrance& entrance = entrances_[waiting.queue - first_injection_queue_];
  if (entrance.photograph != number_) entrance = find_entrance(view, waiting);
  return entrance;
}

Camera::Entrance Camera::find_entrance(const StateView& view, const AdmittanceView& waiting) {
  const PortId adapter = network_.adapter_port(waiting.node);
  QueueSeen seen;
  if (waiting.refused) {
    wait_for_lines(view, network_.graph.peer_of(adapter), view.refusing(adapter, waiting.destination), seen);
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
  sort_culprits();
  for (const Culprit& culprit : culprits_) {
    auto& culprits = photograph_.roots[culprit.root].culprits;
    if (culprits.empty() || culprits.back().first != culprit.destination)
      culprits.emplace_back(culprit.destination, 0);
    culprits.back().second += culprit.packets;
  }
  if (census_ != nullptr) census_->end_photograph(photograph_.roots);
  put_roots_in_order();
}

// By destination: a counting sort, because there are as many as packets. Each root takes its own in this
// order.
void Camera::sort_culprits() {
  places_.assign(network_.nodes() + 1, 0);
  for (const Culprit& culprit : culprits_) ++places_[culprit.destination + 1];
  for (NodeId node = 0; node < network_.nodes(); ++node) places_[node + 1] += places_[node];
  sorted_culprits_.resize(culprits_.size());
  for (const Culprit& culprit : culprits_) sorted_culprits_[places_[culprit.destination]++] = culprit;
  culprits_.swap(sorted_culprits_);
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

void Camera::classify_links() {
  for (PortId port = 0; port < photograph_.links.size(); ++port) {
    if (network_.graph.peer_of(port) == kNone) continue;
    const PortId link = link_of(port);
    LinkTime& time = photograph_.links[port];
    const std::uint8_t wishes = wishes_[link];
    if (photograph_.holders[link] != Photograph::kNobody)
      time = photograph_.holders[link] == Photograph::kFeedback ? LinkTime::feedback : LinkTime::busy;
    else if (wishes == 0)
      time = paths_.is_marked(port) ? LinkTime::starved : LinkTime::unwanted;
    else if ((wishes & kMovable) != 0)
      time = LinkTime::lost_hol;
    else if ((wishes & kHasRoom) != 0)
      time = LinkTime::lost_input;
    else
      time = (wishes & kVictim) != 0 ? LinkTime::lost_room : LinkTime::throttled;
  }
}

}  // namespace headway
