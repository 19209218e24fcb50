// SPDX-License-Identifier: Apache-2.0
// headway list: lists the members of families and the named values of keys.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "headway/base/small_letters.h"
#include "headway/catalogue/names.h"
#include "headway/cli/command.h"
#include "headway/config/nearest.h"
#include "headway/config/parameter_values.h"
#include "headway/metrics/metric.h"
#include "headway/metrics/tables.h"

namespace headway::cli {
namespace {

using namespace catalogue;

void print_family(const Family& family, std::size_t width, Terminal& terminal) {
  terminal.print(terminal.bold(family.title) + fmt::format(" ({})\n", family.key));
  for (const Member& member : family.members)
    terminal.print(
        terminal.folded(fmt::format("  {:<{}}  {} [{}]\n", member.name, width, member.help, member.source)));
}

std::string text_of(const std::vector<NamedValues>& keys) {
  std::string text;
  for (const NamedValues& key : keys)
    text += fmt::format("  {:<26}  {}\n", key.key, list_text(key.names, "or"));
  return text;
}

// What results have; only on request, because there are hundreds.
constexpr std::string_view kOfResults[] = {"metrics", "tables"};

bool print_results(std::string_view word, Terminal& terminal) {
  std::string text;
  if (word == "metrics" || word == "metric") {
    for (const Metric& metric : all_metrics())
      if (metric.table.empty()) text += fmt::format("  {:<30}  {}\n", metric.name, metric.help);
    terminal.print(terminal.bold("Metrics of a run") + "\n" + terminal.folded(text));
  } else if (word == "tables" || word == "table") {
    for (const TableKind& table : result_tables())
      text += fmt::format("  {:<30}  {}; runs with {}\n", table.name, table.rows, table.when);
    terminal.print(terminal.bold("Tables of results") + " (files of --out DIR)\n" + terminal.folded(text));
  }
  return !text.empty();
}

int run_list(const Arguments& arguments, Terminal& terminal) {
  std::size_t width = 0;
  for (const Family& family : families())
    for (const Member& member : family.members) width = std::max(width, member.name.size());
  const auto typed = arguments.value("FAMILY");
  const auto word = typed ? std::optional(in_small_letters(*typed)) : std::nullopt;
  bool found = word && print_results(*word, terminal);
  for (const Family& family : families()) {
    if (word && !is_called(family, *word)) continue;
    if (found) terminal.print("\n");
    print_family(family, width, terminal);
    found = true;
  }
  if (const std::string values = text_of(named_values(word)); !values.empty()) {
    if (found) terminal.print("\n");
    terminal.print(terminal.bold("Keys with named values") + "\n" + terminal.folded(values));
    found = true;
  }
  if (!found) {
    std::vector<std::string_view> names = family_names();
    names.insert(names.end(), std::begin(kOfResults), std::end(kOfResults));
    throw UsageError(unknown("family", *typed, names));
  }
  terminal.say("\n'headway explain NAME' shows details.");
  return kFine;
}

}  // namespace

Command command_list() {
  return {.name = "list",
          .place = 150,
          .summary = "list topologies, routings, schemes, patterns and arbiters",
          .description =
              "Lists the members of all families, or of one family. Each member has a line with its "
              "description and source. 'headway list metrics' lists the metrics of runs, 'headway list "
              "tables' the tables of results.",
          .positionals = {{.name = "FAMILY",
                           .help = "a family, a key whose value is a name, metrics or tables",
                           .required = false,
                           .completes = Completes::families}},
          .examples = {{"headway list", "lists all families"},
                       {"headway list schemes", "lists the queueing schemes"}},
          .run = run_list};
}

}  // namespace headway::cli
