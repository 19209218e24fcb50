// SPDX-License-Identifier: Apache-2.0
#include "headway/cli/results_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headway::cli {
namespace {

constexpr std::string_view kMetrics[] = {"offered_load", "accepted_load", "latency_mean_ns",
                                         "latency_p99_ns"};
constexpr std::string_view kSlottedMetrics[] = {"offered_load", "accepted_load", "normalised_delay",
                                                "hotspot_relative_throughput"};
constexpr std::string_view kLatency = "latency";

// Decimal places for four digits that count: 0.9876, 12.35, 1234.
int places(double value) {
  if (std::abs(value) < 1) return 4;
  return std::clamp(3 - static_cast<int>(std::floor(std::log10(std::abs(value)))), 0, 3);
}

std::string number(const Result& result, std::string_view name) {
  const double value = result.metric(name);
  if (std::isnan(value)) return "-";
  std::string text = fmt::format("{:.{}f}", value, places(value));
  for (const auto& [metric, half_width] : result.intervals)
    if (metric == name) text += fmt::format(" ±{:.{}f}", half_width, places(value));
  return text;
}

// In columns of a terminal: a byte that continues a UTF-8 character takes none.
std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string padded_left(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, columns(text)), ' ') + text;
}

}  // namespace

ResultsTable::ResultsTable(const Experiment& experiment)
    : metrics_(kMetrics), cell_width_(experiment.seeds > 1 ? 17 : 9) {
  if (experiment.points.empty()) return;
  if (experiment.points.front().spec.slotted) {
    metrics_ = kSlottedMetrics;
    cell_width_ = 17;  // every run has intervals
  }
  const auto& params = experiment.points.front().params;
  for (std::size_t p = 0; p < params.size(); ++p) {
    const auto last = [](std::string_view key) { return key.substr(key.rfind('.') + 1); };
    const auto same =
        std::ranges::count_if(params, [&](const auto& q) { return last(q.first) == last(params[p].first); });
    keys_.emplace_back(same == 1 ? last(params[p].first) : params[p].first);
    widths_.push_back(keys_.back().size());
    for (const Point& point : experiment.points)
      widths_.back() = std::max(widths_.back(), point.params[p].second.size());
  }
}

std::string ResultsTable::header() const {
  std::string text;
  for (std::size_t p = 0; p < keys_.size(); ++p) text += fmt::format("{:<{}}  ", keys_[p], widths_[p]);
  text += fmt::format("{:<10}", "status");
  for (const std::string_view metric : metrics_)
    text += fmt::format("  {:>{}}", metric, std::max(cell_width_, metric.size()));
  return text + '\n';
}

std::string ResultsTable::row(const PointResult& point, const Terminal& terminal) {
  const Result& result = point.result;
  std::string text;
  for (std::size_t p = 0; p < keys_.size(); ++p)
    text += fmt::format("{:<{}}  ", point.params[p].second, widths_[p]);
  const std::string status = fmt::format("{:<10}", to_string(result.status));
  text += result.status == Status::ok         ? status
          : result.status == Status::deadlock ? terminal.red(status)
                                              : terminal.yellow(status);
  for (const std::string_view metric : metrics_) {
    const bool doubtful = result.status != Status::ok && metric.starts_with(kLatency);
    const std::size_t width = std::max(cell_width_, metric.size());
    text += "  " + padded_left(number(result, metric) + (doubtful ? "*" : ""), width);
  }
  if (result.status != Status::ok) {
    std::string where;
    for (std::size_t p = 0; p < keys_.size(); ++p)
      where += fmt::format("{} = {}, ", keys_[p], point.params[p].second);
    where.resize(where.size() - std::min<std::size_t>(where.size(), 2));
    notes_.push_back(
        fmt::format("{}{}{}: {}", where, where.empty() ? "" : ": ", to_string(result.status), result.detail));
  }
  return text + '\n';
}

std::string ResultsTable::notes() const {
  if (notes_.empty()) return "";
  std::string text = "* not a steady state: this latency depends on how long one looks\n";
  for (const std::string& note : notes_) text += fmt::format("  {}\n", note);
  return text;
}

}  // namespace headway::cli
