// SPDX-License-Identifier: Apache-2.0
// headway explain: what a name or a key of a spec means, from the descriptions that also parse it.
#include <fmt/format.h>

#include <algorithm>

#include "headway/cli/catalogue.h"
#include "headway/cli/help.h"
#include "headway/cli/keys.h"
#include "headway/cli/parse.h"
#include "headway/congestion/table_cost.h"
#include "headway/experiment/saturation.h"
#include "headway/metrics/fairness.h"
#include "headway/metrics/isolation.h"
#include "headway/metrics/overflow.h"
#include "headway/metrics/window.h"
#include "headway/metrics/zones.h"
#include "headway/queueing/cost.h"
#include "headway/queueing/scheme.h"

namespace headway::cli {
namespace {

std::string facts_of(const ParameterRow& row) {
  const bool named = row.type == "a text" && !row.valid.empty();  // the choices say all
  std::string facts = named ? row.valid : row.type;
  if (!named && !row.valid.empty()) facts += fmt::format(": {}", row.valid);
  if (!row.standard.empty()) facts += fmt::format("; default {}", row.standard);
  return facts;
}

std::string text_of(const std::vector<ParameterRow>& rows) {
  std::string text;
  for (const ParameterRow& row : rows)
    text += fmt::format("  {} ({})\n{}", row.name, facts_of(row), wrapped(row.help, 6));
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

// What a scheme that keeps lists of destinations adds to routing tables.
std::string table_text(std::string_view scheme) {
  const auto plan = find(schemes(), scheme)->make()->isolation();
  if (!plan) return "";
  constexpr std::uint64_t kPorts = 8, kNodes = 1024;  // the example of the paper
  const TableEntry entry = isolation_entry(kPorts, plan->rules.lines);
  return fmt::format(
      "\nLists of destinations as fields of the routing table (FBICM, section 3.3), in bits per destination "
      "with {} ports "
      "and {}\nCFQs: output port {}, lines of that port {}, lines of all input ports {}, notification sent "
      "{}. That is {} "
      "instead of {}\nbits; for {} destinations {} instead of {}. (The paper prints 83 KB instead of 3 KB: "
      "these are "
      "Kbit.)\n",
      kPorts, plan->rules.lines, entry.output_port, entry.lines_at_output, entry.lines_at_inputs,
      entry.notification_sent, entry.bits(), routing_entry(kPorts).bits(), kNodes,
      to_string(Bytes{static_cast<std::int64_t>(kNodes * entry.bits() / 8)}),
      to_string(Bytes{static_cast<std::int64_t>(kNodes * routing_entry(kPorts).bits() / 8)}));
}

std::string explain(const Member& member, const Family& family, const Terminal& terminal) {
  std::string text = fmt::format("{}: {}\n", terminal.bold(member.name), member.help);
  text += fmt::format("  {} = \"{}\"\n  source: {}\n", family.key, member.name, member.source);
  if (const auto rows = parameter_rows(member.describe); !rows.empty())
    text += fmt::format("\nParameters, in the same table of the spec:\n{}", text_of(rows));
  if (family.name == "schemes") text += cost_text(member.name) + table_text(member.name);
  return text;
}

std::string explain(const Key& key, const Terminal& terminal) {
  std::string text = fmt::format("{}: {}\n  {}\n", terminal.bold(key.path), key.row.help, facts_of(key.row));
  if (!key.only_with.empty()) text += fmt::format("  with {} only\n", key.only_with);
  for (const Family& family : families()) {
    if (family.key != key.path) continue;
    text += "\nOne of:\n";
    for (const Member& member : family.members) text += fmt::format("  {:<18}{}\n", member.name, member.help);
  }
  const std::string inner = key.path + ".";
  for (const Key& other : keys())
    if (other.path.starts_with(inner)) text += fmt::format("  {:<28}{}\n", other.path, facts_of(other.row));
  return text;
}

std::string explain_metric(const auto& metric, const Terminal& terminal) {
  return fmt::format("{}: {}\n  unit: {}\n", terminal.bold(metric.name), metric.help, metric.unit);
}

// Everything of that name, a blank line between. A key may be given by its last part.
std::string explain(std::string_view name, const Terminal& terminal) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "\n") + part; };
  for (const Key& key : keys())
    if (name == key.path || name == key.row.name) add(explain(key, terminal));
  for (const Family& family : families())
    for (const Member& member : family.members)
      if (name == member.name) add(explain(member, family, terminal));
  for (const auto& metrics : {metric_definitions(), trace_metric_definitions()})
    for (const MetricDefinition& metric : metrics)
      if (name == metric.name) add(explain_metric(metric, terminal));
  for (const FairnessDefinition& metric : fairness_definitions())
    if (name == metric.name) add(explain_metric(metric, terminal) + "  with measure.fairness only\n");
  for (const SaturationMetric& metric : saturation_metric_definitions())
    if (name == metric.name) add(explain_metric(metric, terminal) + "  of saturation searches only\n");
  for (const IsolationMetric& metric : isolation_metric_definitions())
    if (name == metric.name)
      add(explain_metric(metric, terminal) + (metric.watched ? "  of schemes fbicm and recn-iq, with"
                                                               " measure.watch_destination only\n"
                                                             : "  of schemes fbicm and recn-iq only\n"));
  for (const OverflowMetric& metric : overflow_metric_definitions())
    if (name == metric.name) add(explain_metric(metric, terminal) + "  of scheme dbbm-unshared only\n");
  for (const auto& metric : metrics::zone_metric_definitions())
    if (metric.covers(name))
      add(fmt::format("{}: {} (slotted networks)\n  unit: {}\n", terminal.bold(name), metric.help,
                      metric.unit));
  return text;
}

