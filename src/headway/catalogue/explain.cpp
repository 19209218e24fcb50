// SPDX-License-Identifier: Apache-2.0
#include "headway/catalogue/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "headway/base/wrapped.h"
#include "headway/catalogue/catalogue.h"
#include "headway/catalogue/keys.h"
#include "headway/catalogue/reference.h"
#include "headway/congestion/table_cost.h"
#include "headway/metrics/metric.h"
#include "headway/metrics/result.h"
#include "headway/metrics/snapshot_metrics.h"
#include "headway/metrics/tables.h"
#include "headway/queueing/cost.h"
#include "headway/queueing/scheme.h"

namespace headway::catalogue {
namespace {

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

// Cost in the routing tables of a scheme that keeps lists of destinations.
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

std::string explain(const Member& member, const Family& family, const Bold& bold) {
  std::string text = fmt::format("{}: {}\n", bold(member.name), member.help);
  text += fmt::format("  {} = \"{}\"\n  source: {}\n", family.key, member.name, member.source);
  if (const auto rows = parameter_rows(member.describe); !rows.empty())
    text += fmt::format("\nParameters, in the same table of the spec:\n{}", text_of(rows));
  if (family.name == "schemes") text += cost_text(member.name) + table_text(member.name);
  return text;
}

std::string explain(const Key& key, const Bold& bold) {
  std::string text = fmt::format("{}: {}\n  {}\n", bold(key.path), key.row.help, facts_of(key.row));
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

std::string explain(const Metric& metric, std::string_view name, const Bold& bold) {
  std::string text = fmt::format("{}: {}\n  unit: {}\n", bold(name), metric.help, metric.unit);
  if (metric.table == kSnapshotTable)
    text += "  of a snapshot; shown by headway view\n";
  else if (!metric.table.empty())
    text += fmt::format("  column of {}\n", metric.table);
  if (metric.needs != Needs::nothing) text += fmt::format("  only: {}\n", name_of(metric.needs));
  if (!metric.table.empty()) return text;
  for (const TableKind& table : result_tables())
    if (column_of_rows(table, metric.name) != nullptr)
      text += fmt::format("  of each {}, as NAME.{}: runs with {}\n", table.columns.front().name, metric.name,
                          table.when);
  return text;
}

// Returns true if the explanation of a metric of the run says that the rows of the column's table have it.
bool is_explained_with_run(const Metric& column) {
  return !column.table.empty() && find_metric(column.name) != nullptr &&
         column_of_rows(*find_table(column.table), column.name) != nullptr;
}

constexpr std::string_view meaning_of(Status status) {
  switch (status) {
    case Status::ok:
      return "the window shows a steady state, or all jobs are done";
    case Status::too_short:
      return "the window is too short for a decision";
    case Status::not_steady:
      return "loads change within the window, or no end of the warm-up was found";
    case Status::saturated:
      return "the sources offer more than the network carries: latencies grow with the window";
    case Status::unfinished:
      return "jobs were not done at measure.limit";
    case Status::deadlock:
      return "some packets can never move";
  }
  return "";
}

std::string explained_statuses(const Bold& bold) {
  std::string text =
      fmt::format("{}: whether the numbers of a run can be trusted (docs/verdicts.md)\n", bold("status"));
  for (const Status status : {Status::ok, Status::too_short, Status::not_steady, Status::saturated,
                              Status::unfinished, Status::deadlock})
    text += fmt::format("  {:<12}{}\n", name_of(status), meaning_of(status));
  return text;
}

}  // namespace

std::string explained(std::string_view name, const Bold& bold) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "\n") + part; };
  for (const Key& key : keys())
    if (name == key.path || name == key.row.name) add(explain(key, bold));
  for (const Family& family : families())
    for (const Member& member : family.members)
      if (name == member.name) add(explain(member, family, bold));
  for (const Metric& metric : all_metrics())
    if ((covers(metric, name) || name == metric.name) && !is_explained_with_run(metric))
      add(explain(metric, name, bold));
  for (const Metric& metric : snapshot_metrics())
    if (name == metric.name) add(explain(metric, name, bold));
  if (name == "status") add(explained_statuses(bold));
  if (text.empty())
    if (const Metric* of_row = find_metric(name))
      add(explain(*of_row, name, bold));  // storage.latency_p99_ns
  return text;
}

}  // namespace headway::catalogue
