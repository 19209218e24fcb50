// SPDX-License-Identifier: Apache-2.0
// Permutation: every node sends to one node and receives from one, so no destination is ever overloaded and
// what is lost is the network's fault. Random from the seed, or given as a list. Source: Dally and Towles,
// "Principles and practices of interconnection networks", 2004, section 3.2.
#include <numeric>
#include <utility>

#include "headway/traffic/pattern.h"

namespace headway {
namespace {

class PermutationDestinations final : public Destinations {
 public:
  explicit PermutationDestinations(std::vector<NodeId> destination_of)
      : destination_of_(std::move(destination_of)) {}
  NodeId next(NodeId source, Rng&) const override {
    const NodeId destination = destination_of_[source];
    return destination == source ? kNone : destination;
  }

 private:
  std::vector<NodeId> destination_of_;  // [node]
};

bool has_fixed_point(const std::vector<NodeId>& destination_of) {
  for (NodeId node = 0; node < destination_of.size(); ++node)
    if (destination_of[node] == node) return true;
  return false;
}

// Uniform over the permutations without fixed points: shuffles (Fisher and Yates) until there is none, e
// times on average.
std::vector<NodeId> random_derangement(std::uint32_t nodes, Rng& rng) {
  std::vector<NodeId> destination_of(nodes);
  std::iota(destination_of.begin(), destination_of.end(), 0);
  do {
    for (std::uint32_t last = nodes - 1; last > 0; --last)
      std::swap(destination_of[last], destination_of[rng.below(last + 1)]);
  } while (has_fixed_point(destination_of));
  return destination_of;
}

class Permutation final : public Pattern {
 public:
  void describe(Parameters& parameters) override {
    parameters.field(
        {.name = "list",
         .help = "destination of node 0, 1, ...; without it a random permutation without fixed points"},
        list_);
  }

  void check(std::uint32_t nodes, Mistakes& mistakes) const override {
    if (list_.empty()) {
      if (nodes < 2) mistakes.add("pattern", "a permutation without fixed points needs two nodes");
      return;
    }
    if (list_.size() != nodes)
      mistakes.add("list", "has " + std::to_string(list_.size()) + " destinations",
                   "one for each of the " + std::to_string(nodes) + " nodes");
    std::vector<bool> taken(nodes, false);
    for (const std::int64_t destination : list_) {
      if (destination < 0 || destination >= nodes)
        mistakes.add("list", "node " + std::to_string(destination) + " is outside the network",
                     "nodes are 0 to " + std::to_string(nodes - 1));
      else if (taken[static_cast<std::size_t>(destination)])
        mistakes.add("list", "node " + std::to_string(destination) + " is the destination of two nodes");
      else
        taken[static_cast<std::size_t>(destination)] = true;
    }
  }

  std::unique_ptr<Destinations> build(std::uint32_t nodes, std::uint64_t seed) const override {
    if (!list_.empty())
      return std::make_unique<PermutationDestinations>(std::vector<NodeId>(list_.begin(), list_.end()));
    Rng rng(seed, StreamKind::pattern, 0);
    return std::make_unique<PermutationDestinations>(random_derangement(nodes, rng));
  }

 private:
  std::vector<std::int64_t> list_;
};

}  // namespace

Entry<Pattern> permutation() {
  return {"permutation", "every node sends to one node and receives from one",
          "Dally and Towles 2004, section 3.2", make_entry<Pattern, Permutation>};
}

}  // namespace headway