// docs/schemes.md: all of it.
std::string markdown() {
  std::string page =
      "# Keys, families, metrics\n\n*Generated by `headway explain --markdown`; do not edit.*\n";
  page += "\n## Keys of a spec\n\n| key | value | meaning |\n|---|---|---|\n";
  for (const Key& key : keys()) {
    if (key.only_with.find('.') != std::string::npos) continue;  // stands with its members below
    page += fmt::format("| `{}` | {} | {}{} |\n", key.path, facts_of(key.row), key.row.help,
                        key.only_with.empty() ? "" : fmt::format(" (with {} only)", key.only_with));
  }
  for (const Family& family : families()) {
    page += fmt::format("\n## {}\n\n`{}`: {}.\n", family.title, family.key, family.help);
    for (const Member& member : family.members) {
      page += fmt::format("\n### {}\n\n{}. *Source: {}.*\n", member.name, member.help, member.source);
      const auto rows = parameter_rows(member.describe);
      if (!rows.empty()) page += "\n| parameter | value | meaning |\n|---|---|---|\n";
      for (const ParameterRow& row : rows)
        page += fmt::format("| `{}` | {} | {} |\n", row.name, facts_of(row), row.help);
    }
  }
  page += "\n## Metrics\n\n| metric | unit | meaning |\n|---|---|---|\n";
  for (const MetricDefinition& metric : metric_definitions())
    page += fmt::format("| `{}` | {} | {} |\n", metric.name, metric.unit, metric.help);
  for (const MetricDefinition& metric : trace_metric_definitions())
    page += fmt::format("| `{}` | {} | {} (runs with traces) |\n", metric.name, metric.unit, metric.help);
  page +=
      "\n## Metrics of fairness\n\nWith `measure.fairness`.\n\n| metric | unit | meaning |\n|---|---|---|\n";
  for (const FairnessDefinition& metric : fairness_definitions())
    page += fmt::format("| `{}` | {} | {} |\n", metric.name, metric.unit, metric.help);
  page +=
      "\n## Metrics of saturation searches\n\nOf `headway saturation`, and of figures of papers that ask for "
      "one.\n\n| metric | unit | meaning |\n|---|---|---|\n";
  for (const SaturationMetric& metric : saturation_metric_definitions())
    page += fmt::format("| `{}` | {} | {} |\n", metric.name, metric.unit, metric.help);
  page +=
      "\n## Metrics of isolation\n\nOf the schemes `fbicm` and `recn-iq`.\n\n| metric | unit | meaning |\n"
      "|---|---|---|\n";
  for (const IsolationMetric& metric : isolation_metric_definitions())
    page += fmt::format("| `{}` | {} | {} |\n", metric.name, metric.unit, metric.help);
  page +=
      "\n## Metrics of overflow queues\n\nOf the scheme `dbbm-unshared`; in the time series, those of each "
      "bin.\n\n| metric | unit | meaning |\n|---|---|---|\n";
  for (const OverflowMetric& metric : overflow_metric_definitions())
    page += fmt::format("| `{}` | {} | {} |\n", metric.name, metric.unit, metric.help);
  page +=
      "\n## Metrics of slotted networks\n\n`PART` is `hotspot`, `class_C`, or a class in a zone such as "
      "`cold_5_class_1`; see [slotted.md](slotted.md).\n\n| metric | unit | meaning |\n|---|---|---|\n";
  for (const auto& metric : metrics::zone_metric_definitions())
    page += fmt::format("| `{}` | {} | {} |\n", metric.name, metric.unit, metric.help);
  page += "\n## Columns of the time series\n\n| column | unit | meaning |\n|---|---|---|\n";
  for (const SeriesDefinition& column : series_definitions())
    page += fmt::format("| `{}` | {} | {} |\n", column.name, column.unit, column.help);
  page +=
      "\nWith the schemes `fbicm` and `recn-iq` also, and `cfqs_stage_S` for the stages of a network that has"
      " any:\n\n| column | unit | meaning |\n|---|---|---|\n";
  for (const IsolationColumn& column : isolation_column_definitions())
    page += fmt::format("| `{}` | {} | {} |\n", column.name, column.unit, column.help);
  page +=
      "\n## Costs of lists of destinations\n\nBits per destination in the routing table of a switch with "
      "`fbicm`"
      " or `recn-iq`: its output port (OP), a bit per CFQ of that output port (CLOP) and of every input port "
      "(CLIP),"
      " and a bit per input port (NSB). FBICM, section 3.3, has the row of 8 ports and 8 CFQs as an example, "
      "and"
      " prints widths of 4 and 32 bits for CLOP and CLIP, which are those of 4 CFQs, and sizes for 1024 "
      "destinations of"
      " 3 KB without lists and 83 KB with them, which are Kbit.\n\n"
      "| ports | CFQs | OP | CLOP | CLIP | NSB | bits | times a plain table | of 1024 destinations |\n"
      "|---|---|---|---|---|---|---|---|---|\n";
  for (const auto& [ports, cfqs] : {std::pair{8U, 4U}, {8U, 8U}, {16U, 8U}, {36U, 8U}, {64U, 8U}}) {
    const TableEntry entry = isolation_entry(ports, cfqs);
    page +=
        fmt::format("| {} | {} | {} | {} | {} | {} | {} | {:.1f} | {} |\n", ports, cfqs, entry.output_port,
                    entry.lines_at_output, entry.lines_at_inputs, entry.notification_sent, entry.bits(),
                    static_cast<double>(entry.bits()) / static_cast<double>(routing_entry(ports).bits()),
                    to_string(Bytes{static_cast<std::int64_t>(1024 * entry.bits() / 8)}));
  }
  page +=
      "\n## Published costs\n\nOf an input port's memory with two packets of 64 B per queue, 45 nm (OBQA, "
      "Table 3).\n\n";
  page += "| scheme | queues | memory | area |\n|---|---|---|---|\n";
  for (const PublishedCost& cost : published_costs())
    page += fmt::format("| {} | {} | {} | {} mm² |\n", cost.scheme, cost.queues, to_string(cost.memory),
                        cost.area_mm2);
  return page;
}

int run(const Arguments& arguments, Terminal& terminal) {
  if (arguments.has("--markdown")) {
    terminal.print(markdown());
    return kFine;
  }
  const auto name = arguments.value("NAME");
  if (!name) throw UsageError("NAME is missing");
  const std::string text = explain(*name, terminal);
  if (text.empty()) {
    const std::vector<std::string> names = topics();
    throw UsageError(unknown("name", *name, std::vector<std::string_view>(names.begin(), names.end())));
  }
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
          .positionals = {{.name = "NAME",
                           .help = "key (or its last part), entry or metric",
                           .required = false,
                           .completes = Completes::topics}},
          .flags = {{.name = "--markdown", .help = "everything there is, as Markdown"}},
          .examples = {{"headway explain obqa", "a queueing scheme and what its queues cost"},
                       {"headway explain switch.scheme", "a key of a spec"},
                       {"headway explain latency_p99_ns", "a metric"}},
          .run = run};
}

}  // namespace headway::cli
