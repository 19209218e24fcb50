// SPDX-License-Identifier: Apache-2.0
#include "headway/base/plural.h"

#include <fmt/format.h>

namespace headway {

std::string plural(std::size_t count, std::string_view one) {
  if (count == 1) return fmt::format("1 {}", one);
  const bool changes =
      one.size() > 1 && one.ends_with('y') && std::string_view("aeiou").find(one[one.size() - 2]) == one.npos;
  return changes ? fmt::format("{} {}ies", count, one.substr(0, one.size() - 1))
                 : fmt::format("{} {}s", count, one);
}

}  // namespace headway
