// SPDX-License-Identifier: Apache-2.0
// A set of destinations, with equal probabilities or with weights: a storage pool, or the receivers of an N:M
// incast, is one flow. Choice: a node of the set does not send to itself, as with uniform traffic; its
// messages go to the other nodes by their weights.
#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "headway/traffic/alias_table.h"
#include "headway/traffic/even_draw.h"
#include "headway/traffic/pattern.h"
#include "headway/traffic/sources.h"

namespace headway {
namespace {

// A source in the set draws again until it draws another node. This takes at most two draws on average: only
// the heaviest node can have more than half of the weight, and it has a table without itself.
class WeightedSet final : public Destinations {
 public:
  WeightedSet(std::vector<NodeId> set, std::vector<double> weights, bool include_self)
      : set_(std::move(set)), weights_(std::move(weights)), table_(weights_), include_self_(include_self) {
    sum_ = std::accumulate(weights_.begin(), weights_.end(), 0.0);
    for (const double weight : weights_) shares_.push_back(weight / sum_);
    const auto heaviest = std::ranges::max_element(weights_) - weights_.begin();
    heavy_ = set_[static_cast<std::size_t>(heaviest)];
    std::vector<double> others = weights_;
    others[static_cast<std::size_t>(heaviest)] = 0;
    if (std::ranges::any_of(others, [](double weight) { return weight > 0; })) without_heavy_.emplace(others);
  }

  NodeId next(NodeId source, Rng& rng) const override {
    if (include_self_) return set_[table_.next(rng)];
    if (source == heavy_) return without_heavy_ ? set_[without_heavy_->next(rng)] : kNone;
    for (;;)
      if (const NodeId destination = set_[table_.next(rng)]; destination != source) return destination;
  }
  void shares(NodeId source, const Visit& visit) const override {
    const double own = own_weight(source);
    for (std::size_t i = 0; i < set_.size(); ++i)
      if (weights_[i] > 0 && (include_self_ || set_[i] != source)) visit(set_[i], weights_[i] / (sum_ - own));
  }
  void visit_components(NodeId source, Components& components) const override {
    const double own = own_weight(source);
    if (source == heavy_ && !include_self_ && !without_heavy_) return;
    components.spread({.count = static_cast<std::uint32_t>(set_.size()), .nodes = set_, .weights = shares_},
                      sum_ / (sum_ - own));
    if (own > 0) components.one(source, -own / (sum_ - own));
  }

 private:
  // The weight of a source that does not send to itself; 0 if it is not in the set.
  double own_weight(NodeId source) const {
    const auto place = include_self_ ? set_.end() : std::ranges::find(set_, source);
    return place == set_.end() ? 0 : weights_[static_cast<std::size_t>(place - set_.begin())];
  }

  std::vector<NodeId> set_;
  std::vector<double> weights_;  // of the nodes of set_
  std::vector<double> shares_;   // weights with the sum 1
  AliasTable table_;
  bool include_self_;
  double sum_ = 0;
  NodeId heavy_ = 0;  // the node with the largest weight
  std::optional<AliasTable> without_heavy_;
};

class Set final : public Pattern {
 public:
  void describe(Parameters& parameters) override {
    parameters.field(
        {.name = "destinations",
         .help = "the nodes that receive: \"all\", { fraction = 0.1 } (this fraction of the nodes, "
                 "spread evenly), { first = 8 }, { nodes = [3, 7, \"8-15\"] }, or { random = 0.1 } "
                 "(this fraction, drawn once from the seed)"},
        destinations_);
    parameters.field(
        {.name = "weights",
         .help = "for each destination, in the order of the list of nodes, or of their numbers: its "
                 "part of the messages; default: all equal",
         .bounds = Bounds::from(0, 1e12)},
        weights_);
    parameters.field(
        {.name = "include_self", .help = "whether a source can send to itself, through its switch"},
        include_self_);
  }

  void check(const NodeSpace& space, Mistakes& mistakes) const override {
    if (destinations_.kind == NodeSet::Kind::rest) {
      mistakes.add("destinations", "rest means the sources of no earlier flow, which are no destinations",
                   "fraction, first, nodes or random");
      return;
    }
    Mistakes of_set;
    const std::vector<NodeId> set = chosen(space.nodes, 1, of_set);
    mistakes.add_all(of_set.list());
    if (!of_set.empty()) return;
    if (set.size() == 1 && space.nodes == 1 && !include_self_)
      mistakes.add("destinations", "a single node has no other node to send to",
                   "include_self = true permits it");
    if (weights_.empty()) return;
    if (weights_.size() != set.size())
      mistakes.add("weights", "has " + std::to_string(weights_.size()) + " values",
                   "give one for each of the " + std::to_string(set.size()) + " destinations");
    else if (std::ranges::none_of(weights_, [](double weight) { return weight > 0; }))
      mistakes.add("weights", "are all 0", "at least one must be above 0");
  }

  std::unique_ptr<Destinations> build(const NodeSpace& space, std::uint64_t seed) const override {
    Mistakes mistakes;
    std::vector<NodeId> set = chosen(space.nodes, seed, mistakes);
    mistakes.throw_if_any();
    if (weights_.empty())
      return std::make_unique<EvenDestinations>(EvenDraw(space.nodes, std::move(set), include_self_));
    if (destinations_.kind == NodeSet::Kind::nodes)
      set.assign(destinations_.nodes.begin(), destinations_.nodes.end());
    return std::make_unique<WeightedSet>(std::move(set), weights_, include_self_);
  }

 private:
  std::vector<NodeId> chosen(std::uint32_t nodes, std::uint64_t seed, Mistakes& mistakes) const {
    std::vector<NodeId> all(nodes);
    std::iota(all.begin(), all.end(), 0);
    return choose_nodes(destinations_, "destinations", nodes, all, Rng(seed, StreamKind::pattern, 1),
                        mistakes);
  }

  NodeSet destinations_;
  std::vector<double> weights_;
  bool include_self_ = false;
};

}  // namespace

Entry<Pattern> destination_set() {
  return {"set", "a set of destinations, with equal probabilities or with weights", "Headway",
          make_entry<Pattern, Set>};
}

}  // namespace headway
