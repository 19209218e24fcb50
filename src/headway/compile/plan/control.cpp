// SPDX-License-Identifier: Apache-2.0
// Congestion control of a spec (docs/modelling.md, "Congestion control").
#include "headway/compile/plan/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "headway/compile/tick.h"
#include "headway/queueing/scheme.h"

namespace headway {
namespace {

constexpr std::int64_t kNotificationBytes = 64;

Rational byte_time(const Link& link) { return Rational(1) / link.rate.bytes_per_ns; }

MarkingContext marking_context(const QueueMap& map, const NetworkOptions& options) {
  const bool shares = options.is_pooled() || options.has_lane_memory();
  const std::uint32_t queues = shares ? 1 : map.queues;
  return {.lane_bytes = std::int64_t{options.capacity} * options.bytes_of_credit() * queues,
          .stop_threshold = options.isolation ? options.isolation->stop_threshold : 0,
          .isolating_schemes =
              names_with(schemes(), [](const Scheme& scheme) { return scheme.isolation().has_value(); })};
}

// Choice: of node 0 with several links, the first one that is not for scale-up.
NodeId first_node(const Graph& graph) {
  const Hosts& hosts = graph.hosts();
  for (NodeId node = 0; !hosts.none() && node < hosts.home(1); ++node)
    if (!hosts.link(node).scale_up) return node;
  return 0;
}

// The time of a packet in the empty network, over the longest of the shortest paths from node 0. In a regular
// network, these are the longest ones of all. Switches store `stored` bytes of it before they send it on.
Tick farthest(const Graph& graph, const NetworkOptions& options, std::int64_t bytes,
              std::int64_t stored = 0) {
  std::vector<Rational> delay(graph.switches(), Rational(-1));
  const PortId first = graph.peer_of(graph.node_port(first_node(graph)));
  const Link& of_node = graph.link(graph.node_port(first_node(graph)));
  std::vector<SwitchId> reached = {graph.switch_of(first)};
  delay[reached.front()] = of_node.delay.ns;
  Rational most(0);
  const Rational hop = Rational(options.routing_delay) * options.tick.ns;
  for (std::size_t next = 0; next < reached.size(); ++next) {
    const SwitchId sw = reached[next];
    for (std::uint32_t local = 0; local < graph.radix(sw); ++local) {
      const PortId port = graph.port(sw, local), peer = graph.peer_of(port);
      if (peer == kNone) continue;
      const Link& link = graph.link(port);
      const Rational behind = delay[sw] + hop + Rational(stored) * byte_time(link) + link.delay.ns;
      if (graph.is_node_port(peer)) {
        most = std::max(most, behind);
      } else if (const SwitchId other = graph.switch_of(peer); delay[other] < Rational(0)) {
        delay[other] = behind;
        reached.push_back(other);
      }
    }
  }
  return whole_ticks(Duration{most + Rational(bytes) * byte_time(of_node)}, options.tick);
}

// Notifications that travel have a lane of their own: they must not wait behind packets that wait for them.
void check_notifications(const EventSpec& spec, const NetworkOptions& options, Mistakes& mistakes) {
  const NodeSpec& node = spec.node;
  if (node.notification_packet.count == 0) {
    if (node.notification_service_level > 0)
      mistakes.add("node.notification_service_level", "notifications are no packets",
                   "set node.notification_packet");
    return;
  }
  if (!options.reaction)
    mistakes.add("node.notification_packet", "no source reacts to notifications", "set node.reaction");
  if (node.notification_delay)
    mistakes.add("node.notification_delay", "packets of notifications take the time of the network",
                 "omit it, or omit node.notification_packet");
  if (node.notification_packet > spec.traffic.frame())
    mistakes.add("node.notification_packet",
                 fmt::format("{} is more than a packet of {}", to_string(node.notification_packet),
                             to_string(spec.traffic.frame())));
  if (node.notification_packet <= spec.traffic.header)
    mistakes.add("node.notification_packet",
                 fmt::format("{} is not more than the header of every packet, {}",
                             to_string(node.notification_packet), to_string(spec.traffic.header)));
  if (spec.switches.lanes == 1)
    return mistakes.add(
        "node.notification_packet",
        "notifications need a lane of their own; packets that wait for them would hold them back",
        "set switch.lanes = 2 and node.notification_service_level = 1");
  const auto shares = [&](const auto& traffic) {
    return std::ranges::any_of(traffic, [&](const auto& each) {
      return each.service_level.value_or(0) == node.notification_service_level;
    });
  };
  if (!spec.switches.service_levels.named() &&
      (shares(spec.traffic.flows) || shares(spec.traffic.traces) || shares(spec.traffic.jobs)))
    mistakes.add("node.notification_service_level",
                 fmt::format("service level {} is that of other traffic", node.notification_service_level),
                 "give notifications a level, and so a lane, of their own");
}

}  // namespace

void plan_control(const EventSpec& spec, const Graph& graph, const QueueMap& map, NetworkOptions& options) {
  options.marking = spec.switches.marking->build(marking_context(map, options));
  if (!spec.node.reaction->traits()) return;
  const Tick delay = spec.node.notification_delay ? whole_ticks(*spec.node.notification_delay, options.tick)
                                                  : farthest(graph, options, kNotificationBytes);
  const std::int64_t packet = options.packet_bytes;
  ReactionContext context{.tick = options.tick};
  context.packet_ticks = std::max<Tick>(
      1, whole_ticks(Duration{Rational(packet) * byte_time(graph.link(graph.node_port(first_node(graph))))},
                     options.tick));
  if (options.marking) context.mark_every = options.marking->every;
  const Tick round_trip = farthest(graph, options, packet, options.store_and_forward ? packet : 0) + delay;
  context.bytes_of_round_trip = ((round_trip - 1) / context.packet_ticks + 1) * packet;
  options.reaction = spec.node.reaction->build(context);
  if (!options.reaction) return;
  options.reaction->notification_delay = delay;
  options.reaction->notification_bytes = static_cast<std::uint32_t>(spec.node.notification_packet.count);
}

void check_control(const EventSpec& spec, const QueueMap& map, const NetworkOptions& options,
                   Mistakes& mistakes) {
  spec.switches.marking->check(marking_context(map, options), mistakes);
  spec.node.reaction->check(mistakes);
  if (spec.node.notification_delay && !options.reaction)
    mistakes.add("node.notification_delay", "no source reacts to notifications", "set node.reaction");
  check_notifications(spec, options, mistakes);
}

}  // namespace headway
