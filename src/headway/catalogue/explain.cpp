// SPDX-License-Identifier: Apache-2.0
#include "headway/catalogue/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>
#include <vector>

#include "headway/base/small_letters.h"
#include "headway/base/wrapped.h"
#include "headway/catalogue/names.h"
#include "headway/catalogue/reference.h"
#include "headway/config/other_names.h"
#include "headway/congestion/table_cost.h"
#include "headway/metrics/result.h"
#include "headway/queueing/cost.h"
#include "headway/queueing/scheme.h"

namespace headway::catalogue {
namespace {

using Rows = std::vector<std::pair<std::string, std::string>>;  // of a name and a text

std::string text_of(const std::vector<ParameterRow>& rows, std::size_t width) {
  std::string text;
  for (const ParameterRow& row : rows)
    text += fmt::format("  {} ({})\n{}", row.name, facts_of(row), wrapped(row.help, 6, width));
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

std::string explain(const Member& member, const Family& family, const Bold& bold, std::size_t width) {
  std::string text = fmt::format("{}: {}\n", bold(member.name), member.help);
  text += fmt::format("  {} = \"{}\"\n  source: {}\n", family.key, member.name, member.source);
  if (const auto rows = parameter_rows(member.describe); !rows.empty())
    text += fmt::format("\nParameters, in the same table of the spec:\n{}", text_of(rows, width));
  if (family.name == "schemes") text += cost_text(member.name) + table_text(member.name);
  return text;
}

std::string explain(const Key& key, const Bold& bold) {
  std::string text = fmt::format("{}: {}\n  {}\n", bold(key.path), key.row.help, facts_of(key.row));
  if (!key.only_with.empty()) text += fmt::format("  with {} only\n", key.only_with);
  for (const Family& family : families()) {
    if (family.key != key.path) continue;
    text += "\nOne of:\n";
    Rows members;
    for (const Member& member : family.members) members.emplace_back(member.name, member.help);
    text += in_two_columns(members);
  }
  const std::string inner = key.path + ".";
  Rows inside;
  for (const Key& other : keys())
    if (other.path.starts_with(inner)) inside.emplace_back(other.path, facts_of(other.row));
  return text + in_two_columns(inside);
}

std::string explain(const Metric& metric, std::string_view name, const Bold& bold) {
  std::string text = fmt::format("{}: {}\n  unit: {}\n", bold(name), metric.help, metric.unit);
  if (metric.table == kSnapshotTable)
    text += "  of a snapshot; shown by headway view\n";
  else if (!metric.table.empty())
    text += fmt::format("  column of {}\n", metric.table);
  if (metric.needs != Needs::nothing) text += fmt::format("  only: {}\n", name_of(metric.needs));
  if (metric.table != kSnapshotTable)
    text += fmt::format("  over several seeds: {}\n", meaning_of(metric.over_seeds));
  if (!metric.table.empty()) return text;
  for (const TableKind& table : result_tables())
    if (column_of_rows(table, metric.name) != nullptr)
      text += fmt::format("  of each {}, as NAME.{}: runs with {}\n", table.columns.front().name, metric.name,
                          table.when);
  return text;
}

// A column whose name was explained before, in one line.
std::string explain_again(const Metric& column) {
  return fmt::format("  in {}: {}{}\n", column.table, column.help,
                     column.needs == Needs::nothing ? "" : fmt::format(" ({} only)", name_of(column.needs)));
}

std::string explain(const TableKind& table, const Bold& bold) {
  std::string text = fmt::format("{}: a table of results, {}.csv of --out DIR; its rows are {}\n",
                                 bold(table.name), table.name, table.rows);
  text += fmt::format("  runs with {}\n\nColumns:\n", table.when);
  Rows columns;
  for (const Metric& column : table.columns) columns.emplace_back(column.name, column.help);
  return text + in_two_columns(columns);
}

// Returns true if the explanation of a metric of the run says that the rows of the column's table have it.
bool is_explained_with_run(const Metric& column) {
  return !column.table.empty() && find_metric(column.name) != nullptr &&
         column_of_rows(*find_table(column.table), column.name) != nullptr;
}

std::string explained_statuses(const Bold& bold) {
  constexpr std::pair<Status, std::string_view> kMeanings[] = {
      {Status::ok, "the window shows a steady state, or all jobs are done"},
      {Status::too_short, "the window is too short for a decision"},
      {Status::not_steady, "loads change within the window, or no end of the warm-up was found"},
      {Status::saturated, "the sources offer more than the network carries: latencies grow with the window"},
      {Status::unfinished, "jobs were not done at measure.limit"},
      {Status::deadlock, "some packets can never move"}};
  static_assert(std::size(kMeanings) == std::size(kNames<Status>));
  std::string text =
      fmt::format("{}: whether the numbers of a run can be trusted (docs/verdicts.md)\n", bold("status"));
  for (const auto& [status, meaning] : kMeanings)
    text += fmt::format("  {:<12}{}\n", name_of(status), meaning);
  return text;
}

// The column of `headway saturation` (run/saturation.h).
std::string explained_limits(const Bold& bold) {
  return fmt::format(
      "{}: what the smallest load that a search did not sustain did not meet\n"
      "  share       the network must accept most of the offered load: 0.97 of it, or --share\n"
      "  latency     the mean latency may be 5 times that of a nearly empty network, or --times or "
      "--latency\n"
      "  memory      the run must fit into the memory\n"
      "  full load   nothing: load 1 is sustained\n"
      "  STATUS      the status of a run must be ok: 'headway explain status'\n",
      bold("limited_by"));
}

// A value of a key without parameters of its own, such as "round-robin".
std::string explained_value(std::string_view name, const std::string& key, const Bold& bold) {
  return fmt::format("{}: a value of {}; 'headway explain {}' says what it means\n", bold(name), key, key);
}

// One line about one of our names, which the table of other names has.
class Summary {
 public:
  explicit Summary(std::string_view name) : name_(name) {}

  std::string operator()(const Key* key) const { return key->row.help; }
  std::string operator()(const MemberOf& of) const {
    return fmt::format("{} = \"{}\": {}", of.family->key, name_, of.member->help);
  }
  std::string operator()(const Metric* metric) const { return std::string(metric->help); }
  std::string operator()(const TableKind* table) const { return fmt::format("a table of {}", table->rows); }
  std::string operator()(Word) const { return "what is said of a run"; }
  std::string operator()(const ValueOf& of) const { return fmt::format("{} = \"{}\"", of.key, name_); }

 private:
  std::string_view name_;
};

std::string summary_of(std::string_view ours) {
  if (const auto found = std::ranges::find(names(), ours, &Name::name); found != names().end())
    return std::visit(Summary(ours), found->meaning);
  if (ours.ends_with(".md")) return "a page of the documentation";
  return ours.starts_with("headway ") ? "explained by 'headway help'" : "";
}

std::string explained_other_name(std::string_view name, const Bold& bold) {
  Rows rows;
  for (const std::string_view ours : called_here(name))
    if (ours != name) rows.emplace_back(ours, summary_of(ours));
  return rows.empty()
             ? ""
             : fmt::format("What other tools call {} is here:\n{}", bold(name), in_two_columns(rows));
}

// Everything that has this name here.
class OurMeanings {
 public:
  OurMeanings(std::string_view name, const Bold& bold, std::size_t width)
      : name_(name), bold_(bold), width_(width) {}

  std::string take() {
    for (const Name& name : names())
      std::visit([&](const auto& meaning) { add_if_called(name.name, meaning); }, name.meaning);
    if (text_.empty())
      if (const Metric* of_row = find_metric(name_))
        add(explain(*of_row, name_, bold_));  // storage.latency_p99_ns
    return std::move(text_);
  }

 private:
  void add(const std::string& part) { text_ += (text_.empty() ? "" : "\n") + part; }

  void add_if_called(std::string_view, const Key* key) {
    if (name_ == key->path || name_ == key->row.name || is_family_of(*key)) add(explain(*key, bold_));
  }
  // Returns true if the name is that of the family whose members are the values of the key: "topologies".
  bool is_family_of(const Key& key) const {
    return std::ranges::any_of(
        families(), [&](const Family& family) { return family.key == key.path && is_called(family, name_); });
  }
  void add_if_called(std::string_view name, const MemberOf& of) {
    if (name_ == name) add(explain(*of.member, *of.family, bold_, width_));
  }
  // Columns of several tables can have one name; only the first is explained at length.
  void add_if_called(std::string_view name, const Metric* metric) {
    if (metric->table == kSnapshotTable) {
      if (name_ == name) add(explain(*metric, name_, bold_));
    } else if ((covers(*metric, name_) || name_ == name) && !is_explained_with_run(*metric)) {
      if (metric_before_)
        text_ += explain_again(*metric);
      else
        add(explain(*metric, name_, bold_));
      metric_before_ = true;
    }
  }
  void add_if_called(std::string_view name, const TableKind* table) {
    if (name_ == name) add(explain(*table, bold_));
  }
  // Each status is explained with all others.
  void add_if_called(std::string_view name, Word word) {
    if (name_ == name) add(word == Word::status ? explained_statuses(bold_) : explained_limits(bold_));
  }
  // A line for each key that has the value.
  void add_if_called(std::string_view name, const ValueOf& of) {
    if (name_ != name) return;
    const std::string line = explained_value(name, of.key, bold_);
    if (value_before_)
      text_ += line;
    else
      add(line);
    value_before_ = true;
  }

  std::string_view name_;
  const Bold& bold_;
  std::size_t width_;
  std::string text_;
  bool metric_before_ = false, value_before_ = false;
};

}  // namespace

std::string explained(std::string_view name, const Bold& bold, std::size_t width) {
  const std::string small = in_small_letters(name);
  std::string ours = OurMeanings(name, bold, width).take();
  if (ours.empty()) ours = OurMeanings(small, bold, width).take();
  const std::string others = explained_other_name(name, bold);
  return ours + (ours.empty() || others.empty() ? "" : "\n") + others;
}

}  // namespace headway::catalogue
