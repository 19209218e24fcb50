// SPDX-License-Identifier: Apache-2.0
#include "headway/cli/cost_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>
#include <vector>

#include "headway/base/visible.h"
#include "headway/cli/progress.h"
#include "headway/compile/machine.h"
#include "headway/compile/run_cost.h"
#include "headway/io/json.h"

namespace headway::cli {
namespace {

PointTime total(std::span<const PointTime> times) {
  PointTime sum;
  for (const PointTime& time : times) {
    sum.expected += time.expected;
    sum.most += time.most;
  }
  return sum;
}

std::string seconds_text(double seconds) { return duration_text(std::chrono::duration<double>(seconds)); }

// "12 s", or "12 s to 36 s".
std::string text_of(const PointTime& time) {
  const std::string expected = seconds_text(time.expected), most = seconds_text(time.most);
  return expected == most ? expected : fmt::format("{} to {}", expected, most);
}

std::string params_of(const Point& point) {
  std::string text;
  for (const auto& [key, value] : point.params)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", key.substr(key.rfind('.') + 1), value);
  return text.empty() ? "the run" : visible(text);
}

}  // namespace

std::string cost_line(const Experiment& experiment, std::span<const PointTime> times) {
  std::string memory;
  if (experiment.need.start > 0)
    memory = fmt::format(", {} of memory for {}", memory_text(experiment.need.expected()),
                         times.size() == 1 && experiment.seeds == 1 ? "the run" : "the largest run");
  return fmt::format("about {} of processor time{}", text_of(total(times)), memory);
}

std::string cost_table(const Experiment& experiment, std::span<const PointTime> times) {
  constexpr std::size_t kMostWidth = 44;  // with the other columns, 80
  std::vector<std::array<std::string, 3>> rows;
  for (std::size_t p = 0; p < times.size(); ++p) {
    const Point& point = experiment.points[p];
    rows.push_back({params_of(point), text_of(times[p]),
                    point.need.start > 0 ? memory_text(point.need.expected()) : "-"});
  }
  if (rows.size() > 1) rows.push_back({"all points", text_of(total(times)), ""});
  std::size_t width = 5, width_of_time = 14;
  for (const auto& row : rows) {
    width = std::max(width, std::min(row[0].size(), kMostWidth));
    width_of_time = std::max(width_of_time, row[1].size());
  }
  std::string text =
      fmt::format("{:{}}  {:>{}}  {:>9}\n", "point", width, "processor time", width_of_time, "memory");
  for (const auto& row : rows) {
    const std::string line =
        fmt::format("{:{}}  {:>{}}  {:>9}", row[0], width, row[1], width_of_time, row[2]);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return text;
}

std::string cost_json(const Experiment& experiment, std::span<const PointTime> times) {
  Json points = Json::array();
  for (std::size_t p = 0; p < times.size(); ++p) {
    const Point& point = experiment.points[p];
    Json params = Json::object();
    for (const auto& [key, value] : point.params) params.append(key, value);
    points.push_back(Json{{"params", params},
                          {"packet_hops", expected_work(experiment, p)},
                          {"simulated_ns", point.work.time_ns},
                          {"cpu_s", times[p].expected},
                          {"most_cpu_s", times[p].most},
                          {"memory_bytes", point.need.expected()}});
  }
  const PointTime all = total(times);
  const Json document{{"points", points},
                      {"seeds", experiment.seeds},
                      {"cpu_s", all.expected},
                      {"most_cpu_s", all.most},
                      {"memory_bytes", experiment.need.expected()}};
  return document.dump(2) + '\n';
}

}  // namespace headway::cli
