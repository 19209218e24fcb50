// SPDX-License-Identifier: Apache-2.0
#include "headway/run/run_key.h"

#include <fmt/format.h>

#include "headway/base/hash.h"
#include "headway/base/version.h"

namespace headway {

std::uint64_t key_of_point(std::uint64_t content, const std::optional<SaturationSearch>& search) {
  return hash_of(fmt::format("{}\nmodel {}\n", search ? to_string(*search) : "", kModelVersion), content);
}

std::uint64_t key_of_run(std::uint64_t of_point, std::uint64_t seed) {
  return hash_of(fmt::format("seed {}\n", seed), of_point);
}

}  // namespace headway
