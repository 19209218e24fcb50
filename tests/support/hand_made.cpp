// SPDX-License-Identifier: Apache-2.0
#include "tests/support/hand_made.h"

#include <cmath>
#include <numeric>
#include <utility>

#include "tests/support/dice.h"

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

class OneOf : public Destinations {
 public:
  explicit OneOf(std::vector<NodeId> destinations) : destinations_(std::move(destinations)) {}
  NodeId next(NodeId, Rng& rng) const override {
    return destinations_[rng.below(static_cast<std::uint32_t>(destinations_.size()))];
  }

 private:
  std::vector<NodeId> destinations_;
};

class EachTo : public Destinations {
 public:
  explicit EachTo(std::vector<NodeId> destination_of) : destination_of_(std::move(destination_of)) {}
  NodeId next(NodeId source, Rng&) const override { return destination_of_[source]; }

 private:
  std::vector<NodeId> destination_of_;
};

class Coin : public ArrivalProcess {
 public:
  Coin(Tick slot, double probability)
      : slot_(instant_of(slot)), threshold_(static_cast<std::uint64_t>(std::ldexp(probability, 64))) {}
  Instant first(Rng& rng) const override { return next(-slot_, rng); }
  Instant next(Instant previous, Rng& rng) const override {
    do previous += slot_;
    while (rng.next() >= threshold_);
    return previous;
  }

 private:
  Instant slot_;
  std::uint64_t threshold_;
};

class Listed : public MessageList {
 public:
  explicit Listed(std::vector<TimedMessage> messages) : messages_(std::move(messages)) {}
  std::unique_ptr<MessageCursor> open() const override { return std::make_unique<Cursor>(messages_); }

 private:
  class Cursor : public MessageCursor {
   public:
    explicit Cursor(const std::vector<TimedMessage>& messages) : messages_(messages) {}
    std::optional<TimedMessage> next() override {
      return next_ < messages_.size() ? std::optional(messages_[next_++]) : std::nullopt;
    }

   private:
    const std::vector<TimedMessage>& messages_;
    std::size_t next_ = 0;
  };
  std::vector<TimedMessage> messages_;
};

}  // namespace

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

NetworkOptions options_for(const Scheme& scheme, std::uint32_t nodes, NetworkOptions options) {
  options.overflow = scheme.overflow(nodes);
  if (const auto plan = scheme.isolation()) options.isolation = plan->in_ticks(options.tick);
  return options;
}

Trace listed_trace(std::vector<TimedMessage> messages, std::uint32_t nodes) {
  return {std::make_shared<Listed>(std::move(messages)), first_nodes(nodes)};
}

Graph with_any_links(const Graph& graph, std::uint64_t seed, std::uint32_t longest) {
  Dice dice(seed);
  std::vector<std::uint32_t> radix;
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) radix.push_back(graph.radix(sw));
  Graph result(graph.nodes(), radix, graph.shape());
  for (PortId port = 0; port < graph.ports(); ++port)
    if (graph.peer_of(port) != kNone)
      result.connect_directed(port, graph.peer_of(port),
                              {Rate{Rational(1, dice.from(1, 4))}, Duration{dice.from(1, longest)}});
  return result;
}

Network network_of(const Choice<Topology>& topology, std::string_view routing, const Choice<Scheme>& scheme,
                   const NetworkOptions& options) {
  return network_of(topology->build({}), routing, scheme, options);
}

Network network_of(Graph graph, std::string_view routing, const Choice<Scheme>& scheme,
                   NetworkOptions options) {
  const Choice<Routing> algorithm = choose(routings(), routing);
  options.injection_capacity = options.capacity;
  options.in_order = algorithm->single_path() && scheme->in_order();
  options = options_for(*scheme, graph.nodes(), options);
  Routes routes = algorithm->build(graph);
  if (algorithm->adaptive() && !options.selection)
    options.selection = choose(selections(), "sadp")->build(graph);
  QueueMap queue_map = scheme->build(graph);
  return {std::move(graph), std::move(routes), std::move(queue_map), options};
}

std::shared_ptr<const Destinations> anywhere(std::uint32_t nodes) { return one_of(first_nodes(nodes)); }
std::shared_ptr<const Destinations> always(NodeId node) { return std::make_shared<Always>(node); }

std::shared_ptr<const Destinations> each_to(std::vector<NodeId> destination_of) {
  return std::make_shared<EachTo>(std::move(destination_of));
}
std::shared_ptr<const Destinations> one_of(std::vector<NodeId> destinations) {
  return std::make_shared<OneOf>(std::move(destinations));
}

Workload slotted(const std::vector<NodeId>& nodes, std::shared_ptr<const Destinations> destinations,
                 std::uint32_t packet_bytes, double probability) {
  Workload workload;
  workload.flows.push_back({.destinations = std::move(destinations),
                            .arrivals = std::make_shared<Coin>(packet_bytes, probability),
                            .last_bytes = packet_bytes});
  for (const NodeId node : nodes) workload.sources.push_back({node, 0});
  return workload;
}

Workload saturated(const std::vector<NodeId>& nodes, std::shared_ptr<const Destinations> destinations,
                   std::uint32_t packet_bytes, std::uint32_t backlog) {
  Workload workload;
  workload.flows.push_back({.destinations = std::move(destinations),
                            .arrivals = nullptr,
                            .backlog = backlog,
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
