// SPDX-License-Identifier: Apache-2.0
// JSON has no NaN: a number that does not exist is null. 64-bit hashes are written as text, since many
// readers keep numbers as doubles.
#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "headway/base/version.h"
#include "headway/base/visible.h"
#include "headway/experiment/run.h"
#include "headway/io/results.h"

namespace headway {
namespace {

using Json = nlohmann::ordered_json;

double number(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

// Values are written as the numbers they are: "0.5" as 0.5, "obqa" as text.
Json value_of(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  return json.is_number() || json.is_boolean() ? json : Json(text);
}

Json to_json(const std::vector<std::pair<std::string, double>>& numbers) {
  Json json = Json::object();
  for (const auto& [name, value] : numbers) json[name] = value;
  return json;
}

Json to_json(const Table& table) {
  Json json = Json::object();
  for (const Column& column : table) json[column.name] = column.values;
  return json;
}

Json hash_of(const Result& result) { return fmt::format("{:016x}", result.trace_hash); }

void add_summary(Json& json, const Result& result) {
  json["status"] = to_string(result.status);
  if (!result.detail.empty()) json["detail"] = result.detail;
  json["metrics"] = to_json(result.metrics);
  if (!result.intervals.empty()) json["intervals"] = to_json(result.intervals);
}

void add_tables(Json& json, const Result& result) {
  for (const auto& [name, table, keys] : result_tables())
    if (!(result.*table).empty()) json[name] = to_json(result.*table);
}

Json to_json(const PointResult& point) {
  Json json;
  json["params"] = Json::object();
  for (const auto& [key, value] : point.params) json["params"][key] = value_of(value);
  json["seed"] = point.seed;
  add_summary(json, point.result);
  add_tables(json, point.result);
  json["trace_hash"] = hash_of(point.result);
  if (point.runs.size() == 1) return json;
  json["runs"] = Json::array();
  for (std::size_t i = 0; i < point.runs.size(); ++i) {
    Json run;
    run["seed"] = point.seed + i;
    add_summary(run, point.runs[i]);
    run["trace_hash"] = hash_of(point.runs[i]);
    json["runs"].push_back(std::move(run));
  }
  return json;
}

Status status_of(std::string_view name) {
  for (const Status status : statuses())
    if (to_string(status) == name) return status;
  throw std::runtime_error(fmt::format("'{}' is not the status of a result", name));
}

std::vector<std::pair<std::string, double>> read_numbers(const Json& json) {
  std::vector<std::pair<std::string, double>> numbers;
  for (const auto& [name, value] : json.items()) numbers.emplace_back(name, number(value));
  return numbers;
}

Table read_table(const Json& json) {
  Table table;
  for (const auto& [name, values] : json.items()) {
    Column& column = table.emplace_back(Column{name, {}});
    for (const Json& value : values) column.values.push_back(number(value));
  }
  return table;
}

}  // namespace

PointResult make_point_result(const Point& point, std::vector<Result> runs) {
  Result combined = combine(runs);
  return {point.params, point.seed, std::move(runs), std::move(combined)};
}

std::string results_json(std::string_view resolved_spec, const std::vector<PointResult>& points) {
  std::string text =
      fmt::format("{{\"headway\": {},\n\"spec\": {},\n\"points\": [", Json(version()).dump(), resolved_spec);
  for (std::size_t i = 0; i < points.size(); ++i)
    text += (i == 0 ? "\n" : ",\n") + escaped(to_json(points[i]).dump());
  return text + "\n]}\n";
}

std::string write_result(const Result& result) {
  Json json;
  add_summary(json, result);
  add_tables(json, result);
  json["cpu_s"] = result.cpu_s;
  json["trace_hash"] = hash_of(result);
  return escaped(json.dump());
}

Result read_result(std::string_view text) {
  try {
    const Json json = Json::parse(text);
    Result result;
    result.status = status_of(json.at("status").get<std::string>());
    result.detail = json.value("detail", "");
    result.metrics = read_numbers(json.at("metrics"));
    if (json.contains("intervals")) result.intervals = read_numbers(json["intervals"]);
    for (const auto& [name, table, keys] : result_tables())
      if (json.contains(name)) result.*table = read_table(json[name]);
    result.cpu_s = json.at("cpu_s").get<double>();
    result.trace_hash = std::stoull(json.at("trace_hash").get<std::string>(), nullptr, 16);
    return result;
  } catch (const std::exception& error) {  // of the library, or a number that is none
    throw std::runtime_error(fmt::format("not a result: {}", error.what()));
  }
}

}  // namespace headway
