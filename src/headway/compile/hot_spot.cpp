// SPDX-License-Identifier: Apache-2.0
// Hot spots, and what the reaction says of the largest one.
#include "headway/compile/notes.h"

#include <algorithm>
#include <memory>
#include <variant>
#include <vector>

#include "headway/compile/run_cost.h"
#include "headway/traffic/sources.h"

namespace headway {
namespace {

// What the nodes always send to each node.
class Senders final : public Destinations::Components {
 public:
  Senders(const Graph& graph, std::uint32_t nodes, double most)
      : graph_(graph), most_(most), load_(nodes), slowed_(nodes), sources_(nodes), last_(nodes, kNone) {}

  void begin(NodeId source, double load) {
    source_ = source;
    load_of_source_ = load * rate(source);
  }
  void one(NodeId destination, double share) override {
    if (share <= 0 || load_of_source_ <= 0) return;
    const double load = share * load_of_source_;
    load_[destination] += load / rate(destination);
    slowed_[destination] += std::min(load, most_ * rate(source_)) / rate(destination);
    if (last_[destination] != source_) ++sources_[destination];
    last_[destination] = source_;
  }
  void spread(const Spread&, double) override {}  // a part of all destinations makes no hot spot

  HotSpot largest() const {
    HotSpot most;
    for (NodeId node = 0; node < load_.size(); ++node)
      if (load_[node] > HotSpot::kFull && sources_[node] > most.sources)
        most = {node, sources_[node], slowed_[node]};
    return most;
  }

 private:
  double rate(NodeId node) const { return graph_.link(graph_.node_port(node)).rate.bytes_per_ns.to_double(); }

  const Graph& graph_;
  double most_;                         // of a flow, as a fraction of the link of its source
  std::vector<double> load_;            // [destination] over the capacity of its link
  std::vector<double> slowed_;          // [destination] the load if no flow has more than most_
  std::vector<std::uint32_t> sources_;  // [destination]
  std::vector<NodeId> last_;            // [destination] the last source
  NodeId source_ = 0;
  double load_of_source_ = 0;
};

}  // namespace

HotSpot largest_hot_spot(const EventSpec& spec, const Graph& graph, double rate) {
  std::vector<FlowSources> wanted;
  for (const FlowSpec& flow : spec.traffic.flows) wanted.push_back({flow.sources, ""});
  Mistakes reported_before;
  const auto nodes_of = choose_sources(wanted, graph.nodes(), spec.seed, reported_before);
  const NodeSpace space = NodeSpace::of(*spec.network.topology);
  Senders senders(graph, graph.nodes(), rate);
  for (std::size_t f = 0; f < nodes_of.size(); ++f) {
    const FlowSpec& flow = spec.traffic.flows[f];
    const std::unique_ptr<Destinations> destinations = flow.pattern->build(space, spec.seed);
    for (const NodeId source : nodes_of[f]) {
      senders.begin(source, largest_load(flow) * destinations->load_of(source));
      destinations->visit_components(source, senders);
    }
  }
  return senders.largest();
}

std::string note_of_hot_spot(const EventSpec& spec, const Plan& plan) {
  const NetworkOptions& options = plan.options;
  if (!options.reaction || !options.marking) return "";
  if (!plan.graph->hosts().none()) return "";  // Choice: of nodes with several links, nothing is said
  const auto note = [&](const auto& rules) -> std::string {
    if constexpr (requires { rules.note_of(HotSpotOfNetwork()); }) {
      const HotSpot spot = largest_hot_spot(spec, *plan.graph, rules.least_rate());
      const Link& link = plan.graph->link(plan.graph->node_port(spot.destination));
      const double byte_ns = 1 / link.rate.bytes_per_ns.to_double();
      return rules.note_of({spot, options.packet_bytes * byte_ns * options.marking->every,
                            options.tick.ns.to_double(), options.reaction->by_service_level});
    }
    return "";
  };
  return std::visit(note, options.reaction->own);
}

}  // namespace headway
