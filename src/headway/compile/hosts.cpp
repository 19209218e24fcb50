// SPDX-License-Identifier: Apache-2.0
#include "headway/compile/hosts.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace headway {
namespace {

class BetweenHomes final : public Destinations {
 public:
  BetweenHomes(std::shared_ptr<const Destinations> of_spec, std::shared_ptr<const Graph> graph)
      : of_spec_(std::move(of_spec)), graph_(std::move(graph)) {}

  NodeId next(NodeId source, Rng& rng) const override {
    const NodeId destination = of_spec_->next(graph_->node_of_spec(source), rng);
    return destination == kNone ? kNone : graph_->home(destination);
  }
  void shares(NodeId source, const Visit& visit) const override {
    of_spec_->shares(graph_->node_of_spec(source),
                     [&](NodeId destination, double share) { visit(graph_->home(destination), share); });
  }
  double load_of(NodeId source) const override { return of_spec_->load_of(graph_->node_of_spec(source)); }

 private:
  std::shared_ptr<const Destinations> of_spec_;
  std::shared_ptr<const Graph> graph_;
};

class CursorBetweenHomes final : public MessageCursor {
 public:
  CursorBetweenHomes(std::unique_ptr<MessageCursor> of_spec, std::shared_ptr<const Graph> graph)
      : of_spec_(std::move(of_spec)), graph_(std::move(graph)) {}

  std::optional<TimedMessage> next() override {
    std::optional<TimedMessage> message = of_spec_->next();
    if (!message) return message;
    message->source = graph_->home(message->source);
    message->destination = graph_->home(message->destination);
    return message;
  }
  std::uint64_t skipped_records() const override { return of_spec_->skipped_records(); }

 private:
  std::unique_ptr<MessageCursor> of_spec_;
  std::shared_ptr<const Graph> graph_;
};

class ListBetweenHomes final : public MessageList {
 public:
  ListBetweenHomes(std::shared_ptr<const MessageList> of_spec, std::shared_ptr<const Graph> graph)
      : of_spec_(std::move(of_spec)), graph_(std::move(graph)) {}
  std::unique_ptr<MessageCursor> open() const override {
    return std::make_unique<CursorBetweenHomes>(of_spec_->open(), graph_);
  }

 private:
  std::shared_ptr<const MessageList> of_spec_;
  std::shared_ptr<const Graph> graph_;
};

// Looks for a destination that is not close. Of a spread it needs to look at few nodes, because few are
// close.
class Farthest final : public Destinations::Components {
 public:
  Farthest(const Hosts& hosts, NodeId source) : hosts_(hosts), source_(source) {}
  void one(NodeId destination, double) override { look(destination); }
  void spread(const Spread& destinations, double) override {
    for (std::uint32_t place = 0; place < destinations.count && all_close; ++place)
      look(destinations.node(place));
  }
  bool all_close = true;

 private:
  void look(NodeId destination) {
    all_close = all_close && hosts_.are_close(hosts_.home(source_), hosts_.home(destination));
  }

  const Hosts& hosts_;
  NodeId source_;
};

}  // namespace

Rational load_rate(const Graph& graph, NodeId node_of_spec, bool close) {
  const auto rate_of = [&](NodeId node) { return graph.link(graph.node_port(node)).rate.bytes_per_ns; };
  const Hosts& hosts = graph.hosts();
  if (hosts.none()) return rate_of(node_of_spec);
  Rational of_kind(0), of_others(0);
  for (NodeId node = hosts.home(node_of_spec); node < hosts.home(node_of_spec + 1); ++node) {
    Rational& sum = hosts.link(node).scale_up == close ? of_kind : of_others;
    sum = sum + rate_of(node);
  }
  return of_kind > Rational(0) ? of_kind : of_others;
}

bool sends_close(const Graph& graph, const Destinations& of_spec, NodeId node_of_spec) {
  if (graph.hosts().none()) return false;
  Farthest farthest(graph.hosts(), node_of_spec);
  of_spec.visit_components(node_of_spec, farthest);
  return farthest.all_close;
}

std::shared_ptr<const Destinations> between_homes(std::shared_ptr<const Destinations> of_spec,
                                                  std::shared_ptr<const Graph> graph) {
  if (graph->hosts().none()) return of_spec;
  return std::make_shared<const BetweenHomes>(std::move(of_spec), std::move(graph));
}

std::shared_ptr<const MessageList> between_homes(std::shared_ptr<const MessageList> of_spec,
                                                 std::shared_ptr<const Graph> graph) {
  if (graph->hosts().none()) return of_spec;
  return std::make_shared<const ListBetweenHomes>(std::move(of_spec), std::move(graph));
}

void turn_into_homes(std::vector<NodeId>& nodes_of_spec, const Graph& graph) {
  if (graph.hosts().none()) return;
  for (NodeId& node : nodes_of_spec) node = graph.home(node);
}

// Nodes whose links are in the same networks reach the same nodes, and there are few such sets.
bool reach_all(const Hosts& hosts) {
  using Networks = std::set<std::pair<std::uint32_t, bool>>;  // and whether for scale-up
  std::map<Networks, NodeId> one_of;
  for (NodeId host = 0; host < hosts.count(); ++host) {
    Networks networks;
    for (NodeId node = hosts.home(host); node < hosts.home(host + 1); ++node)
      networks.emplace(hosts.link(node).network, hosts.link(node).scale_up);
    one_of.emplace(std::move(networks), host);
  }
  Networks in_all = one_of.begin()->first;
  for (const auto& each : one_of)
    std::erase_if(in_all, [&](const auto& network) { return !each.first.contains(network); });
  if (!in_all.empty()) return true;
  for (const auto& [from_networks, from] : one_of)
    for (const auto& [to_networks, to] : one_of)
      if (from != to && hosts.ways(hosts.home(from), hosts.home(to)) == 0) return false;
  return true;
}

}  // namespace headway
