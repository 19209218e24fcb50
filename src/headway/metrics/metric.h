// SPDX-License-Identifier: Apache-2.0
// What the numbers of a result mean: every metric of a run and every column of its tables, said once. Tables,
// JSON, CSV, figures, `headway explain`, completion and the docs take names and texts from here.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace headway {

// What a run must have for its result to have a metric. A column needs its table besides.
enum class Needs : std::uint8_t {
  nothing,
  traces,
  fairness,
  isolation,
  watched_destination,  // and isolation
  overflow,
  saturation_search,
  cost,
  structure,  // counted over the network instead of simulated
  slotted,
};
// "runs with \"fairness\" in measure.tables"; empty for Needs::nothing.
std::string_view to_text(Needs needs);

struct Metric {
  // With its unit. Capitals stand for what differs: a number (S, P, D: of a switch or stage, port,
  // destination) or PART, a class or zone of a slotted network.
  std::string_view name;
  std::string_view unit;  // "–" of a number that names something
  std::string_view help;
  Needs needs = Needs::nothing;
  std::string_view table = {};  // result_tables(); empty: a metric of the run
};

// What a queueing scheme costs; of a run that asks for it.
std::span<const Metric> cost_metrics();

// All of them, by table and needs, in the order of results.
std::span<const Metric> all_metrics();

// Does the metric stand for this name? "cfqs_stage_S" does for "cfqs_stage_2".
bool covers(const Metric& metric, std::string_view name);

// The metric of that name, or the column of that table; nullptr if there is none.
const Metric* find_metric(std::string_view name, std::string_view table = {});

}  // namespace headway
