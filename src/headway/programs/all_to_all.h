// SPDX-License-Identifier: Apache-2.0
// An all-to-all with its algorithm and the parameters of that.
#pragma once

#include <optional>

#include "headway/programs/parts.h"

namespace headway {

enum class AllToAllAlgorithm { pairwise, linear, bruck };
template <>
struct Names<AllToAllAlgorithm> {
  static constexpr std::string_view kList[] = {"pairwise", "linear", "bruck"};
};

void add_all_to_all(AllToAllAlgorithm algorithm, const Group& group, std::uint64_t bytes_of_pair,
                    std::optional<std::uint32_t> window = std::nullopt);

class AllToAllMethod {
 public:
  void describe(Parameters& parameters);
  void check(Mistakes& mistakes) const;
  void add(const Group& group, std::uint64_t bytes_of_pair) const;

 private:
  AllToAllAlgorithm algorithm_ = AllToAllAlgorithm::pairwise;
  std::optional<std::int64_t> window_;
};

}  // namespace headway
