// SPDX-License-Identifier: Apache-2.0
// The "Lanes" and "Detours" parts of docs/modelling.md. Lane and direction are derived each time from the
// links that the packet has crossed.
#include <algorithm>

#include "tests/reference/reference.h"

namespace headway::reference {

std::uint32_t Reference::part_of(SwitchId sw) const { return detours_->waypoint_of[sw]; }

// Draws the waypoint of a new packet.
void Reference::plan_detour(Packet& packet) const {
  if (!detours_) return;
  const auto part_at = [&](NodeId node) {
    return part_of(graph_.switch_of(graph_.peer_of(graph_.node_port(node))));
  };
  std::vector<std::uint32_t> others;
  for (std::uint32_t part = 0; part < detours_->waypoints; ++part)
    if (part != part_at(packet.source) && part != part_at(packet.destination)) others.push_back(part);
  if (part_at(packet.source) == part_at(packet.destination) || others.empty()) return;
  packet.via = others[draw(packet, kNone) * others.size() >> 32];
  packet.undecided = detours_->kind != Detour::always;
}

// The packet as it will be after it has crossed the link behind this output.
Packet Reference::behind(const Packet& packet, PortId output) const {
  Packet next = packet;
  next.crossed.push_back(is_output_unit(output) ? wired(output).source : output);
  next.escaped.push_back(packet.escapes);
  next.output = next.lightest = kNone;
  next.escapes = false;
  return next;
}

std::vector<SwitchId> Reference::switches_of(const Packet& packet) const {
  std::vector<SwitchId> switches;
  for (const PortId output : packet.crossed)
    if (const PortId input = graph_.peer_of(output); !graph_.is_node_port(input))
      switches.push_back(graph_.switch_of(input));
  return switches;
}

bool Reference::goes_to_waypoint(const Packet& packet) const {
  if (packet.via == kNone || packet.undecided) return false;
  const std::vector<SwitchId> switches = switches_of(packet);
  return std::ranges::none_of(switches, [&](SwitchId sw) { return part_of(sw) == packet.via; });
}

// The outputs that the routes give a packet, beginning with the one that it draws.
std::vector<PortId> Reference::routed_outputs(const Packet& packet, SwitchId sw) const {
  const bool to_waypoint = goes_to_waypoint(packet);
  const RouteTable& routed = routes_for(packet).table;
  const bool has_path = routed.at(sw, packet.destination).count > 0;
  const RouteTable& routes = to_waypoint ? detours_->to_waypoint : has_path ? routed : setup_.routes.table;
  const NodeId to = to_waypoint ? packet.via : packet.destination;
  const PortRange candidates = to_waypoint ? routes.at(sw, to) : routes.of_pair(sw, packet.source, to);
  const std::uint64_t drawn = draw_of_path(routes, packet, sw) * candidates.count >> 32;
  std::vector<PortId> outputs;
  for (std::uint64_t i = 0; i < candidates.count; ++i) {
    const auto number = static_cast<std::uint32_t>((drawn + i) % candidates.count);
    outputs.push_back(switch_port(sw, routes.port(sw, to, candidates, number)));
  }
  return outputs;
}

// The output of a packet that does not choose among candidates, or has chosen.
PortId Reference::routed_output(const Packet& packet, SwitchId sw) const {
  return packet.lightest != kNone ? packet.lightest : routed_outputs(packet, sw).front();
}

// The lane of a packet over the link behind `output`, the last link of its path so far.
std::uint32_t Reference::lane_over(const Packet& packet, PortId output) const {
  std::vector<PortId> path = packet.crossed;
  path.push_back(is_output_unit(output) ? wired(output).source : output);
  const std::uint32_t lane = choices_ ? lane_of_choice(packet, path) : routing_lane(packet, path);
  return lane * services_.lanes + service_lane(packet, path);
}

std::uint32_t Reference::service_level(std::uint32_t source, NodeId from, NodeId to) const {
  const std::size_t sources = workload_.sources.size(), traces = workload_.traces.size();
  const std::optional<std::uint8_t> own =
      source < sources                 ? workload_.flows[workload_.sources[source].flow].service
      : source < sources + traces      ? workload_.traces[source - sources].service
      : source == workload_.notifier() ? workload_.notification_service
                                       : workload_.jobs[source - sources - traces].service;
  return own ? *own : services_.of_pair.at(from, to);
}

// The lane over the last link of the path, among the lanes that replace one lane of the routing.
std::uint32_t Reference::service_lane(const Packet& packet, const std::vector<PortId>& path) const {
  const LaneTable& table = services_.table;
  if (!table.varies()) return table.at(packet.service, 0, 0, 0);
  if (path.size() == 1) return packet.service % services_.lanes;  // the link from its node
  const auto switches_left = static_cast<std::uint32_t>(path.size()) - 2;
  return table.at(packet.service, std::min(switches_left, table.hops - 1),
                  graph_.local(graph_.peer_of(path[path.size() - 2])), graph_.local(path.back()));
}

std::uint32_t Reference::routing_lane(const Packet& packet, const std::vector<PortId>& path) const {
  const LaneRules& lanes = lanes_for(packet);
  LaneRules::Step step;
  step.level = lanes.first_level(graph_.switch_of(graph_.peer_of(path.front())), packet.destination, 0);
  std::uint8_t came = lanes.class_of(path.front());
  bool was_at_waypoint = false;
  for (const PortId link : path) {
    step = lanes.step(step.level, came, lanes.class_of(link));
    came = lanes.class_of(link);
    const PortId input = graph_.peer_of(link);
    if (packet.via == kNone || packet.undecided || was_at_waypoint || graph_.is_node_port(input) ||
        part_of(graph_.switch_of(input)) != packet.via)
      continue;
    was_at_waypoint = true;
    step.level = lanes.after_waypoint(step.level);
  }
  return step.lane;
}

// In a network with an escape: the last lane if the packet chose its output. Otherwise the lane follows from
// the escapes taken since the last choice.
std::uint32_t Reference::lane_of_choice(const Packet& packet, const std::vector<PortId>& path) const {
  std::vector<bool> escapes = packet.escaped;
  escapes.push_back(packet.escapes);
  if (!escapes.back()) return lanes_.lanes();
  std::size_t first = escapes.size() - 1;
  while (escapes[first - 1]) --first;
  LaneRules::Step step;
  std::uint8_t came = lanes_.class_of(path.front());
  for (std::size_t i = first; i < path.size(); ++i) {
    step = lanes_.step(step.level, came, lanes_.class_of(path[i]));
    came = lanes_.class_of(path[i]);
  }
  return step.lane;
}

// The slots or cells of the packets of a switch that will leave through this output, plus those of packets
// that left and whose credits have not returned.
std::uint64_t Reference::room_ahead(PortId output) const {
  std::uint64_t room = 0;
  const SwitchId sw = wired(output).device;
  for (const PortId input : ports_of(sw))
    for (const Queue& queue : ports_[input].queues)
      for (const Packet& packet : queue.packets)
        room += output_of(packet, sw) == output ? rules_.pause ? lane_room_of(packet) : room_of(packet) : 0;
  if (rules_.pause) return room;
  const PortId link = link_of(output);
  if (link != output)
    for (const Queue& queue : ports_[link].queues) room += room_of(queue.packets);
  const PortId next = wired(link).peer;
  if (!is_node(next))
    for (const std::uint32_t credits : ports_[next].credits) room += capacity_of(next) - credits;
  return room;
}

// The path from a switch on. With global knowledge, it takes the least loaded outputs up to the watched link.
Reference::PathAhead Reference::path_from(Packet packet, SwitchId sw) const {
  PathAhead path;
  PortId watched = kNone;
  for (;;) {
    if (path.first != kNone && watched == kNone && detours_->kind == Detour::global)
      packet = with_lightest(packet, sw);
    const PortId output = routed_output(packet, sw);
    if (path.first == kNone) path.first = output;
    const PortId input = graph_.peer_of(output);
    if (graph_.is_node_port(input)) break;
    if (watched == kNone && lanes_.class_of(output) == detours_->watched) watched = output;
    ++path.links;
    packet = behind(packet, output);
    sw = graph_.switch_of(input);
  }
  const bool looks_far = detours_->kind == Detour::global && watched != kNone;
  path.ahead = room_ahead(looks_far ? watched : path.first);
  return path;
}

// The packet after it has chosen, among the outputs of its routes, the one with the fewest packets ahead.
Packet Reference::with_lightest(Packet packet, SwitchId sw) const {
  if (detours_->by_load)
    packet.lightest =
        std::ranges::min(routed_outputs(packet, sw), {}, [&](PortId o) { return room_ahead(o); });
  return packet;
}

// The packet after it has chosen the output of the path with the lowest cost, and this cost.
std::pair<Packet, std::uint64_t> Reference::with_cheapest(const Packet& packet, SwitchId sw,
                                                          std::uint64_t bias) const {
  std::pair<Packet, std::uint64_t> best = {packet, 0};
  for (const PortId output : routed_outputs(packet, sw)) {
    Packet by_output = packet;
    by_output.lightest = output;
    const PathAhead path = path_from(by_output, sw);
    const std::uint64_t cost = (path.ahead + bias) * path.links;
    if (best.first.lightest == kNone || cost < best.second) best = {by_output, cost};
    if (!detours_->by_load) break;
  }
  return best;
}

void Reference::decide(Packet& packet, SwitchId sw) const {
  if (!packet.undecided) {
    packet = with_lightest(packet, sw);
    return;
  }
  Packet direct = packet, detour = packet;
  direct.via = kNone;
  direct.undecided = detour.undecided = false;
  const std::uint64_t bias = std::uint64_t{detours_->bias} * room_of(rules_.packet_bytes);
  const auto [now, cost_now] = with_cheapest(direct, sw, 0);
  const auto [then, cost_then] = with_cheapest(detour, sw, bias);
  if (cost_now > cost_then) {
    packet = then;
    return;
  }
  packet.lightest = now.lightest;
  const SwitchId next = graph_.switch_of(graph_.peer_of(now.lightest));
  if (detours_->kind != Detour::progressive || part_of(next) != part_of(sw)) packet = now;
}

}  // namespace headway::reference
