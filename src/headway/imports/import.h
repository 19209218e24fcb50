// SPDX-License-Identifier: Apache-2.0
// Makes a spec of the configuration of another simulator. Every setting of the input is translated, named in
// the spec as one without counterpart, or a mistake (docs/coming-from.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/config/names.h"

namespace headway {

namespace imports {

enum class Simulator : std::uint8_t { booksim, htsim, hpcc, caminos };

struct Source {
  std::string path;
  std::string text;
  std::string named = path;  // as the spec names it
};

struct Import {
  std::string spec;  // TOML, with a comment on every choice
  // Files that the spec names, such as a network: name and content.
  std::vector<std::pair<std::string, std::string>> files;
};

constexpr auto names_in_specs(Simulator) { return name_list("booksim", "htsim", "hpcc", "caminos"); }

// The simulator that reads these files, by their content.
std::optional<Simulator> simulator_of(const std::vector<Source>& sources);

// `stem` begins the names of the files of the import. Throws SpecError with every mistake.
Import import_from(Simulator simulator, const std::vector<Source>& sources, const std::string& stem);

}  // namespace imports
}  // namespace headway
