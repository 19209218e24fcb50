// SPDX-License-Identifier: Apache-2.0
// An all-to-all with its algorithm and the parameters of that.
#pragma once

#include <optional>

#include "headway/programs/parts.h"
#include "headway/programs/ranks_per_group.h"

namespace headway {

enum class AllToAllAlgorithm { pairwise, linear, bruck, hierarchical };
constexpr auto names_in_specs(AllToAllAlgorithm) {
  return name_list("pairwise", "linear", "bruck", "hierarchical");
}

class AllToAllMethod {
 public:
  explicit AllToAllMethod(AllToAllAlgorithm algorithm = AllToAllAlgorithm::pairwise)
      : algorithm_(algorithm) {}
  void describe(Parameters& parameters);
  void use_servers(std::uint32_t ranks_per_server) { groups_.use_servers(ranks_per_server); }
  void check(std::uint32_t ranks, Mistakes& mistakes) const;
  void add(const Group& group, std::uint64_t bytes_of_pair) const;

 private:
  AllToAllAlgorithm algorithm_;
  RanksPerGroup groups_;
  std::optional<std::int64_t> window_;
};

}  // namespace headway
