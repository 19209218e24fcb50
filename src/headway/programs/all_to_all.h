// SPDX-License-Identifier: Apache-2.0
// An all-to-all with its algorithm and the parameters of that.
#pragma once

#include <optional>

#include "headway/programs/parts.h"

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
  void use_servers(std::uint32_t ranks_per_server) { of_servers_ = ranks_per_server; }
  void check(std::uint32_t ranks, Mistakes& mistakes) const;
  void add(const Group& group, std::uint64_t bytes_of_pair) const;

 private:
  AllToAllAlgorithm algorithm_;
  // Those of a server, if the spec gives none.
  std::optional<std::int64_t> group() const { return ranks_per_group_ ? ranks_per_group_ : of_servers_; }

  std::optional<std::int64_t> window_, ranks_per_group_, of_servers_;
};

}  // namespace headway
