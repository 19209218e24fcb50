// SPDX-License-Identifier: Apache-2.0
// A second implementation of docs/waiting.md, "Classes of packets" and "Link time", directly from the
// definitions. It examines every packet and every link on its own.
#include <algorithm>
#include <functional>

#include "tests/reference/reference.h"

namespace headway::reference {

// The outputs through which a packet in an input queue may leave.
std::vector<PortId> Reference::options(const Packet& packet, PortId input) const {
  const std::uint32_t device = wired(input).device;
  if (const PortId output = output_of(packet, device); output != kNone) return {output};
  return asked_by(packet, device);  // its escape is one of them
}

bool Reference::has_chosen(const Packet& packet, PortId input) const {
  return output_of(packet, wired(input).device) != kNone;
}

// The stopped copies that refuse the packet; none if it may pass them.
std::vector<std::uint32_t> Reference::stops(const Packet& packet, Place at) const {
  if (!isolation_ || (at.queue == 0 && rules_.isolation->pass_when_full)) return {};
  return isolation_->refusing(options(packet, at.input).front(), packet.destination);
}

bool Reference::has_room_by(const Packet& packet, Place at, PortId output) const {
  if (packet.output != kNone && counts_credits(wired(output).peer))
    return true;  // its slot there is reserved
  if (!stops(packet, at).empty()) return false;
  if (has_chosen(packet, at.input)) return room_for(packet, at.input, output);
  if (has_room_behind(at.input, output, packet)) return true;
  Packet escaping = packet;
  escaping.escapes = true;
  return choices_ && routed_output(packet, wired(at.input).device) == output &&
         has_room_behind(at.input, output, escaping);
}

Waiting Reference::wait_of_head(const Packet& head, Place at) const {
  std::vector<PortId> outputs = options(head, at.input);
  std::erase_if(outputs, [&](PortId output) { return !has_room_by(head, at, output); });
  if (outputs.empty()) return is_paused(head, at) ? Waiting::paused : Waiting::room;
  if (!std::ranges::all_of(outputs, [&](PortId output) { return is_held(output); }))
    return is_sending(at.input) ? Waiting::input : Waiting::room;  // it can take this room in the next tick
  if (is_output_unit(at.input)) return Waiting::output;
  if (is_node(at.input) && ports_[at.input].output_busy_until < now_) return Waiting::output;  // it is down
  const bool own = is_node(at.input) ||
                   (is_sending(at.input) && std::ranges::count(outputs, ports_[at.input].sends_by) > 0);
  return own ? Waiting::serial : Waiting::output;
}

// Is all that this head lacks the permission of lanes behind links?
bool Reference::is_paused(const Packet& head, Place at) const {
  if (!rules_.pause || !stops(head, at).empty()) return false;
  return std::ranges::all_of(options(head, at.input), [&](PortId output) {
    const PortId next = wired(output).peer;
    const bool lacks_unit = is_output_unit(next) && !has_room(next, channels_at(head, next), room_of(head));
    return !lacks_unit && (!is_output_unit(next) || !has_chosen(head, at.input));
  });
}

bool Reference::needs_the_same(const Packet& packet, const Packet& head, Place at) const {
  const std::vector<PortId> of_packet = options(packet, at.input), of_head = options(head, at.input);
  if (!has_chosen(head, at.input))
    return std::ranges::all_of(of_packet,
                               [&](PortId output) { return std::ranges::count(of_head, output) > 0; });
  if (of_packet != of_head) return false;
  if (wait_of_head(head, at) == Waiting::output) return true;
  const std::vector<std::uint32_t> head_stops = stops(head, at), packet_stops = stops(packet, at);
  if (!head_stops.empty())
    return std::ranges::any_of(packet_stops,
                               [&](std::uint32_t line) { return std::ranges::count(head_stops, line) > 0; });
  const PortId next = wired(of_head.front()).peer;
  if (!is_node(next) && !counts_credits(next))
    return packet_stops.empty() &&
           lane_at(next, channels_at(packet, next).first) == lane_at(next, channels_at(head, next).first);
  if (is_node(next)) {
    if (!packet_stops.empty() || receive_lane(packet) != receive_lane(head)) return false;
    return rules_.cell_bytes == 0 || rules_.pause || !room_for(packet, at.input, of_head.front());
  }
  if (!packet_stops.empty() || channels_at(packet, next).first != channels_at(head, next).first) return false;
  return rules_.cell_bytes == 0 || !room_for(packet, at.input, of_head.front());
}

Waiting Reference::wait_behind(const Packet& packet, const Packet& head, Place at) const {
  const Waiting of_head = wait_of_head(head, at);
  if (of_head == Waiting::serial || of_head == Waiting::input)
    return options(packet, at.input) == std::vector{ports_[at.input].sends_by} ? Waiting::serial
                                                                               : Waiting::input;
  return needs_the_same(packet, head, at) ? of_head : Waiting::hol;
}

// The class of a link. If it is idle, the class depends on the packets at its device and, with an output
// unit, on those at the inputs of the switch.
// Does a packet of the node wait for an injection queue, and not for its gate?
bool Reference::waits_for_room(const NodeState& node) const {
  return std::ranges::any_of(node.line_of, [&](const auto& entry) {
    return !entry.second.empty() && std::ranges::find(node.held, entry.first) == node.held.end();
  });
}

LinkTime Reference::time_of_link(PortId link) const {
  if (ports_[link].output_busy_until < now_ && is_withheld(link)) return LinkTime::down;
  if (is_held(link)) return ports_[link].held_by == kNone ? LinkTime::feedback : LinkTime::busy;
  std::vector<std::pair<PortId, PortId>> routes;  // input, and the output through which it reaches the link
  for (const PortId input : ports_of(wired(link).device)) routes.emplace_back(input, link);
  if (is_output_unit(link))
    for (const PortId input : ports_of(wired(wired(link).source).device))
      routes.emplace_back(input, wired(link).source);
  bool wanted = is_node(link) && waits_for_room(nodes_[graph_.node_of(link)]);
  bool movable = false, room = false;
  for (const auto& [input, output] : routes)
    for (std::uint32_t q = 0; q < ports_[input].queues.size(); ++q)
      for (const Packet& packet : ports_[input].queues[q].packets) {
        const std::vector<PortId> outputs = options(packet, input);
        if (std::ranges::count(outputs, output) == 0) continue;
        wanted = true;
        if (!has_room_by(packet, {input, q}, output)) continue;
        room = true;
        movable |= !is_held(output) && !is_sending(input);
      }
  if (movable) return LinkTime::lost_hol;
  if (room) return LinkTime::lost_input;
  return wanted ? LinkTime::lost_room : LinkTime::unwanted;
}

void Reference::for_each_packet(const std::function<void(const Looked&)>& visit) const {
  for (const auto& [tick, flight] : flights_) visit({flight.packet, Waiting::transit, {}, nullptr});
  for (const NodeState& node : nodes_)
    for (std::size_t i = 0; i < node.received.size(); ++i)
      visit({node.received[i], i == 0 ? Waiting::transit : Waiting::output, {}, nullptr});
  for (const NodeState& node : nodes_)
    for (const auto& [line, packets] : node.line_of) {
      const bool held = std::ranges::find(node.held, line) != node.held.end();
      for (const Packet& packet : packets)
        visit({packet, held ? Waiting::limited : Waiting::admittance, {}, nullptr});
    }
  for (PortId input = 0; input < ports_.size(); ++input)
    for (std::uint32_t q = 0; q < ports_[input].queues.size(); ++q) {
      const std::deque<Packet>& packets = ports_[input].queues[q].packets;
      for (std::size_t i = 0; i < packets.size(); ++i) {
        const Packet &packet = packets[i], &head = packets.front();
        const Place at{input, q};
        visit({packet, i == 0 ? wait_of_head(head, at) : wait_behind(packet, head, at), at,
               i == 0 ? nullptr : &head});
      }
    }
}

std::uint32_t Reference::sends(const Root& root) const {
  const auto of_output = [&](PortId output) {
    return ports_[output].output_busy_until >= now_ ? ports_[output].sends_of : kNone;
  };
  switch (root.kind) {
    case RootKind::link:
      return of_output(is_node(root.port) ? root.port : link_of(root.port));
    case RootKind::crossbar:
      return of_output(root.port);
    case RootKind::input:
      return is_sending(root.port) ? of_output(ports_[root.port].sends_by) : kNone;
    case RootKind::receiver:
      if (const auto& received = nodes_[graph_.node_of(root.port)].received; !received.empty())
        return received.front().generator;
      return kNone;
    case RootKind::window:
    case RootKind::cycle:
    case RootKind::limiter:
    case RootKind::outage:
      break;
  }
  return kNone;
}

Reference::Waits Reference::waits() const {
  Waits waits;
  for_each_packet([&](const Looked& looked) {
    ++waits.packets[static_cast<std::size_t>(looked.waiting)];
    if (looked.head == nullptr) return;
    const std::vector<PortId> outputs = options(looked.packet, looked.at.input);
    if (looked.waiting == Waiting::hol && !is_sending(looked.at.input))
      waits.movable += std::ranges::any_of(outputs, [&](PortId output) {
        return !is_held(output) && has_room_by(looked.packet, looked.at, output);
      });
    const bool moves = looked.waiting == Waiting::serial || looked.waiting == Waiting::input;
    waits.drain += moves && outputs != options(*looked.head, looked.at.input) ? 1 : 0;
  });
  for (PortId port = 0; port < graph_.ports(); ++port)
    if (graph_.peer_of(port) != kNone)
      ++waits.links[static_cast<std::size_t>(time_of_link(is_node(port) ? port : link_of(port)))];
  return waits;
}

}  // namespace headway::reference
