// SPDX-License-Identifier: Apache-2.0
// Says by name which member of a list of mechanisms the reference simulator has no plain version of.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string_view>
#include <variant>

#include "headway/config/registry.h"

namespace headway::reference {

[[noreturn]] inline void lacks(std::string_view family, std::string_view name) {
  throw std::logic_error(fmt::format(
      "tests/reference has no plain version of the {} \"{}\" (CONTRIBUTING.md, \"Add a reaction\")", family,
      name));
}

// `own`: the member of a network.
template <class... Known, class Own>
void expect_plain(std::string_view family, const Own& own) {
  if ((std::holds_alternative<Known>(own) || ...)) return;
  std::visit(
      [&](const auto& member) {
        if constexpr (requires { member.kName; })
          lacks(family, member.kName);
        else
          lacks(family, member.entry().name);
      },
      own);
}

}  // namespace headway::reference
