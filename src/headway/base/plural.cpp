// SPDX-License-Identifier: Apache-2.0
#include "headway/base/plural.h"

#include <fmt/format.h>

namespace headway {

std::string plural(std::size_t count, std::string_view one) {
  if (count == 1) return fmt::format("1 {}", one);
  if (one.size() > 1 && one.ends_with('y') && std::string_view("aeiou").find(one[one.size() - 2]) == one.npos)
    return fmt::format("{} {}ies", count, one.substr(0, one.size() - 1));
  const bool hisses = one.ends_with('s') || one.ends_with('x') || one.ends_with("ch") || one.ends_with("sh");
  return fmt::format("{} {}{}", count, one, hisses ? "es" : "s");
}

}  // namespace headway
