// SPDX-License-Identifier: Apache-2.0
// headway list: lists the members of families and the named values of keys.
#include <fmt/format.h>

#include <algorithm>

#include "headway/cli/catalogue.h"
#include "headway/cli/command.h"
#include "headway/cli/keys.h"
#include "headway/cli/parse.h"

namespace headway::cli {
namespace {

std::vector<std::string_view> family_names() {
  std::vector<std::string_view> names;
  for (const Family& family : families()) names.push_back(family.name);
  return names;
}

// Accepts "scheme" as well as "schemes".
bool names(std::string_view word, const Family& family) {
  return word == family.name || word == family.key || word == family.key.substr(family.key.rfind('.') + 1);
}

void print_family(const Family& family, std::size_t width, Terminal& terminal) {
  terminal.print(terminal.bold(family.title) + fmt::format(" ({})\n", family.key));
  for (const Member& member : family.members)
    terminal.print(fmt::format("  {:<{}}  {}  [{}]\n", member.name, width, member.help, member.source));
}

// Keys whose values are names without parameters of their own: "arbiters" is switch.arbiter.
std::string named_values(const std::optional<std::string>& word) {
  std::string text;
  for (const Key& key : keys()) {
    const bool names = key.row.type == "a text" || key.row.type == "a list of names";
    if (!names || key.row.names.empty() || !key.only_with.empty()) continue;
    if (!word || *word == key.path || *word == key.row.name || *word == key.row.name + 's')
      text += fmt::format("  {:<26}  {}\n", key.path, key.row.valid);
  }
  return text;
}

int run_list(const Arguments& arguments, Terminal& terminal) {
  std::size_t width = 0;
  for (const Family& family : families())
    for (const Member& member : family.members) width = std::max(width, member.name.size());
  const auto word = arguments.value("FAMILY");
  bool found = false;
  for (const Family& family : families()) {
    if (word && !names(*word, family)) continue;
    if (found) terminal.print("\n");
    print_family(family, width, terminal);
    found = true;
  }
  if (const std::string values = named_values(word); !values.empty()) {
    if (found) terminal.print("\n");
    terminal.print(terminal.bold("Keys with named values") + "\n" + values);
    found = true;
  }
  if (!found) throw UsageError(unknown("family", *word, family_names()));
  terminal.say("\n'headway explain NAME' shows details.");
  return kFine;
}

}  // namespace

Command command_list() {
  return {.name = "list",
          .summary = "list topologies, routings, schemes, patterns and arbiters",
          .description =
              "Lists the members of all families, or of one family. Each member has a line with its "
              "description and source.",
          .positionals = {{.name = "FAMILY",
                           .help = "a family, or a key whose value is a name",
                           .required = false,
                           .completes = Completes::families}},
          .examples = {{"headway list", "lists all families"},
                       {"headway list schemes", "lists the queueing schemes"}},
          .run = run_list};
}

}  // namespace headway::cli
