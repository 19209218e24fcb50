// SPDX-License-Identifier: Apache-2.0
#include "headway/catalogue/starters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "headway/base/wrapped.h"
#include "headway/catalogue/names.h"
#include "headway/catalogue/reference.h"

namespace headway::catalogue {
namespace {

struct File {
  std::string_view name, text;
};
constexpr File kFiles[] = {
#include "starter_texts.inc"
};

// A missing file does not compile.
consteval std::string_view text_of(std::string_view name) {
  return std::ranges::find(kFiles, name, &File::name)->text;
}

constexpr Starter kStarters[] = {
    {"tree", "a fat-tree of switches with a given number of ports, at three loads", text_of("tree.toml")},
    {"dragonfly", "a dragonfly whose groups send to the next group, with three routings",
     text_of("dragonfly.toml")},
    {"grid", "a torus or mesh of any dimension, with two patterns", text_of("grid.toml")},
    {"hyperx", "a HyperX or flattened butterfly, with three routings", text_of("hyperx.toml")},
    {"fabric", "a network from a file or from the output of ibnetdiscover, with and without a failed link",
     text_of("fabric.toml"), "headway.network.toml", text_of("headway.network.toml")},
    {"incast", "many nodes send to one while others exchange traffic, with five queueing schemes",
     text_of("incast.toml")},
    {"infiniband", "a fat-tree of InfiniBand switches with adaptive routing, under a permutation",
     text_of("infiniband.toml")},
    {"ethernet", "a lossless Ethernet fabric with pauses, marks and adaptive routing, under a permutation",
     text_of("ethernet.toml")},
    {"slingshot", "a dragonfly of switches as in Slingshot networks, whose groups send to the next group",
     text_of("slingshot.toml")},
    {"myrinet", "a Myrinet: single queues, up*/down* routes, Stop and Go", text_of("myrinet.toml")},
    {"cray-torus", "a torus as those of Cray, with adaptive channels and an escape",
     text_of("cray-torus.toml")},
    {"rails", "servers of GPUs with rails between them, and an all-to-all that stays on rails or does not",
     text_of("rails.toml")},
    {"job", "an all-reduce beside writes to storage, with two queueing schemes", text_of("job.toml")},
};

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

// Whether a key belongs to the choices that the lines of its table make: "switch.scheme = dbbm or obqa" fits
// a line scheme = "obqa".
bool fits(std::string_view only_with, const std::vector<std::string_view>& lines) {
  if (only_with.empty()) return true;
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

std::string comment_on(const Key& key) {
  const std::string text = wrapped(fmt::format("{} ({})", key.row.help, facts_of(key.row)), 0, 118);
  std::string comment;
  for (const std::string_view line : lines_of(text)) comment += fmt::format("# {}\n", line);
  return comment;
}

}  // namespace

std::span<const Starter> starters() { return kStarters; }

std::string explained_spec(const Starter& starter) {
  const std::vector<std::string_view> lines = lines_of(starter.text);
  std::string result = fmt::format(
      "#:schema headway.schema.json\n# {}{}.\n#   headway check FILE        finds mistakes\n"
      "#   headway run FILE          simulates every point\n#   headway why FILE          says why packets "
      "wait\n"
      "#   headway explain NAME      explains a key or a name\n\n",
      static_cast<char>(std::toupper(static_cast<unsigned char>(starter.help[0]))), starter.help.substr(1));
  std::string table;
  std::vector<std::string_view> lines_of_table;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (const std::string_view head = table_of(lines[i]); !head.empty()) {
      table = head;
      const auto first = lines.begin() + static_cast<std::ptrdiff_t>(i) + 1;
      const auto is_head = [](std::string_view line) { return !table_of(line).empty(); };
      lines_of_table.assign(first, std::find_if(first, lines.end(), is_head));
    }
    const std::string_view name = lines[i].substr(0, lines[i].find(" = "));
    const std::string path = fmt::format("{}.{}", table, name);
    const auto key = std::ranges::find_if(keys(), [&](const Key& known) {
      return known.path == path && fits(known.only_with, lines_of_table);
    });
    if (name.size() < lines[i].size() && !name.starts_with('#') && key != keys().end())
      result += comment_on(*key);
    result += fmt::format("{}\n", lines[i]);
  }
  return result;
}

}  // namespace headway::catalogue
