// SPDX-License-Identifier: Apache-2.0
#include "headway/observe/photograph.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "headway/base/error.h"
#include "headway/engine/inspect.h"

namespace headway {

Camera::Camera(const Network& network, std::uint64_t seed, FlowCensus* census)
    : network_(network),
      paths_(network),
      rng_(seed, StreamKind::photograph, 1),
      census_(census),
      port_of_(network.ports_of_queues()),
      first_injection_queue_(network.ports[network.adapter_port(0)].first_queue),
      sends_by_(network.ports.size()),
      requests_(network.ports.size()),
      place_of_(network.queues) {
  std::uint32_t injection_queues = 0;
  for (NodeId node = 0; node < network.nodes(); ++node)
    injection_queues += network.ports[network.adapter_port(node)].queues;
  entrances_.resize(injection_queues);
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
         layout.nodes * (3 * sizeof(std::uint64_t) + sizeof(std::uint32_t));
}

const Photograph& Camera::take(const StateView& view) {
  photograph_.packets = {};
  photograph_.movable = photograph_.drain = photograph_.victims = 0;
  photograph_.roots.clear();
  std::ranges::fill(photograph_.admittance_at, 0);
  std::ranges::fill(photograph_.hol_to, 0);
  std::ranges::fill(photograph_.victims_to, 0);
  std::ranges::fill(photograph_.culprits_to, 0);
  std::ranges::fill(requests_, 0);
  number_of_.clear();
  culprits_.clear();
  paths_.clear_marks();

  ++number_;
  read_transfers(view);
  view.on_links(moving_);
  photograph_.packets[static_cast<std::size_t>(Waiting::transit)] = moving_.size();
  for (const MovingPacket& packet : moving_)
    if (packet.queue != kNone)
      paths_.mark_from(view, network_.ports[port_of_[packet.queue]].owner, packet.via,
                       {packet.source, packet.destination, packet.serial});
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

// A head that lacks several things is in the class of the farthest one. If the nearest came first, a hot
// queue would seem to wait for its port if the port also serves other queues.
QueueSeen Camera::classify(const StateView& view, std::uint32_t queue, const WaitingPacket& packet) {
  const PortId input = port_of_[queue];
  QueueSeen seen{.queue = queue, .head = packet, .ends_in = {}, .newest = {}};
  if (packet.output == kNone) {
    choose_wait(view, input, seen);
    return seen;
  }
  if (obeys_refusals(view, queue)) seen.refusing = view.refusing(packet.output, packet.destination);
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

bool Camera::obeys_refusals(const StateView& view, std::uint32_t queue) const {
  return network_.isolation && view.obeys_refusals(queue - network_.ports[port_of_[queue]].first_queue);
}

// A head that has not chosen among its candidates waits for room if no candidate has room, otherwise for the
// best candidate with room.
void Camera::choose_wait(const StateView& view, PortId input, QueueSeen& seen) {
  const WaitingPacket& packet = seen.head;
  groups_.clear();
  view.targets(packet, targets_);
  for (const std::uint32_t target : targets_) groups_.push_back(group_of(target));
  PortId with_room = kNone;
  network_.for_each_candidate(packet.chooses, packet.destination, [&](PortId o) {
    if (!view.has_room(input, packet, o)) return;
    // best first: a free output, one that its own input holds, one that another input holds
    const auto rank = [&](PortId port) {
      return photograph_.holders[port] == Photograph::kNobody ? 2
             : photograph_.holders[port] == input             ? 1
                                                              : 0;
    };
    if (with_room == kNone || rank(o) > rank(with_room)) with_room = o;
  });
  // Output units grant after heads have chosen: the room that an output queue gains in this tick is seen in
  // the next tick.
  const bool not_yet = with_room != kNone && photograph_.holders[with_room] == Photograph::kNobody &&
                       sends_by_[input] == Photograph::kNobody;
  if (with_room == kNone || not_yet) return wait_for_room(view, seen);
  wait_for_port(input, with_room, seen);
}

// The queues that share room with `target`: the channels of its group, or all queues of a pooled memory. A
// single output queue, of its port or of its lane, shares room with none.
Camera::Group Camera::group_of(std::uint32_t target) const {
  const PortId at = port_of_[target];
  const Port& port = network_.ports[at];
  if (network_.is_pooled()) return {port.first_queue, port.queues};
  const bool single = network_.one_output_queue && at >= network_.layout.graph_ports;
  return {target, single ? 1 : std::min(network_.queue_map.channels, port.queues)};
}

// The head waits for room in a queue of `groups_`, drawn in proportion to the packets of the queues.
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
  std::uint64_t left = packets == 1 ? 0 : rng_.below_long(packets);
  for (const Group& group : groups_)
    for (std::uint32_t q = group.first; q < group.first + group.queues; ++q) {
      if (left < view.length(q)) return q;
      left -= view.length(q);
    }
  return kNone;
}

// The root of a wait for an empty memory. Its packets and credits are on the wire or, for an output queue,
// its slots are held until the link has sent.
Root Camera::empty_memory(PortId port) const {
  const bool sends = port >= network_.layout.graph_ports && photograph_.holders[port] != Photograph::kNobody;
  return {sends ? RootKind::link : RootKind::window, network_.graph_port(port)};
}

void Camera::wait_for_port(PortId input, PortId output, QueueSeen& seen) const {
  const std::uint32_t device = network_.ports[input].owner;
  const PortId holder = photograph_.holders[output];
  if (holder == Photograph::kNobody) {
    if (sends_by_[input] == Photograph::kNobody)
      throw InvariantError(
          fmt::format("{}: a head waits although it lacks nothing", place_of(network_, input)));
    seen.waiting = Waiting::input;
    seen.ends_in = {RootKind::input, network_.graph_port(input)};
    return;
  }
  const bool own = network_.is_switch(device) ? holder == input : network_.is_adapter(device);
  seen.waiting = own ? Waiting::serial : Waiting::output;
  seen.ends_in = holding(output);
}

// The root of packets that wait for an output of a device.
Root Camera::holding(PortId output) const {
  const bool crossbar = network_.has_output_units() && network_.is_switch(network_.ports[output].owner);
  return {crossbar ? RootKind::crossbar : RootKind::link, network_.graph_port(output)};
}

void Camera::find_roots() {
  constexpr std::uint32_t kUnknown = kNone, kOnTheWay = kNone - 1;
  root_of_.assign(occupied_.size(), kUnknown);
  depth_of_.assign(occupied_.size(), 0);
  std::vector<std::uint32_t>& path = path_;
  for (std::uint32_t start = 0; start < occupied_.size(); ++start) {
    path.clear();
    std::uint32_t at = start;
    while (root_of_[at] == kUnknown && photograph_.queues[at].next != kNone) {
      root_of_[at] = kOnTheWay;
      path.push_back(at);
      at = place_of_[photograph_.queues[at].next];
    }
    if (root_of_[at] == kOnTheWay) {  // a cycle
      const auto first = std::ranges::find(path, at);
      PortId lowest = kNone;
      for (auto it = first; it != path.end(); ++it)
        lowest = std::min(lowest, network_.graph_port(port_of_[occupied_[*it]]));
      const std::uint32_t root = root_number({RootKind::cycle, lowest});
      for (auto it = first; it != path.end(); ++it) {
        root_of_[*it] = root;
        depth_of_[*it] = static_cast<std::uint32_t>(path.end() - first);
      }
      path.erase(first, path.end());
    } else if (root_of_[at] == kUnknown) {
      root_of_[at] = root_number(photograph_.queues[at].ends_in);
    }
    for (; !path.empty(); path.pop_back()) {
      root_of_[path.back()] = root_of_[at];
      depth_of_[path.back()] = depth_of_[at] + 1;
      at = path.back();
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

void Camera::classify_links() {
  for (PortId port = 0; port < photograph_.links.size(); ++port) {
    if (network_.graph.peer_of(port) == kNone) continue;
    const PortId link = link_of(port);
    LinkTime& time = photograph_.links[port];
    const std::uint8_t requests = requests_[link];
    if (photograph_.holders[link] != Photograph::kNobody)
      time = photograph_.holders[link] == Photograph::kFeedback ? LinkTime::feedback : LinkTime::busy;
    else if (requests == 0)
      time = paths_.is_marked(port) ? LinkTime::starved : LinkTime::unwanted;
    else if ((requests & kMovable) != 0)
      time = LinkTime::lost_hol;
    else if ((requests & kHasRoom) != 0)
      time = LinkTime::lost_input;
    else
      time = (requests & kVictim) != 0 ? LinkTime::lost_room : LinkTime::throttled;
  }
}

}  // namespace headway
