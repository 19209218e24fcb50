// SPDX-License-Identifier: Apache-2.0
// Reads results that results_json.cpp wrote, straight into their columns.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "headway/base/version.h"
#include "headway/base/visible.h"
#include "headway/io/json_reader.h"
#include "headway/metrics/metric.h"
#include "headway/metrics/tables.h"
#include "headway/metrics/units.h"
#include "headway/run/results.h"

namespace headway {
namespace {

// Reading accepts only the format that is written.
[[noreturn]] void refuse(std::string_view what) { throw NoResult(fmt::format("not a result: {}", what)); }

// Calls `read`, which reads all of `text`.
template <class Read>
auto read_all(std::string_view text, Read read) try {
  JsonReader in(text);
  auto value = read(in);
  in.end();
  return value;
} catch (const BadJson& bad) {
  refuse(bad.what());
}

// The numbers of a version such as "1.0.0".
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
void refuse_later_version(const std::string& written_by) {
  if (numbers_of(written_by) > numbers_of(version()))
    throw NoResult(fmt::format("Headway {} wrote it, and this is {}", visible(written_by), version()));
}

double number(JsonReader& in) {
  if (in.kind() != JsonKind::null) return in.number();
  in.null();
  return kNaN;
}

Status status_of(std::string_view name) {
  if (const auto status = value_of<Status>(name)) return *status;
  refuse("the status is unknown");
}

std::vector<std::pair<std::string, double>> read_metrics(JsonReader& in) {
  std::vector<std::pair<std::string, double>> metrics;
  in.object([&](const std::string& name) {
    if (find_metric(name) == nullptr) refuse("a metric is unknown");
    metrics.emplace_back(name, number(in));
  });
  return metrics;
}

bool has_names(std::string_view table, std::string_view column) {
  const Metric* const metric = find_metric(column, table);
  return metric != nullptr && metric->unit == kName;
}

std::vector<std::string> read_words(JsonReader& in) {
  std::vector<std::string> words;
  in.array([&] { words.push_back(in.text()); });
  return words;
}

Table read_table(std::string_view table_name, JsonReader& in) {
  Table table;
  in.object([&](const std::string& name) {
    Column& column = table.emplace_back(Column{name});
    if (has_names(table_name, name)) {
      column.words = read_words(in);
    } else {
      column.values.reserve(rows_of(table));
      in.array([&] { column.values.push_back(number(in)); });
    }
    if (column.rows() != rows_of(table)) refuse("columns differ in length");
  });
  return table;
}

std::uint64_t hash_in(const std::string& digits) {
  if (digits.size() != 16 || digits.find_first_not_of("0123456789abcdef") != std::string::npos)
    refuse("the delivery hash is not valid");
  return std::stoull(digits, nullptr, 16);
}

// Reads an object that must have the needed members. `each` takes the value of a member.
template <class Each>
void read_object(JsonReader& in, std::vector<std::string_view> needed, Each each) {
  in.object([&](const std::string& name) {
    std::erase(needed, name);
    each(name);
  });
  if (!needed.empty()) refuse(fmt::format("{} is missing", needed.front()));
}

// Reads the value of a member of a result. Returns false, and reads nothing, if it is of another kind.
bool read_member(const std::string& name, JsonReader& in, Result& result) {
  if (name == "status")
    result.status = status_of(in.text());
  else if (name == "detail")
    result.detail = in.text();
  else if (name == "limited_by")
    result.limited_by = in.text();
  else if (name == "metrics")
    result.metrics = read_metrics(in);
  else if (name == "intervals")
    result.intervals = read_metrics(in);
  else if (name == "cpu_s")
    result.cpu_s = number(in);
  else if (name == "trace_hash")
    result.trace_hash = hash_in(in.text());
  else if (find_table(name) != nullptr)
    result.tables.insert_or_assign(name, read_table(name, in));
  else
    return false;
  return true;
}

Result read_run(JsonReader& in) {
  Result run;
  read_object(in, {"status", "metrics", "trace_hash"}, [&](const std::string& name) {
    if (!read_member(name, in, run)) in.skip();
  });
  return run;
}

NetworkNames read_names(JsonReader& in) {
  NetworkNames names;
  read_object(in, {"nodes", "switches"}, [&](const std::string& name) {
    if (name == "nodes")
      names.nodes = read_words(in);
    else if (name == "switches")
      names.switches = read_words(in);
    else
      in.skip();
  });
  return names;
}

PointResult read_point(JsonReader& in) {
  PointResult point;
  read_object(in, {"params", "seed", "status", "metrics"}, [&](const std::string& name) {
    if (name == "params")
      in.object([&](const std::string& key) {
        point.params.emplace_back(key, in.kind() == JsonKind::text ? in.text() : std::string(in.scalar()));
      });
    else if (name == "seed")
      point.seed = in.whole();
    else if (name == "runs")
      in.array([&] { point.runs.push_back(read_run(in)); });
    else if (name == "narrow_enough")
      point.narrow_enough = in.boolean();
    else if (name == "names")
      point.names = read_names(in);
    else if (!read_member(name, in, point.result))
      in.skip();
  });
  return point;
}

}  // namespace

std::vector<PointResult> read_results(std::string_view json) {
  return read_all(json, [](JsonReader& in) {
    std::vector<PointResult> points;
    read_object(in, {"points"}, [&](const std::string& name) {
      if (name == "points")
        in.array([&] { points.push_back(read_point(in)); });
      else if (name == "headway" && in.kind() == JsonKind::text)
        refuse_later_version(in.text());
      else
        in.skip();
    });
    return points;
  });
}

Result read_result(std::string_view line) {
  return read_all(line, [](JsonReader& in) {
    Result result;
    read_object(in, {"status", "metrics", "cpu_s", "trace_hash"}, [&](const std::string& name) {
      if (!read_member(name, in, result)) refuse("it has a key that no result has");
    });
    return result;
  });
}

}  // namespace headway
