// SPDX-License-Identifier: Apache-2.0
// The groups of a hierarchical collective.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "headway/base/error.h"
#include "headway/programs/parts.h"

namespace headway {

class RanksPerGroup {
 public:
  void describe(Parameters& parameters) {
    parameters.field(count_parameter("ranks_per_group",
                                     "with algorithm = \"hierarchical\": number of consecutive ranks in a "
                                     "group; default: those of a server, where nodes have scale-up links"),
                     given_);
  }
  void use_servers(std::uint32_t ranks_per_server) { of_servers_ = ranks_per_server; }

  // Reports what is wrong with `ranks` ranks, with the groups or, if the algorithm has none, without them.
  void check(std::uint32_t ranks, std::string_view algorithm, bool is_hierarchical,
             Mistakes& mistakes) const {
    const std::optional<std::int64_t> size = given_ ? given_ : of_servers_;
    if (is_hierarchical && !size)
      mistakes.add("ranks_per_group", "is missing", "the algorithm \"hierarchical\" needs it");
    if (!is_hierarchical && given_)
      mistakes.add("ranks_per_group", "the algorithm \"" + std::string(algorithm) + "\" has no groups",
                   "algorithm = \"hierarchical\" has them");
    if (is_hierarchical && size && ranks % *size != 0)
      mistakes.add("ranks_per_group",
                   std::to_string(ranks) + " ranks are no whole number of groups of " + std::to_string(*size),
                   "give a divisor of " + std::to_string(ranks));
  }

  // Of a spec that `check` has found nothing wrong with.
  std::uint32_t size() const { return static_cast<std::uint32_t>(given_ ? *given_ : *of_servers_); }

 private:
  std::optional<std::int64_t> given_, of_servers_;
};

}  // namespace headway
