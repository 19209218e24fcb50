// SPDX-License-Identifier: Apache-2.0
#include "headway/observe/head_waits.h"

#include <fmt/format.h>

#include <algorithm>

#include "headway/base/error.h"
#include "headway/engine/inspect.h"

namespace headway {

HeadWaits::HeadWaits(const Network& network, std::uint64_t seed)
    : network_(network),
      rng_(seed, StreamKind::photograph, 1),
      port_of_(network.ports_of_queues()),
      place_of_(network.queues) {}

void HeadWaits::read(const StateView& view, Photograph& photograph) {
  photograph_ = &photograph;
  singly_.reset();
  std::ranges::fill(photograph.holders, Photograph::kNobody);
  std::ranges::fill(photograph.sends_by, Photograph::kNobody);
  view.transfers(transfers_);
  for (const Transfer& transfer : transfers_)
    photograph.note(transfer.input, transfer.holds_input, transfer.output, transfer.holds_output);
  for (PortId port = 0; view.links_change() && port < photograph.holders.size(); ++port)
    if (photograph.is_free(port) && view.is_withheld(port)) photograph.holders[port] = Photograph::kDown;
  photograph.queues.clear();
  WaitingPacket packet;
  for (std::uint32_t queue = 0; queue < network_.queues; ++queue) {
    if (!view.head(queue, packet)) continue;
    place_of_[queue] = static_cast<std::uint32_t>(photograph.queues.size());
    photograph.queues.push_back(classify(view, queue, packet));
  }
}

void HeadWaits::begin(const StateView& view, Photograph& photograph) {
  photograph_ = &photograph;
  singly_ = view;
  seen_.clear();
}

QueueSeen HeadWaits::look_at(std::uint32_t queue) {
  see(network_.ports[port_of_[queue]].owner);
  WaitingPacket packet;
  singly_->head(queue, packet);
  return classify(*singly_, queue, packet);
}

void HeadWaits::see(std::uint32_t device) {
  if (std::ranges::find(seen_, device) != seen_.end()) return;
  seen_.push_back(device);
  const PortId first = network_.first_port[device], end = network_.first_port[device + 1];
  for (PortId port = first; port < end; ++port) {
    photograph_->sends_by[port] = Photograph::kNobody;
    photograph_->holders[port] = singly_->is_withheld(port) ? Photograph::kDown : Photograph::kNobody;
  }
  singly_->transfers_of(device, device_transfers_);
  for (const DeviceTransfer& transfer : device_transfers_)
    photograph_->note(transfer.input, transfer.holds_input, transfer.output, true);
}

// A head that lacks several things is in the class of the farthest one. If the nearest came first, a hot
// queue would seem to wait for its port if the port also serves other queues.
QueueSeen HeadWaits::classify(const StateView& view, std::uint32_t queue, const WaitingPacket& packet) {
  const PortId input = port_of_[queue];
  QueueSeen seen{.queue = queue, .head = packet, .ends_in = {}, .newest = {}};
  if (packet.output == kNone) {
    choose_wait(view, input, seen);
    return seen;
  }
  if (obeys_refusals(view, queue)) seen.refusing = view.refusing(packet.output, packet.destination);
  if (seen.refusing != 0) {
    wait_for_lines(view, network_.graph.peer_of(packet.output), seen.refusing, seen);
  } else if (packet.target > view.sink() && !view.has_room(input, packet)) {
    wait_for_node(view, seen);
  } else if (!view.has_room(input, packet)) {
    groups_.assign(1, group_of(packet.target));
    wait_for_room(view, seen);
  } else {
    wait_for_port(input, packet.output, seen);
  }
  return seen;
}

bool HeadWaits::obeys_refusals(const StateView& view, std::uint32_t queue) const {
  return network_.isolation && view.obeys_refusals(queue - network_.ports[port_of_[queue]].first_queue);
}

// A head that has not chosen among its candidates waits for room if no candidate has room, otherwise for the
// best candidate with room.
void HeadWaits::choose_wait(const StateView& view, PortId input, QueueSeen& seen) {
  const WaitingPacket& packet = seen.head;
  groups_.clear();
  view.targets(packet, targets_);
  for (const std::uint32_t target : targets_) groups_.push_back(group_of(target));
  PortId with_room = kNone;
  for_each_choice(network_, packet, [&](PortId o) {
    if (!view.has_room(input, packet, o)) return;
    // best first: a free output, one to which its own input sends, another one
    const auto preference = [&](PortId port) {
      return photograph_->is_free(port) ? 2 : photograph_->sends_by[input] == port ? 1 : 0;
    };
    if (with_room == kNone || preference(o) > preference(with_room)) with_room = o;
  });
  // Output units grant after heads have chosen: the room that an output queue gains in this tick is seen in
  // the next tick.
  const bool not_yet = with_room != kNone && photograph_->is_free(with_room) && photograph_->is_idle(input);
  if (with_room == kNone || not_yet) return wait_for_room(view, seen, not_yet);
  wait_for_port(input, with_room, seen);
}

// The queues that share room with `target`: the channels of its group, or all queues of a pooled memory. A
// single output queue, of its port or of its lane, shares room with none.
HeadWaits::Group HeadWaits::group_of(std::uint32_t target) const {
  const PortId at = port_of_[target];
  const Port& port = network_.ports[at];
  if (const auto lane = network_.shared_lane(at, target)) return {lane->first, lane->queues};
  if (network_.is_pooled()) return {port.first_queue, port.queues};
  const bool single = network_.one_output_queue && at >= network_.layout.graph_ports;
  return {target, single ? 1 : std::min(network_.queue_map.channels, port.queues)};
}

// The head waits for room in a queue of `groups_`, drawn in proportion to the packets of the queues.
// `not_yet`: it has had room since its last turn.
void HeadWaits::wait_for_room(const StateView& view, QueueSeen& seen, bool not_yet) {
  const auto pauses = [&](const Group& group) {
    return network_.pause && network_.shared_lane(port_of_[group.first], group.first).has_value();
  };
  const bool paused = seen.refusing == 0 && !not_yet && std::ranges::all_of(groups_, pauses);
  seen.waiting = paused ? Waiting::paused : Waiting::room;
  seen.next = draw_queue(view);
  if (seen.next == kNone) seen.ends_in = empty_memory(port_of_[groups_.front().first]);
}

// The head waits for room in the memory of its node. If the node has nothing to consume, the credits are on
// the wire.
void HeadWaits::wait_for_node(const StateView& view, QueueSeen& seen) const {
  seen.waiting = network_.pause ? Waiting::paused : Waiting::room;
  const NodeId node = seen.head.destination;
  seen.ends_in = {view.consumes(node) ? RootKind::receiver : RootKind::window, network_.adapter_port(node)};
}

void HeadWaits::wait_for_lines(const StateView& view, PortId behind, std::uint32_t lines, QueueSeen& seen) {
  groups_.clear();
  for (std::uint32_t line = 0; lines >> line != 0; ++line)
    if ((lines >> line & 1) != 0) groups_.push_back({network_.ports[behind].first_queue + 1 + line, 1});
  wait_for_room(view, seen);
}

std::uint32_t HeadWaits::draw_queue(const StateView& view) {
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
Root HeadWaits::empty_memory(PortId port) {
  if (singly_) see(network_.ports[port].owner);
  const bool sends = port >= network_.layout.graph_ports && !photograph_->is_free(port);
  return {sends ? RootKind::link : RootKind::window, network_.graph_port(port)};
}

void HeadWaits::wait_for_port(PortId input, PortId output, QueueSeen& seen) const {
  const std::uint32_t device = network_.ports[input].owner;
  if (photograph_->is_free(output)) {
    if (photograph_->is_idle(input))
      throw InvariantError(
          fmt::format("{}: a head waits although it lacks nothing", headway::place_of(network_, input)));
    seen.waiting = Waiting::input;
    seen.ends_in = {RootKind::input, network_.graph_port(input)};
    return;
  }
  const bool own =
      photograph_->holders[output] != Photograph::kDown &&
      (network_.is_switch(device) ? photograph_->sends_by[input] == output : network_.is_adapter(device));
  seen.waiting = own ? Waiting::serial : Waiting::output;
  seen.ends_in = holding(output);
}

Root HeadWaits::holding(PortId output) const {
  if (photograph_->holders[output] == Photograph::kDown)
    return {RootKind::outage, network_.graph_port(output)};
  const bool crossbar = network_.has_output_units() && network_.is_switch(network_.ports[output].owner);
  return {crossbar ? RootKind::crossbar : RootKind::link, network_.graph_port(output)};
}

PortId HeadWaits::sends_for(const Root& root) {
  PortId port = root.port;
  switch (root.kind) {
    case RootKind::window:
    case RootKind::cycle:
    case RootKind::receiver:
    case RootKind::limiter:
    case RootKind::outage:
      return kNone;
    case RootKind::link:
      port = network_.link_port(root.port);
      break;
    case RootKind::crossbar:
    case RootKind::input:
      break;
  }
  if (singly_) see(network_.ports[port].owner);
  if (root.kind == RootKind::input) return photograph_->sends_by[port];
  const PortId holder = photograph_->holders[port];
  return Photograph::is_input(holder) ? port : kNone;
}

bool HeadWaits::share_room(std::uint32_t a, std::uint32_t b) const {
  if (a == b) return true;
  if (!network_.has_lane_memory() || std::max(a, b) >= network_.queues) return false;
  const auto lane = network_.shared_lane(port_of_[a], a);
  return lane && b >= lane->first && b < lane->first + lane->queues;
}

QueueSeen HeadWaits::entrance(const StateView& view, const AdmittanceView& waiting) {
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
  return seen;
}

}  // namespace headway
