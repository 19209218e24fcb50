// SPDX-License-Identifier: Apache-2.0
#include "headway/base/plural.h"

#include <fmt/format.h>

namespace headway {

std::string several(std::string_view one) {
  if (one.size() > 1 && one.ends_with('y') && std::string_view("aeiou").find(one[one.size() - 2]) == one.npos)
    return fmt::format("{}ies", one.substr(0, one.size() - 1));
  const bool hisses = one.ends_with('s') || one.ends_with('x') || one.ends_with("ch") || one.ends_with("sh");
  return fmt::format("{}{}", one, hisses ? "es" : "s");
}

std::string plural(std::size_t count, std::string_view one) {
  return count == 1 ? fmt::format("1 {}", one) : fmt::format("{} {}", count, several(one));
}

}  // namespace headway
