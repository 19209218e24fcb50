// SPDX-License-Identifier: Apache-2.0
// Makes a spec of the configuration of another simulator. Every setting of the input is translated, named in
// the spec as one without counterpart, or a mistake (docs/coming-from.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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

// A file that the spec names, such as a network.
struct ImportedFile {
  std::string name;
  std::string content;
  std::string made_from;  // path
  bool same_lines;        // as the file from which it is made
};

struct Import {
  std::string spec;  // TOML, with a comment on every choice
  std::vector<ImportedFile> files;
};

constexpr auto names_in_specs(Simulator) { return name_list("booksim", "htsim", "hpcc", "caminos"); }

// The simulator that reads these files, by what they contain outside of comments.
std::optional<Simulator> simulator_of(const std::vector<Source>& sources);

// The spec will be the file `path`, whose stem begins the names of the other files. `headway check` accepts
// it. Throws SpecError with every mistake of the sources, or with what the check refuses.
Import import_from(Simulator simulator, const std::vector<Source>& sources, const std::string& path);

}  // namespace imports
}  // namespace headway
