// SPDX-License-Identifier: Apache-2.0
#include "headway/catalogue/starters.h"

#include <fmt/format.h>

#include <cctype>
#include <vector>

#include "headway/base/wrapped.h"
#include "headway/catalogue/catalogue.h"
#include "headway/catalogue/keys.h"
#include "headway/catalogue/reference.h"

namespace headway::catalogue {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = text.find('\n', start);
    lines.push_back(text.substr(start, end - start));
    start = end == std::string_view::npos ? text.size() : end + 1;
  }
  return lines;
}

// "[[traffic.flow]]" -> "traffic.flow"; empty if the line is not the head of a table.
std::string_view table_of(std::string_view line) {
  if (!line.starts_with('[')) return "";
  const std::size_t start = line.find_first_not_of('[');
  return line.substr(start, line.find(']') - start);
}

// Finds a key of a table whose choices are made.
class Keys {
 public:
  // Whether the key belongs to the choices that the lines make.
  const Key* find(const std::string& path, const std::vector<std::string_view>& lines_of_table) const {
    for (const Key& key : keys_)
      if (key.path == path && (key.only_with.empty() || fits(key.only_with, lines_of_table))) return &key;
    return nullptr;
  }

 private:
  // "switch.scheme = dbbm or obqa" fits a line scheme = "obqa".
  static bool fits(std::string_view only_with, const std::vector<std::string_view>& lines) {
    const std::size_t equals = only_with.find(" = ");
    const std::string_view path = only_with.substr(0, equals);
    const std::string start = fmt::format("{} = \"", path.substr(path.rfind('.') + 1));
    const std::string members = fmt::format(" {} ", only_with.substr(equals + 3));
    for (const std::string_view line : lines)
      if (line.starts_with(start))
        return members.find(fmt::format(" {} ", line.substr(start.size(), line.size() - start.size() - 1))) !=
               std::string::npos;
    return false;
  }

  std::vector<Key> keys_ = keys();
};

std::string comment_on(const Key& key) {
  const std::string text = wrapped(fmt::format("{} ({})", key.row.help, facts_of(key.row)), 0, 118);
  std::string comment;
  for (const std::string_view line : lines_of(text)) comment += fmt::format("# {}\n", line);
  return comment;
}

}  // namespace

std::string explained_spec(const Starter& starter) {
  const Keys keys;
  const std::vector<std::string_view> lines = lines_of(starter.text);
  std::string result = fmt::format(
      "#:schema headway.schema.json\n# {}{}.\n#   headway check FILE        finds mistakes\n"
      "#   headway run FILE          simulates every point\n#   headway why FILE          says why packets "
      "wait\n"
      "#   headway explain NAME      explains a key or a name\n",
      static_cast<char>(std::toupper(static_cast<unsigned char>(starter.help[0]))), starter.help.substr(1));
  std::string table;
  std::vector<std::string_view> lines_of_table;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (const std::string_view head = table_of(lines[i]); !head.empty()) {
      table = head;
      lines_of_table.assign(lines.begin() + static_cast<std::ptrdiff_t>(i) + 1, lines.end());
      for (std::size_t own = 0; own < lines_of_table.size(); ++own)
        if (!table_of(lines_of_table[own]).empty()) lines_of_table.resize(own);
    }
    const std::string_view name = lines[i].substr(0, lines[i].find(" = "));
    if (name.size() < lines[i].size() && !name.starts_with('#'))
      if (const Key* key = keys.find(fmt::format("{}.{}", table, name), lines_of_table))
        result += comment_on(*key);
    result += fmt::format("{}\n", lines[i]);
  }
  return result;
}

}  // namespace headway::catalogue
