// SPDX-License-Identifier: Apache-2.0
// Where a packet goes: its output, the queue that it enters behind the output, and its course there
// (docs/modelling.md, "Look-ahead" to "Choices and escapes"). These functions read the tables of the network
// and the records of ports. They change nothing but the course that a caller passes.
#pragma once

#include <algorithm>
#include <cstdint>

#include "headway/engine/state.h"

namespace headway {

// The queue (first of its group) that a packet between these nodes enters behind a switch's output, if it
// does not depend on the rest of its route.
inline std::uint32_t queue_behind(const State& state, PortId output, NodeId source, NodeId destination) {
  const PortState& port = state.ports[output];
  if (port.next_switch == kNone) return port.next_first_queue;
  return port.next_first_queue + state.network.queue_at(port.peer, 0, source, destination);
}

// The queue that a packet joins at a switch whose queues share the memory of their lane. Its output there is
// packet.next_output; packet.queue is the account of its room.
inline std::uint32_t queue_on_arrival(const State& state, const Packet& packet) {
  const Device& device = state.devices[state.ports[packet.next_output].owner];
  return packet.queue + state.network.queue_on_arrival(device.first_port + packet.input,
                                                       packet.next_output - device.first_port, packet.source,
                                                       packet.destination);
}

// The queue for a lane, in a network with an escape. Links to nodes have no lanes, but slow nodes have.
inline std::uint32_t queue_behind(const State& state, PortId output, NodeId source, NodeId destination,
                                  std::uint32_t lane) {
  const std::uint32_t first = queue_behind(state, output, source, destination);
  const PortState& port = state.ports[output];
  return port.next_switch == kNone ? state.account_at(port, lane)
                                   : first + lane * state.network.queues_per_lane(port.peer);
}

// The course of a packet in a lane of choices, from which an escape also starts. The level of such a course
// is the packet's service level. The links of all nodes have one class.
inline Course course_of_choices(const Network& network, std::uint8_t service) {
  return {.level = service,
          .link_kind = network.routes.lanes.came_by(network.adapter_port(0)),
          .lane = static_cast<std::uint8_t>(network.lane_of_choices(service))};
}

// An output that a packet can take at a switch, the queue (first of its group) behind it, and the packet's
// course there.
struct Candidate {
  PortId output = kNone;
  std::uint32_t target = 0;
  Course course;
  bool escapes = false;  // with choices: it is not a port of choice
};

// An output of the routes, in the lane that the lane rules give. P: Packet or WaitingPacket.
template <class P>
Candidate candidate_of_routes(const State& state, PortId output, const P& packet) {
  const LaneRules& rules = state.routes->lanes;
  const LaneRules::Step step =
      rules.step(packet.course.level, packet.course.link_kind, rules.goes_by(output));
  return {output,
          queue_behind(state, output, packet.source, packet.destination, step.lane),
          {.level = step.level, .link_kind = rules.came_by(output), .lane = step.lane}};
}

// With an escape: a port of choice, or the port of its node. Behind it, the packet starts a new course.
template <class P>
Candidate candidate_of_choices(const State& state, PortId output, const P& packet) {
  const Network& network = state.network;
  const std::uint8_t service = network.routes.lanes.service_of_level(packet.course.level);
  return {output,
          queue_behind(state, output, packet.source, packet.destination, network.lane_of_choices(service)),
          course_of_choices(network, service)};
}

// The escape of a packet that has several candidates.
template <class P>
Candidate escape_of(const State& state, SwitchId sw, const P& packet) {
  const Network& network = state.network;
  const PortId output = network.first_port[sw] + network.routes.table.at(sw, packet.destination).first;
  Candidate escape = candidate_of_routes(state, output, packet);
  escape.escapes = true;
  return escape;
}

// The output that a head without one keeps to until it is free (NoneFree::preferred, FollowRule); kNone if it
// chooses.
inline PortId kept_output(const Packet& head) {
  return head.later.candidates == 1 ? head.next_output : kNone;
}

// Calls visit(candidate) for all candidates of a packet that chooses its output, the escape last.
template <class P, class Visit>
void for_each_candidate(const State& state, SwitchId sw, const P& packet, Visit&& visit) {
  const Network& network = state.network;
  const auto visit_output = [&](PortId output) {
    if (network.routes.choices)
      visit(candidate_of_choices(state, output, packet));
    else if (network.has_lanes())
      visit(candidate_of_routes(state, output, packet));
    else
      visit(Candidate{output, queue_behind(state, output, packet.source, packet.destination), {}});
  };
  if (state.may_keep)
    if (const PortId kept = kept_output(packet); kept != kNone) return visit_output(kept);
  network.for_each_candidate(sw, packet.destination, visit_output);
  if (network.routes.choices) visit(escape_of(state, sw, packet));
}

// A number below 2^32 by which a packet takes one of several equal paths at a switch. `serial`: what it draws
// by (Network::drawn_by).
template <bool kEnds>
[[gnu::always_inline]] inline std::uint64_t path_draw(const State& state, SwitchId sw, NodeId source,
                                                      NodeId destination, std::uint32_t serial) {
  if (!kEnds || state.routes->table.labels() == 0) return state.draw(sw, source, serial);
  return draw_by_label(state.routes->table, state.seed_mix, sw, source, destination, serial);
}

// The output of a switch towards a waypoint or, with none, the destination.
template <bool kEnds>
[[gnu::always_inline]] inline PortId output_by(const State& state, SwitchId sw, std::uint32_t via,
                                               NodeId source, NodeId destination, std::uint32_t serial) {
  const Network& network = state.network;
  const RouteTable& routes = via == kNone ? state.routes->table : state.routes->detours->to_waypoint;
  const PortRange candidates = via == kNone ? routes.of_pair(sw, source, destination) : routes.at(sw, via);
  std::uint64_t choice = 0;
  if (candidates.count > 1)
    choice = path_draw<kEnds>(state, sw, source, destination, serial) * candidates.count >> 32;
  return network.first_port[sw] +
         routes.port(sw, via == kNone ? destination : via, candidates, static_cast<std::uint32_t>(choice));
}

// The next hop of a packet that leaves by `output`: the output port that it requests at the device behind
// `output`, and the queue that it enters there.
struct NextHop {
  PortId output = kNone;
  std::uint32_t target = 0;
};
template <bool kEnds>
[[gnu::always_inline]] inline NextHop look_ahead(const State& state, PortId output, NodeId source,
                                                 NodeId destination, std::uint32_t serial) {
  const Network& network = state.network;
  const PortState& port = state.ports[output];
  if (port.next_switch == kNone) return {kNone, port.next_first_queue};
  const std::uint16_t next = output_at(state.routes->table, port.next_switch, source, destination, [&] {
    return path_draw<kEnds>(state, port.next_switch, source, destination, serial);
  });
  return {port.next_first_port + next,
          port.next_first_queue + network.queue_at(port.peer, next, source, destination)};
}

// look_ahead with lanes or detours. `course` is the packet's course at the device of `output`;
// it is updated to that at the next device, unless this is its node. `kEnds`: of the engine's shape.
template <bool kEnds>
[[gnu::always_inline]] inline NextHop look_ahead(const State& state, PortId output, NodeId source,
                                                 NodeId destination, std::uint32_t serial, Course& course) {
  const Network& network = state.network;
  const PortState& port = state.ports[output];
  if (!kEnds && port.next_switch == kNone) return {kNone, state.sink()};
  const LaneRules& rules = state.routes->lanes;
  const LaneRules::Step step = rules.step(course.level, course.link_kind, rules.goes_by(output));
  if (kEnds) {
    course.lane = step.lane;
    if (port.next_switch == kNone) return {kNone, state.account_at(port, step.lane)};
  }
  course.level = step.level;
  course.link_kind = rules.came_by(output);
  if (course.via != kNone && network.routes.detours->waypoint_of[port.next_switch] == course.via) {
    course.via = kNone;
    course.level = rules.after_waypoint(course.level);
  }
  const std::uint32_t via = course.undecided ? kNone : course.via;
  const PortId next = output_by<kEnds>(state, port.next_switch, via, source, destination, serial);
  return {next, port.next_first_queue + step.lane * network.queues_per_lane(port.peer) +
                    network.queue_at(port.peer, next - port.next_first_port, source, destination)};
}

// The course of a packet at its source. `service`: its service level.
inline Course first_course(const State& state, NodeId source, NodeId destination, std::uint32_t serial,
                           std::uint8_t service) {
  const Network& network = state.network;
  const PortId port = network.adapter_port(source);
  const LaneRules& rules = state.routes->lanes;
  if (network.routes.choices) return course_of_choices(network, service);
  Course course;
  course.link_kind = rules.came_by(port);
  course.level = rules.first_level(state.ports[port].next_switch, destination, service);
  if (!network.routes.detours) return course;
  const Detours& detours = *network.routes.detours;
  const auto part_of = [&](NodeId node) { return detours.waypoint_of[state.switch_of(node)]; };
  const std::uint32_t from = part_of(source), to = part_of(destination);
  if (from == to || detours.waypoints < 3) return course;
  // drawn among the waypoints without `from` and `to`
  course.via = static_cast<std::uint32_t>(state.draw(kNone, source, serial) * (detours.waypoints - 2) >> 32);
  course.via += course.via >= std::min(from, to);
  course.via += course.via >= std::max(from, to);
  course.undecided = detours.kind != Detour::always;
  return course;
}

// The service level of a source's messages to a destination: the source's own, or that of the pair.
inline std::uint8_t service_of(const State& state, std::uint32_t source, NodeId node, NodeId destination) {
  const LaneRules& rules = state.network.routes.lanes;
  if (rules.services() == 1) return 0;
  return state.admittance.service_of[source].value_or(rules.service_of(node, destination));
}

// The key of an admittance queue. Messages of different service levels are in different queues, so that they
// do not wait for each other.
inline NodeId admittance_key(const State& state, std::uint32_t source, NodeId node, NodeId destination) {
  if (state.network.admittance == Admittance::fifo) return 0;
  const std::uint32_t services = state.network.routes.lanes.services();
  return services == 1 ? destination : destination * services + service_of(state, source, node, destination);
}

}  // namespace headway
