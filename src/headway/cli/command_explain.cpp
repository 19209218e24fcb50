// SPDX-License-Identifier: Apache-2.0
// headway explain: what a name or a key of a spec means, from the descriptions that also parse it.
#include <fmt/format.h>

#include <algorithm>

#include "headway/cli/catalogue.h"
#include "headway/cli/help.h"
#include "headway/cli/parse.h"
#include "headway/queueing/cost.h"

namespace headway::cli {
namespace {

// Parameters as indented text: name, type, default and range on one line, the help below.
std::string text_of(const std::vector<ParameterRow>& rows) {
  std::string text;
  for (const ParameterRow& row : rows) {
    std::string facts = row.type;
    if (!row.valid.empty()) facts += fmt::format(", {}", row.valid);
    if (!row.standard.empty()) facts += fmt::format(", default {}", row.standard);
    text += fmt::format("  {}  ({})\n{}", row.name, facts, wrapped(row.help, 6));
  }
  return text;
}

std::string cost_text(std::string_view scheme) {
  std::string text;
  for (const PublishedCost& cost : published_costs())
    if (cost.scheme == scheme)
      text += fmt::format("  {:>5} queues  {:>8}  {:.4f} mm2\n", cost.queues, to_string(cost.memory),
                          cost.area_mm2);
  if (text.empty()) return "";
  return "\nPublished cost of an input port's memory (OBQA, Table 3: 45 nm, two packets of 64 B per "
         "queue):\n" +
         text;
}

std::string explain(const Member& member, const Family& family, const Terminal& terminal) {
  std::string text = fmt::format("{}: {}\n", terminal.bold(member.name), member.help);
  text += fmt::format("  {} = \"{}\"\n  source: {}\n", family.key, member.name, member.source);
  if (const auto rows = parameter_rows(member.describe); !rows.empty())
    text += fmt::format("\nParameters, in the same table of the spec:\n{}", text_of(rows));
  if (family.name == "schemes") text += cost_text(member.name);
  return text;
}

std::string explain(const Family& family, const Terminal& terminal) {
  std::string text = fmt::format("{}: {}\n\nOne of:\n", terminal.bold(family.key), family.help);
  for (const Member& member : family.members) text += fmt::format("  {:<16}{}\n", member.name, member.help);
  return text;
}

// Everything of that name, a blank line between.
std::string explain(std::string_view name, const Terminal& terminal) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "\n") + part; };
  for (const Family& family : families()) {
    if (name == family.name || name == family.key) add(explain(family, terminal));
    for (const Member& member : family.members)
      if (name == member.name) add(explain(member, family, terminal));
  }
  return text;
}

std::vector<std::string_view> topics() {
  std::vector<std::string_view> names;
  for (const Family& family : families()) {
    names.push_back(family.key);
    names.push_back(family.name);
    for (const Member& member : family.members) names.push_back(member.name);
  }
  return names;
}

int run(const Arguments& arguments, Terminal& terminal) {
  const std::string name = *arguments.value("NAME");
  const std::string text = explain(name, terminal);
  if (text.empty()) throw UsageError(unknown("name", name, topics()));
  terminal.print(text);
  return kFine;
}

}  // namespace

Command command_explain() {
  return {.name = "explain",
          .summary = "what a key of a spec, a scheme or a metric means",
          .description =
              "Explains a key of a spec, a member of a family or a metric: what it is, its parameters with "
              "units, ranges and defaults, and where it comes from.",
          .positionals = {{.name = "NAME", .help = "key, entry or metric", .completes = Completes::topics}},
          .examples = {{"headway explain obqa", "a queueing scheme and what its queues cost"},
                       {"headway explain switch.scheme", "a key of a spec"}},
          .run = run};
}

}  // namespace headway::cli
