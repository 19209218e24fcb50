// SPDX-License-Identifier: Apache-2.0
// The keys "choose_in" and "choose_among": in a tree, packets choose only in some stages, or only among some
// of the ports up, so that the packets for a destination, and their congestion, keep to fewer paths and
// queues. Rocher-Gonzalez et al., "Towards an efficient combination of adaptive routing and queuing schemes
// in fat-tree topologies", JPDC 2021 (arXiv 2502.00597), restrictions 2S (D-mod-K in the first stage,
// adaptive in the second) and K/Delta (a modulus decides which upward port is chosen); their thresholds are
// routing.free_load.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "headway/base/error.h"
#include "headway/config/parameters.h"
#include "headway/routing/formulas.h"
#include "headway/topology/graph.h"

namespace headway {

class ChoiceLimits {
 public:
  void describe(Parameters& parameters) {
    parameters.field(
        {.name = "choose_in",
         .help = "stages of a tree in which packets choose, 0 next to the nodes; in the others they "
                 "take the port of det; default: all",
         .bounds = Bounds::from(0, 63)},
        stages_);
    parameters.field(
        {.name = "choose_among",
         .help = "so many of the ports up of a switch of a tree are candidates: the block that contains "
                 "the port of det; it divides the ports up; default: all",
         .bounds = Bounds::from(1, 65535)},
        among_);
  }
  bool any() const { return !stages_.empty() || among_.has_value(); }

  // [stage] the candidates of packets. Throws SpecError if the graph is not a whole tree, or the keys do not
  // fit it.
  std::vector<TreeCandidates> of(const Graph& graph) const {
    const auto* tree = std::get_if<TreeShape>(&graph.shape());
    if (tree == nullptr || graph.has_failures())
      throw SpecError(
          stages_.empty() ? "routing.choose_among" : "routing.choose_in",
          "restricts choices in trees without failures, and this is " +
              (tree == nullptr ? std::string(kind_of(graph.shape())) : "a tree with failed links"),
          "omit it");
    std::vector<TreeCandidates> result = one_candidate(*tree);
    const std::vector<TreeCandidates> all = all_candidates(*tree);
    for (const std::uint32_t stage : stages_of(*tree)) result[stage] = {up_of(*tree, stage), all[stage].down};
    return result;
  }

 private:
  std::vector<std::uint32_t> stages_of(const TreeShape& tree) const {
    std::vector<std::uint32_t> stages;
    for (const std::int64_t stage : stages_) {
      if (stage >= tree.stages())
        throw SpecError("routing.choose_in",
                        "the stages of this tree are 0 to " + std::to_string(tree.stages() - 1));
      stages.push_back(static_cast<std::uint32_t>(stage));
    }
    if (stages_.empty())
      for (std::uint32_t stage = 0; stage < tree.stages(); ++stage) stages.push_back(stage);
    return stages;
  }
  // Choice: a block of consecutive ports with that of det, so that an idle network routes as det does. The
  // public text names a modulus, and not what is taken modulo what.
  std::uint32_t up_of(const TreeShape& tree, std::uint32_t stage) const {
    const std::uint32_t ports = tree.up_ports(stage);
    if (ports == 0) return 1;
    const auto among = static_cast<std::uint32_t>(among_.value_or(ports));
    if (ports % among != 0)
      throw SpecError("routing.choose_among", std::to_string(among) + " does not divide the " +
                                                  std::to_string(ports) + " ports up of stage " +
                                                  std::to_string(stage));
    return among;
  }

  std::vector<std::int64_t> stages_;  // empty: all
  std::optional<std::int64_t> among_;
};

}  // namespace headway
