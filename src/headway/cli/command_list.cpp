// SPDX-License-Identifier: Apache-2.0
// headway list: lists the members of families and the named values of keys.
#include <fmt/format.h>

#include <algorithm>

#include "headway/catalogue/catalogue.h"
#include "headway/catalogue/keys.h"
#include "headway/cli/command.h"
#include "headway/config/nearest.h"
#include "headway/config/parameter_values.h"

namespace headway::cli {
namespace {

using namespace catalogue;

void print_family(const Family& family, std::size_t width, Terminal& terminal) {
  terminal.print(terminal.bold(family.title) + fmt::format(" ({})\n", family.key));
  for (const Member& member : family.members)
    terminal.print(fmt::format("  {:<{}}  {}  [{}]\n", member.name, width, member.help, member.source));
}

std::string text_of(const std::vector<NamedValues>& keys) {
  std::string text;
  for (const NamedValues& key : keys)
    text += fmt::format("  {:<26}  {}\n", key.key, list_text(key.names, "or"));
  return text;
}

int run_list(const Arguments& arguments, Terminal& terminal) {
  std::size_t width = 0;
  for (const Family& family : families())
    for (const Member& member : family.members) width = std::max(width, member.name.size());
  const auto word = arguments.value("FAMILY");
  bool found = false;
  for (const Family& family : families()) {
    if (word && !is_called(family, *word)) continue;
    if (found) terminal.print("\n");
    print_family(family, width, terminal);
    found = true;
  }
  if (const std::string values = text_of(named_values(word)); !values.empty()) {
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
