// SPDX-License-Identifier: Apache-2.0
// The meaning of the numbers of a result: name, unit and condition of every metric of a run and of every
// column of its tables. Each is defined once, in this folder: beside the code that computes it if that is
// here, otherwise in metric.cpp. all_metrics() collects them. Tables, JSON, CSV, figures, `headway explain`,
// completion and the docs take names and texts from here.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headway/config/names.h"

namespace headway {

// The property that a run needs so that its result has a metric. A column also needs its table.
enum class Needs : std::uint8_t {
  nothing,
  traces,
  jobs,
  finished_jobs,  // runs until jobs are done
  critical_path,
  jobs_alone,            // that are run alone, too
  exclusive_jobs,        // that have their nodes for themselves
  exclusive_jobs_alone,  // and are run alone, too
  fairness,
  isolation,
  watched_destination,  // and isolation
  overflow,
  waiting,
  watched_waiting,   // and a watched destination
  node_links,        // nodes with several links, or aggregators
  several_flows,     // traces, jobs or notifications as packets count as flows
  waiting_flows,     // several flows, and waiting
  classes,           // of traffic, or turns of lanes
  waiting_classes,   // and waiting
  marking,           // of packets by switches
  reaction,          // of sources to congestion
  rates,             // of flows, by a reaction
  waiting_reaction,  // and waiting
  frames,            // that are longer than what they carry
  pauses,            // of senders by lanes
  losses,            // of packets: pauses, or links that go down
  waiting_pauses,    // and waiting
  events,            // links that change during the run
  waiting_events,    // and waiting
  messages,          // that are more than one packet, or on request
  saturation_search,
  cut_off,  // by failed links
  cost,
  structure,     // computed from the network, not simulated
  changes,       // of the spec, that `headway why --try` runs
  other_kernel,  // than the event-driven one
};
// The runs that meet it; empty for Needs::nothing.
std::string name_of(Needs needs);

// How the values of a metric, or the cells of a column, of runs with several seeds become one (combine in
// run/run.h). "No value" is a number that is missing, as the latency is without packets.
enum class OverSeeds : std::uint8_t {
  mean,     // over the seeds that have the row and a value in it; a metric without a value in a seed has none
  sum,      // what a run adds up: the mean over all seeds, where a seed without the row has 0
  maximum,  // the largest value of a seed
  minimum,  // the smallest value of a seed
  same,     // the value that all seeds have; no value if they differ
  key,      // identifies a row: rows of several seeds with the same keys become one
  error,    // of a mean: the standard error of its mean over the seeds, from their scatter
  listed,   // belongs to one run: a table with such a column has the rows of every run, with their seeds
};
constexpr auto names_in_specs(OverSeeds) {
  return name_list("mean", "sum", "maximum", "minimum", "same", "key", "error", "listed");
}
std::string_view meaning_of(OverSeeds how);  // for people: "the largest value of a seed"

// The name of the mean whose standard error a metric is, in the same table.
struct ErrorOf {
  std::string_view mean;
};

// What a word in capitals in the names of metrics stands for, besides the single letters that are numbers.
struct Placeholder {
  std::string_view word;
  std::string_view meaning;  // in docs/metrics.md
  // Removes what it stands for from the front of a name. Returns false if something else is there.
  bool (*take)(std::string_view& name);
};
// For Placeholder::take: remove a word, or one or more digits, from the front. Return false if there is none.
bool take_word(std::string_view& text, std::string_view word);
bool take_number(std::string_view& text);

struct Metric {
  constexpr Metric() = default;
  constexpr Metric(std::string_view name_of, std::string_view unit_of, std::string_view text,
                   OverSeeds combined, Needs needed = Needs::nothing)
      : name(name_of), unit(unit_of), help(text), over_seeds(combined), needs(needed) {}
  constexpr Metric(std::string_view name_of, std::string_view unit_of, std::string_view text,
                   Needs needed = Needs::nothing)
      : Metric(name_of, unit_of, text, OverSeeds::mean, needed) {}
  constexpr Metric(std::string_view name_of, std::string_view unit_of, std::string_view text, ErrorOf of,
                   Needs needed = Needs::nothing)
      : Metric(name_of, unit_of, text, OverSeeds::error, needed) {
    error_of = of.mean;
  }

  // Returns true if it has an interval over seeds.
  constexpr bool is_mean() const { return over_seeds == OverSeeds::mean || over_seeds == OverSeeds::sum; }

  // With its unit. Capital letters are placeholders for a number: S, P, D for a switch or stage, a port, a
  // destination.
  std::string_view name;
  std::string_view unit;  // "–" for a number that identifies something
  std::string_view help;
  OverSeeds over_seeds = OverSeeds::mean;
  Needs needs = Needs::nothing;
  std::string_view table = {};               // result_tables(); empty: a metric of the run
  std::string_view error_of = {};            // OverSeeds::error: the mean
  const Placeholder* placeholder = nullptr;  // if there is one besides numbers
  bool grows_when_better = false;            // as a load; a time gets less
};

constexpr Metric more_is_better(Metric metric) {
  metric.grows_when_better = true;
  return metric;
}

// A metric, and how it is computed from what was measured.
template <class Of>
struct MetricOf {
  Metric metric;
  double (*value)(const Of& measured);
};

// The metrics of a list of definitions. `needs`: of those that do not need more.
template <class List>
std::vector<Metric> metrics_of(const List& definitions, Needs needs = Needs::nothing) {
  std::vector<Metric> metrics;
  for (const auto& definition : definitions) {
    if constexpr (requires { definition.metric; })
      metrics.push_back(definition.metric);
    else
      metrics.push_back(definition);
    if (metrics.back().needs == Needs::nothing) metrics.back().needs = needs;
  }
  return metrics;
}
std::vector<Metric> joined(std::initializer_list<std::vector<Metric>> lists);

// Cost of the queueing scheme and the memory.
std::span<const Metric> cost_metrics();
// saturation_load, saturation_load_low, saturation_load_high, saturation_limit, saturation_runs.
std::span<const Metric> saturation_metrics();

// All metrics, by table and needs, in the order of results.
std::span<const Metric> all_metrics();

// The numbers of a port, a queue or a node at one instant, which pages of `headway view` compute from
// snapshots (observe/snapshots.h). They are not in all_metrics(), because results do not contain them: a key
// of a run (run/run_key.h) does not depend on them. Their names differ from those of all other metrics, whose
// values are sums over the network or means over time.
std::span<const Metric> snapshot_metrics();
inline constexpr std::string_view kSnapshotTable = "snapshot";  // their Metric::table

// The columns that tables of several seeds have besides their own, in the order of kSeed and kSeeds. They are
// not in all_metrics() either, because no run has them.
std::span<const Metric> columns_of_seeds();
inline constexpr std::string_view kSeed = "seed", kSeeds = "seeds";

// Returns true if the metric's name matches `name`: "cfqs_stage_S" matches "cfqs_stage_2".
bool covers(const Metric& metric, std::string_view name);

// Returns the metric with this name, or the column of this table; nullptr if there is none. "ROW.NAME" is the
// column NAME of a table with named rows; whether a run has the row is not known here.
const Metric* find_metric(std::string_view name, std::string_view table = {});

}  // namespace headway
