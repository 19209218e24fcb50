// SPDX-License-Identifier: Apache-2.0
// The parameter of routings that choose by a hash of source and destination.
#pragma once

#include <cstdint>
#include <optional>

#include "headway/config/limits.h"
#include "headway/config/parameters.h"
#include "headway/routing/route_table.h"

namespace headway {

class HashSalt {
 public:
  void describe(Parameters& parameters) {
    parameters.field(
        {.name = "salt",
         .help = "number that enters the hash of source and destination; default: the seed of the "
                 "run minus 1, so that every seed has other paths and several seeds show what "
                 "depends on the luck of the hash; a number gives all seeds the same paths",
         .bounds = Bounds::from(0, limits::kSeed)},
        salt_);
  }
  bool is_set() const { return salt_.has_value(); }
  void apply_to(RouteTable& table) const {
    if (salt_) table.set_salt(static_cast<std::uint64_t>(*salt_));
  }

 private:
  std::optional<std::int64_t> salt_;
};

}  // namespace headway
