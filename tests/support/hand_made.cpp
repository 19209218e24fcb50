// SPDX-License-Identifier: Apache-2.0
#include "tests/support/hand_made.h"

#include <numeric>
#include <utility>

namespace headway::test {
namespace {

class Once : public ArrivalProcess {
 public:
  explicit Once(Tick tick) : tick_(tick) {}
  Instant first(Rng&) const override { return instant_of(tick_); }
  Instant next(Instant, Rng&) const override { return kNever; }

 private:
  Tick tick_;
};

class Always : public Destinations {
 public:
  explicit Always(NodeId destination) : destination_(destination) {}
  NodeId next(NodeId, Rng&) const override { return destination_; }

 private:
  NodeId destination_;
};

class Anywhere : public Destinations {
 public:
  explicit Anywhere(std::uint32_t nodes) : nodes_(nodes) {}
  NodeId next(NodeId, Rng& rng) const override { return rng.below(nodes_); }

 private:
  std::uint32_t nodes_;
};

}  // namespace

Network assemble(Graph graph, RouteTable routes, QueueMap queue_map, const Switching& switching) {
  const Graph& g = graph;
  std::vector<Port> ports(g.ports());
  std::vector<PortId> first_port;
  std::uint32_t queues = 0;
  for (SwitchId sw = 0; sw <= g.switches(); ++sw) first_port.push_back(g.port(sw, 0));
  for (NodeId node = 0; node < g.nodes(); ++node) first_port.push_back(g.node_port(node) + 1);
  for (PortId id = 0; id < g.ports(); ++id) {
    Port& port = ports[id];
    port.peer = g.peer_of(id);
    port.source = g.source_of(id);
    port.first_queue = queues;
    port.queues = queue_map.queues;
    port.owner = g.is_node_port(id) ? g.switches() + g.node_of(id) : g.switch_of(id);
    port.local = static_cast<std::uint16_t>(g.is_node_port(id) ? 0 : g.local(id));
    port.capacity = switching.capacity;
    queues += port.queues;
    if (port.peer == kNone) continue;
    port.delay = static_cast<std::uint16_t>(g.link(id).delay.ns.numerator());
    port.ticks_per_byte = static_cast<std::uint32_t>(g.link(id).rate.bytes_per_ns.denominator());
  }
  return {.graph = std::move(graph),
          .routes = std::move(routes),
          .queue_map = std::move(queue_map),
          .tick = Duration{1},
          .ports = std::move(ports),
          .first_port = std::move(first_port),
          .queues = queues,
          .routing_delay = switching.routing_delay,
          .store_and_forward = switching.store_and_forward,
          .arbiter = switching.arbiter,
          .admittance = switching.admittance,
          .packet_bytes = switching.packet_bytes,
          .admittance_limit = switching.admittance_limit};
}

Graph star(std::uint32_t nodes, std::uint32_t ports, const Link& link) {
  Graph graph(nodes, {ports}, SingleSwitchShape{});
  for (NodeId node = 0; node < nodes; ++node) graph.connect(graph.port(0, node), graph.node_port(node), link);
  return graph;
}

RouteTable star_routes(std::uint32_t nodes) {
  std::vector<PortRange> candidates;
  for (NodeId node = 0; node < nodes; ++node) candidates.push_back({static_cast<std::uint16_t>(node), 1});
  return RouteTable::from_table(nodes, std::move(candidates));
}

Graph ring(std::uint32_t switches, const Link& link) {
  Graph graph(switches, std::vector<std::uint32_t>(switches, 2), IrregularShape{});
  for (SwitchId sw = 0; sw < switches; ++sw) {
    graph.connect(graph.port(sw, 0), graph.node_port(sw), link);
    graph.connect_directed(graph.port(sw, 1), graph.port((sw + 1) % switches, 1), link);
  }
  return graph;
}

RouteTable ring_routes(std::uint32_t switches) {
  std::vector<PortRange> candidates;
  for (SwitchId sw = 0; sw < switches; ++sw)
    for (NodeId node = 0; node < switches; ++node)
      candidates.push_back({static_cast<std::uint16_t>(node == sw ? 0 : 1), 1});
  return RouteTable::from_table(switches, std::move(candidates));
}

Workload scripted(const std::vector<Message>& messages, std::uint32_t bytes, std::uint32_t packet_bytes) {
  Workload workload;
  const std::uint32_t packets = (bytes + packet_bytes - 1) / packet_bytes;
  for (const Message& message : messages) {
    workload.sources.push_back({message.source, static_cast<std::uint32_t>(workload.flows.size())});
    workload.flows.push_back({.destinations = always(message.destination),
                              .arrivals = std::make_shared<Once>(message.tick),
                              .packets = packets,
                              .last_bytes = bytes - (packets - 1) * packet_bytes});
  }
  return workload;
}

std::shared_ptr<const Destinations> anywhere(std::uint32_t nodes) {
  return std::make_shared<Anywhere>(nodes);
}
std::shared_ptr<const Destinations> always(NodeId node) { return std::make_shared<Always>(node); }

Workload saturated(const std::vector<NodeId>& nodes, std::shared_ptr<const Destinations> destinations,
                   std::uint32_t packet_bytes, Tick stop) {
  Workload workload;
  workload.flows.push_back({.destinations = std::move(destinations),
                            .arrivals = nullptr,
                            .backlog = 2,
                            .stop = stop,
                            .last_bytes = packet_bytes});
  for (const NodeId node : nodes) workload.sources.push_back({node, 0});
  return workload;
}

std::vector<NodeId> first_nodes(std::uint32_t count) {
  std::vector<NodeId> nodes(count);
  std::iota(nodes.begin(), nodes.end(), 0);
  return nodes;
}

}  // namespace headway::test
