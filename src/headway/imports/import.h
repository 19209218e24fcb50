// SPDX-License-Identifier: Apache-2.0
// Makes a spec of what other tools write: configurations of simulators, networks, dumps of fabrics.
// Everything in the input is translated, named in the spec as without counterpart, or a mistake
// (docs/coming-from.md, docs/fabrics.md).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headway/config/names.h"

namespace headway {

class Mistakes;

namespace imports {

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
  std::vector<ImportedFile> files = {};
  std::vector<std::string> said = {};  // what was assumed or left out, for whoever reads no comments
};

// What is imported. The spec will be the file `path`, whose stem begins the names of the other files.
struct Request {
  std::vector<Source> sources;  // the first one says what the import is
  std::string path;

  const Source& first() const { return sources.front(); }
  std::string beside(std::string_view suffix) const;  // "my.network.toml" beside "my.toml"
};

// A format of files, by what other tools call it.
struct Format {
  std::string_view name;
  std::string_view what;  // one line
  bool (*recognises)(std::string_view text);
  Import (*import)(const Request& request, Mistakes& mistakes);
  std::size_t most_files = 1;
};

// In the order in which they are asked what a file is. To add one, write a file with its function and name it
// in formats.cpp.
std::span<const Format> formats();
std::vector<std::string_view> format_names();

// The format of the first source, by its content. Throws SpecError if it has none, with the names of all, or
// with the reason if the file is known and cannot be imported.
const Format& format_of(const std::vector<Source>& sources);
const Format* find_format(std::string_view name);  // null if there is none

// What happens to keys that are not known.
enum class Unknown : std::uint8_t { refuse, warn };
constexpr auto names_in_specs(Unknown) { return name_list("refuse", "warn"); }

// `headway check` accepts the spec. Throws SpecError with every mistake of the sources, or with what the
// check refuses.
Import import_from(const Format& format, const Request& given, Unknown unknown = Unknown::refuse);

}  // namespace imports
}  // namespace headway
