// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/network.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "headway/routing/reach.h"

namespace headway {
namespace {

// Schemes that map destinations to more queues than this keep only those that traffic can reach.
constexpr std::uint32_t kDenseQueues = 64;

std::uint32_t whole_ticks(const Rational& ns, const Duration& tick) {
  const Rational ticks = ns / tick.ns;
  if (!ticks.is_integer() || ticks < Rational(0) || ticks > Rational(0x7fff'ffff))
    throw std::invalid_argument("Network: a duration is not a whole number of ticks");
  return static_cast<std::uint32_t>(ticks.numerator());
}

// Which queues of each port packets can enter, following every route from every leaf switch.
std::vector<ReachableQueues> find_reachable(const Graph& graph, const RouteTable& routes,
                                            const QueueMap& map) {
  const std::size_t words = (map.queues + 63) / 64;
  std::vector<ReachableQueues> result(graph.ports());
  for (auto& port : result) port.exists.resize(words);
  const auto enter = [&](PortId port, std::uint32_t queue) {
    for (std::uint32_t q = queue; q < queue + map.channels; ++q)
      result[port].exists[q / 64] |= 1ULL << (q % 64);
  };

  Reach reach(graph, routes);
  for (NodeId destination = 0; destination < graph.nodes(); ++destination)
    reach.follow(destination, [&](PortId, PortId input) { enter(input, map.queue_of[destination]); });
  for (PortId port = 0; port < graph.ports(); ++port) {
    if (graph.is_node_port(port)) result[port].exists = result[graph.peer_of(port)].exists;
    std::uint32_t before = 0;
    for (const std::uint64_t word : result[port].exists) {
      result[port].before.push_back(before);
      before += static_cast<std::uint32_t>(std::popcount(word));
    }
  }
  return result;
}

std::uint32_t queues_in(const ReachableQueues& reachable) {
  return reachable.before.back() + static_cast<std::uint32_t>(std::popcount(reachable.exists.back()));
}

}  // namespace

bool Network::links_go_both_ways(const Graph& graph) {
  for (PortId port = 0; port < graph.ports(); ++port)
    if (graph.source_of(port) != graph.peer_of(port)) return false;
  return true;
}

bool Network::keeps_reachable_queues_only(const QueueMap& map) {
  return map.key == QueueKey::destination && map.queues > kDenseQueues;
}

Network::Network(Graph the_graph, RouteTable the_routes, QueueMap map, const NetworkOptions& options)
    : NetworkOptions(options),
      graph(std::move(the_graph)),
      routes(std::move(the_routes)),
      queue_map(std::move(map)) {
  has_rings = graph.has_rings();
  if (std::max({packet_bytes, capacity, injection_capacity, output_capacity}) > 0xffff ||
      queue_map.queues > 0xffff || (overflow && Overflow::queues(*overflow) > 0xffff))
    throw std::invalid_argument(
        "Network: more than 65,535 bytes per packet, packets per queue or queues per port");
  if (!weights.empty() && (weights.size() != queue_map.queues || queue_map.queues > kDenseQueues ||
                           *std::ranges::min_element(weights) == 0))
    throw std::invalid_argument("Network: a weight for each of up to 64 queues, all at least 1");
  if (isolation &&
      (has_output_stages() || queue_map.queues != 1 || isolation->lines > IsolationRules::kMostLines))
    throw std::invalid_argument("Network: isolation with output stages, static queues or too many lines");
  if (overflow &&
      (isolation || has_output_stages() || queue_map.queues != 1 || overflow->set_of.size() != nodes()))
    throw std::invalid_argument("Network: overflow queues with isolation, output stages or static queues");
  if (is_pooled() && !weights.empty())
    throw std::invalid_argument("Network: weights of queues that are made while running");
  if (selection && (queue_map.key == QueueKey::output || is_pooled()))
    throw std::invalid_argument(
        "Network: queues by output or made while running need outputs known on arrival");
  if (keeps_reachable_queues_only(queue_map)) reachable = find_reachable(graph, routes, queue_map);

  if (has_rings && std::min(capacity, has_output_stages() ? output_capacity : capacity) < 2)
    throw std::invalid_argument("Network: a ring needs room for two packets per queue");
  const std::uint32_t stages = has_output_stages() ? graph.switch_ports() : 0;
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) first_port.push_back(graph.port(sw, 0));
  for (PortId port = graph.switch_ports(); port <= graph.ports() + stages; ++port) first_port.push_back(port);

  ports.resize(graph.ports() + stages);
  for (PortId id = 0; id < graph.ports(); ++id) {
    const bool adapter = graph.is_node_port(id);
    Port& port = ports[id];
    port.owner = adapter ? this->adapter(graph.node_of(id)) : graph.switch_of(id);
    port.local = static_cast<std::uint16_t>(adapter ? 0 : graph.local(id));
    port.capacity = static_cast<std::uint16_t>(adapter ? injection_capacity : capacity);
    if (isolation)
      port.queues = 1 + isolation->lines;
    else if (overflow)
      port.queues = Overflow::queues(*overflow);
    else
      port.queues = reachable.empty() ? queue_map.queues : queues_in(reachable[id]);
    port.source = graph.source_of(id) == kNone ? kNone : link_port(graph.source_of(id));
    if (graph.ring_input(id) != kNone) port.ring_input = graph.local(graph.ring_input(id));
    if (graph.peer_of(id) == kNone) continue;
    Port& link = ports[link_port(id)];
    link.peer = graph.peer_of(id);
    link.delay = whole_ticks(graph.link(id).delay.ns, tick);
    link.ticks_per_byte = whole_ticks(Rational(1) / graph.link(id).rate.bytes_per_ns, tick);
    if (link.delay + routing_delay < 1) throw std::invalid_argument("Network: a hop without any delay");
    if (isolation && isolation->notification_delay.value_or(link.delay) < 1)
      throw std::invalid_argument("Network: a notification without any delay");
  }
  for (PortId id = 0; id < stages; ++id) {
    Port& stage = ports[link_port(id)];
    stage.owner = switches() + nodes() + id;
    stage.capacity = static_cast<std::uint16_t>(output_capacity);
    stage.source = id;
    if (stage.peer == kNone) continue;
    // an output queue has the number of the queue that its packets will enter next, if it is not the only one
    const bool to_node = graph.is_node_port(stage.peer) && !reachable.empty();
    stage.queues = one_output_queue ? 1 : to_node ? queue_map.channels : ports[stage.peer].queues;
    ports[id].peer = link_port(id);
    ports[id].ticks_per_byte =
        whole_ticks(Rational(1) / (graph.link(id).rate.bytes_per_ns * crossbar_speedup), tick);
  }
  if (std::max(credit_bytes, notification_bytes()) > packet_bytes)
    throw std::invalid_argument("Network: credits or notifications larger than a packet");
  if (feedback_shares_links() && !links_go_both_ways(graph))
    throw std::invalid_argument("Network: credits or notifications cannot share a link that has none back");
  const std::uint32_t rate = ports[adapter_port(0)].ticks_per_byte;
  for (PortId id = 0; id < graph.ports(); ++id)
    links_differ |= graph.peer_of(id) != kNone && ports[link_port(id)].ticks_per_byte != rate;
  for (Port& port : ports) {
    port.first_queue = queues;
    queues += port.queues;
  }
}

}  // namespace headway
