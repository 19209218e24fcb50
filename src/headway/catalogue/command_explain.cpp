// SPDX-License-Identifier: Apache-2.0
// headway explain: explains a name or a key of a spec, from the same descriptions that the parser uses.
#include "headway/catalogue/explain.h"

#include <fmt/format.h>

#include "headway/base/small_letters.h"
#include "headway/catalogue/names.h"
#include "headway/catalogue/reference.h"
#include "headway/cli/command.h"
#include "headway/config/nearest.h"

namespace headway::cli {
namespace {

int run_explain(const Arguments& arguments, Terminal& terminal) {
  if (const auto page = arguments.value("--markdown")) {
    const auto valid = value_of<catalogue::ReferencePage>(*page);
    if (!valid) throw UsageError(unknown("page", *page, kNames<catalogue::ReferencePage>));
    terminal.print(catalogue::reference_page(*valid));
    return kFine;
  }
  const auto name = arguments.value("NAME");
  if (!name) throw UsageError("NAME is missing: a key of a spec, a member of a family, or a metric");
  std::string text = catalogue::explained(
      *name, [&](std::string_view word) { return terminal.bold(word); }, terminal.text_width(80));
  if (const Command* const command = find_command(in_small_letters(*name)))
    text +=
        fmt::format("{}{}: {}\n  a command; 'headway help {}' explains it\n", text.empty() ? "" : "\n",
                    terminal.bold(fmt::format("headway {}", command->name)), command->summary, command->name);
  if (text.empty()) throw UsageError(unknown("name", *name, catalogue::topics()));
  terminal.print(terminal.folded(text));
  return kFine;
}

}  // namespace

Command command_explain() {
  return {
      .name = "explain",
      .place = 160,
      .summary = "explain a key of a spec, a scheme or a metric",
      .description =
          "Explains a key of a spec, a member of a family, a metric, a table of results or a status: its "
          "meaning, its parameters with units, ranges and defaults, and its source. Then says what is "
          "called so by other tools, such as VC, NIC or fat-tree, and which name it has here, and which "
          "command has the name.",
      .positionals = {{.name = "NAME",
                       .help = "key (or its last part), member of a family, metric, table or status",
                       .required = false,
                       .completes = Completes::topics}},
      .flags = {{.spelled = "--markdown PAGE",
                 .help = "prints a page of the documentation as Markdown: keys, families, metrics or steps"}},
      .examples = {{"headway explain obqa", "explains a queueing scheme and the cost of its queues"},
                   {"headway explain switch.scheme", "explains a key of a spec"},
                   {"headway explain latency_p99_ns", "explains a metric"},
                   {"headway explain vc", "says what virtual channels are called here"}},
      .run = run_explain};
}

}  // namespace headway::cli
