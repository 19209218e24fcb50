// SPDX-License-Identifier: Apache-2.0
// JSON has no NaN, so a missing number is null. 64-bit hashes are written as text, because many readers store
// numbers as doubles.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "headway/base/version.h"
#include "headway/base/visible.h"
#include "headway/io/json.h"
#include "headway/metrics/metric.h"
#include "headway/metrics/tables.h"
#include "headway/metrics/units.h"
#include "headway/run/results.h"
#include "headway/run/run.h"

namespace headway {
namespace {

// Numbers are written as numbers: "0.5" as 0.5, but "obqa" as text.
Json value_of(const std::string& text) {
  std::optional<Json> json = Json::parse(text);
  return json && (json->number() || json->boolean() != nullptr) ? *std::move(json) : Json(text);
}

Json to_json(const std::vector<std::pair<std::string, double>>& numbers) {
  Json json = Json::object();
  for (const auto& [name, value] : numbers) json.append(name, value);
  return json;
}

Json to_json(const Table& table) {
  Json json = Json::object();
  for (const Column& column : table)
    json.append(column.name, column.words.empty() ? Json(column.values) : Json(column.words));
  return json;
}

Json hash_of(const Result& result) { return fmt::format("{:016x}", result.trace_hash); }

void add_summary(Json& json, const Result& result) {
  json["status"] = name_of(result.status);
  if (!result.detail.empty()) json["detail"] = result.detail;
  if (!result.limited_by.empty()) json["limited_by"] = result.limited_by;
  json["metrics"] = to_json(result.metrics);
  if (!result.intervals.empty()) json["intervals"] = to_json(result.intervals);
}

void add_tables(Json& json, const Result& result) {
  for (const auto& [name, table] : result.tables) json[name] = to_json(table);
}

Json to_json(const PointResult& point) {
  Json json;
  json["params"] = Json::object();
  for (const auto& [key, value] : point.params) json["params"][key] = value_of(value);
  json["seed"] = point.seed;
  if (point.narrow_enough) {
    json["seeds"] = point.runs.size();
    json["narrow_enough"] = *point.narrow_enough;
  }
  add_summary(json, point.result);
  add_tables(json, point.result);
  if (!point.names.nodes.empty())
    json["names"] = Json{{"nodes", point.names.nodes}, {"switches", point.names.switches}};
  json["trace_hash"] = hash_of(point.result);
  if (point.runs.size() == 1) return json;
  Json runs = Json::array();
  for (std::size_t i = 0; i < point.runs.size(); ++i) {
    Json run;
    run["seed"] = point.seed + i;
    add_summary(run, point.runs[i]);
    run["trace_hash"] = hash_of(point.runs[i]);
    runs.push_back(std::move(run));
  }
  json["runs"] = std::move(runs);
  return json;
}

// Reading accepts only the format that `write_result` writes.
[[noreturn]] void refuse(std::string_view what) { throw NoResult(fmt::format("not a result: {}", what)); }

// The numbers of a version such as "0.1.0".
std::vector<int> numbers_of(std::string_view version) {
  std::vector<int> numbers(1);
  for (const char c : version) {
    if (c == '.')
      numbers.push_back(0);
    else if (c >= '0' && c <= '9' && numbers.back() < 100'000)
      numbers.back() = 10 * numbers.back() + (c - '0');
  }
  return numbers;
}

// Rejects documents of later versions, because their names can have other meanings.
void refuse_later_version(const Json& document) {
  const Json* const written_by = document.find("headway");
  const std::string* const text = written_by == nullptr ? nullptr : written_by->text();
  if (text != nullptr && numbers_of(*text) > numbers_of(version()))
    throw NoResult(fmt::format("Headway {} wrote it, and this is {}", visible(*text), version()));
}

Json parsed(std::string_view text) {
  std::optional<Json> json = Json::parse(text);
  if (!json) refuse("it is not JSON");
  return *std::move(json);
}

const Json& member(const Json& json, std::string_view name) {
  const Json* const found = json.find(name);
  if (found == nullptr) refuse(fmt::format("{} is missing", name));
  return *found;
}

double number(const Json& json) {
  if (json.is_null()) return std::numeric_limits<double>::quiet_NaN();
  const std::optional<double> number = json.number();
  if (!number) refuse("a value is not a number");
  return *number;
}

std::uint64_t whole_number(const Json& json) {
  const std::optional<std::uint64_t> number = json.whole();
  if (!number) refuse("a seed is not a whole number");
  return *number;
}

std::string text(const Json& json) {
  if (json.text() == nullptr) refuse("a value is not a text");
  return *json.text();
}

const Json::Object& members_of(const Json& json) {
  if (json.members() == nullptr) refuse("a value is not an object");
  return *json.members();
}

const Json::Array& elements_of(const Json& json, std::string_view what) {
  if (json.elements() == nullptr) refuse(fmt::format("{} is not a list", what));
  return *json.elements();
}

bool is_in_a_result(std::string_view name) {
  constexpr std::string_view kOthers[] = {"status",    "detail", "limited_by", "metrics",
                                          "intervals", "cpu_s",  "trace_hash"};
  return std::ranges::find(kOthers, name) != std::end(kOthers) || find_table(name) != nullptr;
}

Status status_of(std::string_view name) {
  if (const auto status = headway::value_of<Status>(name)) return *status;
  refuse("the status is unknown");
}

std::vector<std::pair<std::string, double>> read_metrics(const Json& json) {
  std::vector<std::pair<std::string, double>> metrics;
  for (const auto& [name, value] : members_of(json)) {
    if (find_metric(name) == nullptr) refuse("a metric is unknown");
    metrics.emplace_back(name, number(value));
  }
  return metrics;
}

bool has_names(std::string_view table, std::string_view column) {
  const Metric* const metric = find_metric(column, table);
  return metric != nullptr && metric->unit == kName;
}

Table read_table(std::string_view table_name, const Json& json) {
  Table table;
  for (const auto& [name, values] : members_of(json)) {
    Column& column = table.emplace_back(Column{name});
    const Json::Array& elements = elements_of(values, "a column");
    if (has_names(table_name, name)) {
      for (const Json& value : elements) column.words.push_back(text(value));
    } else {
      column.values.reserve(elements.size());
      for (const Json& value : elements) column.values.push_back(number(value));
    }
    if (column.rows() != rows_of(table)) refuse("columns differ in length");
  }
  return table;
}

std::vector<std::string> read_names(const Json& json) {
  std::vector<std::string> names;
  for (const Json& name : elements_of(json, "names")) names.push_back(text(name));
  return names;
}

std::uint64_t read_hash(const Json& json) {
  const std::string digits = text(json);
  if (digits.size() != 16 || digits.find_first_not_of("0123456789abcdef") != std::string::npos)
    refuse("the delivery hash is not valid");
  return std::stoull(digits, nullptr, 16);
}

// Reads the output of add_summary and add_tables.
Result read_summary(const Json& json) {
  Result result;
  result.status = status_of(text(member(json, "status")));
  if (const Json* const detail = json.find("detail")) result.detail = text(*detail);
  if (const Json* const limited = json.find("limited_by")) result.limited_by = text(*limited);
  result.metrics = read_metrics(member(json, "metrics"));
  if (const Json* const intervals = json.find("intervals")) result.intervals = read_metrics(*intervals);
  for (const TableKind& table : result_tables())
    if (const Json* const written = json.find(table.name))
      result.tables.emplace(table.name, read_table(table.name, *written));
  return result;
}

std::vector<Result> read_runs(const Json& json) {
  std::vector<Result> runs;
  for (const Json& run : elements_of(json, "runs")) {
    runs.push_back(read_summary(run));
    runs.back().trace_hash = read_hash(member(run, "trace_hash"));
  }
  return runs;
}

}  // namespace

PointResult make_point_result(const Point& point, std::vector<Result> runs) {
  Result combined = combine(runs);
  return {.params = point.params,
          .seed = point.seed,
          .runs = std::move(runs),
          .result = std::move(combined),
          .names = network_of(point.spec()).topology->names()};
}

std::string results_json(std::string_view resolved_spec, const std::vector<PointResult>& points) {
  std::string text =
      fmt::format("{{\"headway\": {},\n\"spec\": {},\n\"points\": [", json_text(version()), resolved_spec);
  for (std::size_t i = 0; i < points.size(); ++i)
    text += (i == 0 ? "\n" : ",\n") + json_text(to_json(points[i]));
  return text + "\n]}\n";
}

std::vector<PointResult> read_results(std::string_view json) {
  const Json document = parsed(json);
  refuse_later_version(document);
  std::vector<PointResult> points;
  for (const Json& entry : elements_of(member(document, "points"), "points")) {
    PointResult& point = points.emplace_back();
    for (const auto& [key, value] : members_of(member(entry, "params")))
      point.params.emplace_back(key, value.text() != nullptr ? *value.text() : value.dump());
    point.seed = whole_number(member(entry, "seed"));
    point.result = read_summary(entry);
    if (const Json* const hash = entry.find("trace_hash")) point.result.trace_hash = read_hash(*hash);
    if (const Json* const runs = entry.find("runs")) point.runs = read_runs(*runs);
    if (const Json* const narrow = entry.find("narrow_enough")) {
      if (narrow->boolean() == nullptr) refuse("narrow_enough is neither true nor false");
      point.narrow_enough = *narrow->boolean();
    }
    const Json* const names = entry.find("names");
    if (names == nullptr) continue;
    point.names.nodes = read_names(member(*names, "nodes"));
    point.names.switches = read_names(member(*names, "switches"));
  }
  return points;
}

std::string write_result(const Result& result) {
  Json json;
  add_summary(json, result);
  add_tables(json, result);
  json["cpu_s"] = result.cpu_s;
  json["trace_hash"] = hash_of(result);
  return json_text(json);
}

Result read_result(std::string_view line) {
  const Json json = parsed(line);
  for (const auto& [name, value] : members_of(json))
    if (!is_in_a_result(name)) refuse("it has a key that no result has");
  Result result = read_summary(json);
  result.cpu_s = number(member(json, "cpu_s"));
  result.trace_hash = read_hash(member(json, "trace_hash"));
  return result;
}

}  // namespace headway
