// SPDX-License-Identifier: Apache-2.0
// JSON has no NaN, so a missing number is null. 64-bit hashes are written as text, because many readers store
// numbers as doubles.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "headway/base/parse_number.h"
#include "headway/base/version.h"
#include "headway/io/json_reader.h"
#include "headway/io/json_text.h"
#include "headway/run/results.h"
#include "headway/run/run.h"

namespace headway {
namespace {

// Returns true if 64 bits hold it.
bool is_whole(std::string_view number) {
  return parse_number<std::uint64_t>(number) || parse_number<std::int64_t>(number);
}

// Numbers are written as numbers: "0.5" as 0.5, but "obqa" as text.
void append_param(std::string& text, const std::string& value) try {
  JsonReader in(value);
  const JsonKind kind = in.kind();
  if (kind != JsonKind::number && kind != JsonKind::boolean) return append_json(text, value);
  const std::string_view scalar = in.scalar();
  in.end();
  if (kind == JsonKind::boolean || is_whole(scalar))
    text += scalar;
  else
    append_json(text, JsonReader(scalar).number());
} catch (const BadJson&) {
  append_json(text, value);
}

void append_numbers(std::string& text, const std::vector<std::pair<std::string, double>>& numbers) {
  text += '{';
  for (const auto& [name, value] : numbers) append_member(text, name, value);
  text += '}';
}

void append_table(std::string& text, const Table& table) {
  text += '{';
  for (const Column& column : table) {
    begin_member(text, column.name);
    if (column.words.empty())
      append_list(text, column.values);
    else
      append_list(text, column.words);
  }
  text += '}';
}

void append_hash(std::string& text, const Result& result) {
  append_member(text, "trace_hash", fmt::format("{:016x}", result.trace_hash));
}

void append_summary(std::string& text, const Result& result) {
  append_member(text, "status", name_of(result.status));
  if (!result.detail.empty()) append_member(text, "detail", result.detail);
  if (!result.limited_by.empty()) append_member(text, "limited_by", result.limited_by);
  begin_member(text, "metrics");
  append_numbers(text, result.metrics);
  if (result.intervals.empty()) return;
  begin_member(text, "intervals");
  append_numbers(text, result.intervals);
}

void append_tables(std::string& text, const Result& result) {
  for (const auto& [name, table] : result.tables) {
    begin_member(text, name);
    append_table(text, table);
  }
}

void append_names(std::string& text, const NetworkNames& names) {
  begin_member(text, "names");
  text += '{';
  begin_member(text, "nodes");
  append_list(text, names.nodes);
  begin_member(text, "switches");
  append_list(text, names.switches);
  text += '}';
}

void append_run(std::string& text, std::uint64_t seed, const Result& run) {
  next_in_json(text);
  text += '{';
  append_member(text, "seed", seed);
  append_summary(text, run);
  append_hash(text, run);
  text += '}';
}

void append_point(std::string& text, const PointResult& point) {
  text += '{';
  begin_member(text, "params");
  text += '{';
  for (const auto& [key, value] : point.params) {
    begin_member(text, key);
    append_param(text, value);
  }
  text += '}';
  append_member(text, "seed", point.seed);
  if (point.narrow_enough) {
    append_member(text, "seeds", std::uint64_t{point.runs.size()});
    begin_member(text, "narrow_enough");
    text += *point.narrow_enough ? "true" : "false";
  }
  append_summary(text, point.result);
  append_tables(text, point.result);
  if (!point.names.nodes.empty()) append_names(text, point.names);
  append_hash(text, point.result);
  if (point.runs.size() != 1) {
    begin_member(text, "runs");
    text += '[';
    for (std::size_t i = 0; i < point.runs.size(); ++i) append_run(text, point.seed + i, point.runs[i]);
    text += ']';
  }
  text += '}';
}

}  // namespace

// Of the network that is simulated.
static NetworkNames names_of(const Spec& spec) {
  const Topology& topology = *network_of(spec).topology;
  NetworkNames names = topology.names();
  names.node_count = static_cast<std::uint32_t>(topology.nodes());
  const auto* const event = std::get_if<EventSpec>(&spec);
  if (event != nullptr && event->what_if.network.perfect_switch) names.switches.clear();
  return names;
}

PointResult make_point_result(const Point& point, std::vector<Result> runs) {
  Result combined = combine(runs, point.seed);
  return {.params = point.params,
          .seed = point.seed,
          .runs = std::move(runs),
          .result = std::move(combined),
          .names = names_of(point.spec())};
}

void results_json(std::string_view resolved_spec, Points points, const Sink& to) {
  std::string text = "{\"headway\": ";
  append_json(text, std::string_view(version()));
  to(text.append(",\n\"spec\": ").append(resolved_spec).append(",\n\"points\": ["));
  for (std::size_t i = 0; i < points.size(); ++i) {
    text = i == 0 ? "\n" : ",\n";
    append_point(text, *points[i]);
    to(text);
  }
  to("\n]}\n");
}

void append_result(std::string& text, const Result& result) {
  text += '{';
  append_summary(text, result);
  append_tables(text, result);
  append_member(text, "cpu_s", result.cpu_s);
  append_hash(text, result);
  text += '}';
}

std::string write_result(const Result& result) {
  std::string text;
  append_result(text, result);
  return text;
}

}  // namespace headway
