// SPDX-License-Identifier: Apache-2.0
#include "headway/imports/checked.h"

#include <fmt/format.h>

#include <algorithm>

#include "headway/base/input_file.h"
#include "headway/base/parse_number.h"
#include "headway/compile/load.h"
#include "headway/config/toml.h"

namespace headway::imports {
namespace {

struct CheckedFile {
  const ImportedFile* imported;
  std::string path;  // in memory
};

// The comment of a line of the spec, which names the setting from which it was made; empty if it has none.
std::string origin_of(const std::string& spec, std::size_t line) {
  std::size_t begin = 0;
  for (; line > 1 && begin < spec.size(); --line)
    begin = std::min(spec.find('\n', begin), spec.size() - 1) + 1;
  const std::string text = spec.substr(begin, spec.find('\n', begin) - begin);
  const std::size_t comment = text.rfind(" # ");
  return comment == std::string::npos ? "" : text.substr(comment + 3);
}

// The number behind "FILE:", and what follows it.
std::size_t line_in(std::string_view place, std::string_view file) {
  if (!place.starts_with(file) || place.size() <= file.size() || place[file.size()] != ':') return 0;
  const std::string_view rest = place.substr(file.size() + 1);
  return parse_number<std::size_t>(rest.substr(0, rest.find(':'))).value_or(0);
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

Mistake told_by_source(Mistake mistake, const Import& made, const std::vector<CheckedFile>& files,
                       const std::string& path, const std::string& source) {
  for (const CheckedFile& file : files) {
    if (const std::size_t line = line_in(mistake.where, file.path); line > 0) {
      const std::string& from = file.imported->made_from;
      mistake.where = file.imported->same_lines ? fmt::format("{}:{}", from, line) : from;
    }
    replace_all(mistake.where, file.path, file.imported->made_from);
    replace_all(mistake.message, file.path, file.imported->made_from);
  }
  const std::size_t line = line_in(mistake.where, path);
  if (line == 0 && mistake.where != path && !mistake.where.empty()) return mistake;
  mistake.where = source;
  if (const std::string origin = origin_of(made.spec, line); line > 0 && !origin.empty())
    mistake.message += fmt::format(" (from {})", origin);
  return mistake;
}

}  // namespace

std::vector<Mistake> refused(const Import& made, const std::string& path, const std::string& source) {
  LoadOptions options;
  std::vector<CheckedFile> files;
  for (const ImportedFile& file : made.files) {
    const std::size_t dot = file.name.rfind('.');
    const InputFile in_memory =
        InputFile::in_memory(file.name.substr(0, dot), file.name.substr(dot + 1), file.content);
    options.files.emplace(file.name, in_memory);
    files.push_back({&file, in_memory.path()});
  }
  try {
    check_experiment(parse_toml(made.spec, path), {}, options);
    return {};
  } catch (const SpecError& error) {
    std::vector<Mistake> mistakes = error.mistakes();
    for (Mistake& mistake : mistakes) mistake = told_by_source(std::move(mistake), made, files, path, source);
    return mistakes;
  }
}

}  // namespace headway::imports
