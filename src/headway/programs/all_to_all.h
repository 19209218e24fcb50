// SPDX-License-Identifier: Apache-2.0
// An all-to-all with its algorithm and the parameters of that.
#pragma once

#include <optional>

#include "headway/programs/parts.h"

namespace headway {

enum class AllToAllAlgorithm { pairwise, linear, bruck };
constexpr auto names_in_specs(AllToAllAlgorithm) { return name_list("pairwise", "linear", "bruck"); }

class AllToAllMethod {
 public:
  explicit AllToAllMethod(AllToAllAlgorithm algorithm = AllToAllAlgorithm::pairwise)
      : algorithm_(algorithm) {}
  void describe(Parameters& parameters);
  void check(Mistakes& mistakes) const;
  void add(const Group& group, std::uint64_t bytes_of_pair) const;

 private:
  AllToAllAlgorithm algorithm_;
  std::optional<std::int64_t> window_;
};

}  // namespace headway
