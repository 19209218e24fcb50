// SPDX-License-Identifier: Apache-2.0
// An all-reduce with its algorithm and the parameters of that.
#pragma once

#include <optional>

#include "headway/programs/in_network.h"
#include "headway/programs/parts.h"
#include "headway/programs/ranks_per_group.h"

namespace headway {

enum class AllReduceAlgorithm {
  ring,
  recursive_doubling,
  rabenseifner,
  tree,
  double_tree,
  hierarchical,
  in_network
};
constexpr auto names_in_specs(AllReduceAlgorithm) {
  return name_list("ring", "recursive-doubling", "rabenseifner", "tree", "double-tree", "hierarchical",
                   "in-network");
}

class AllReduceMethod {
 public:
  void describe(Parameters& parameters);
  void use_servers(std::uint32_t ranks_per_server) { groups_.use_servers(ranks_per_server); }
  void check(std::uint32_t ranks, Mistakes& mistakes) const;
  void add(const Group& group, std::uint64_t bytes) const;
  Reduction reduction() const { return Reduction(reduction_); }
  bool uses_switches() const { return algorithm_ == AllReduceAlgorithm::in_network; }

 private:
  AllReduceAlgorithm algorithm_ = AllReduceAlgorithm::ring;
  RanksPerGroup groups_;
  std::int64_t chunks_ = 1;
  Segments segments_;
  Rate reduction_;
};

}  // namespace headway
