// SPDX-License-Identifier: Apache-2.0
// Small specs to start from: one per family of networks or of questions, each with a comment on every key.
// They are files of examples/start/, without these comments; cmake/starters.cmake puts them into the program.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace headway::catalogue {

struct Starter {
  std::string_view name;       // "tree"
  std::string_view help;       // one line
  std::string_view text;       // a spec without comments on keys
  std::string_view file = {};  // that the spec names; empty: none
  std::string_view content = {};
};

std::span<const Starter> starters();

// The spec with the meaning, the valid values and the default of every key above its line.
std::string explained_spec(const Starter& starter);

}  // namespace headway::catalogue
