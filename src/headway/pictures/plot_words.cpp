// SPDX-License-Identifier: Apache-2.0
#include "headway/pictures/plot_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "headway/config/nearest.h"
#include "headway/config/parameter_values.h"
#include "headway/config/row_reader.h"
#include "headway/metrics/metric.h"
#include "headway/metrics/metric_names.h"

namespace headway::plots {
namespace {

// "background.victim_wait_ns": background, victim, wait. Units and the s of plurals are left out.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words = {""};
  for (const char letter : name)
    if (letter == '_' || letter == '.' || letter == '-')
      words.emplace_back();
    else
      words.back() += letter;
  for (std::string& word : words)
    if (word.size() > 2 && word.ends_with('s')) word.pop_back();
  std::erase_if(words, [](const std::string& word) { return word.size() < 3 || word == "byte"; });
  return words;
}

// The names with the most words of `name`; none if too many have as many.
Words with_words_of(std::string_view name, const Words& valid) {
  constexpr std::size_t kFew = 8;
  const std::vector<std::string> wanted = words_of(name);
  std::size_t most = 1;
  Words found;
  for (const std::string_view candidate : valid) {
    const std::vector<std::string> words = words_of(candidate);
    const auto shared = static_cast<std::size_t>(std::ranges::count_if(
        wanted, [&](const std::string& word) { return std::ranges::find(words, word) != words.end(); }));
    if (shared > most) found.clear();
    most = std::max(most, shared);
    if (shared == most) found.push_back(candidate);
  }
  return found.size() > kFew ? Words() : found;
}

}  // namespace

std::string nearest_of(std::string_view name, const Words& valid, std::string_view file) {
  constexpr std::size_t kFew = 16;
  if (const auto meant = nearest(name, valid)) return fmt::format("did you mean \"{}\"?", *meant);
  if (file.empty() || valid.size() <= kFew) return "valid: " + list_text(valid, "or");
  if (const Words similar = with_words_of(name, valid); !similar.empty())
    return fmt::format("did you mean {}?", list_text(similar, "or"));
  return fmt::format("valid: the metrics in {}", file);
}

std::string nearest_metric(std::string_view name, const Words& valid, std::string_view table) {
  const Metric* const metric = find_metric(name, table);
  if (metric != nullptr && metric->needs != Needs::nothing)
    return fmt::format("only {} have it", name_of(metric->needs));
  return nearest_of(name, valid, table.empty() ? "results.csv" : fmt::format("{}.csv", table));
}

std::vector<std::string> all_y(const PlotAxes& axes, std::string_view standard) {
  std::vector<std::string> all = axes.y;
  if (all.empty()) all.emplace_back();
  if (all.front().empty()) all.front() = standard;
  return all;
}

FigureSpec figure_of(const std::string& title, Rows rows, const Axis& x, const std::vector<std::string>& ys,
                     std::string_view table) {
  FigureSpec figure;
  figure.id = "results";
  figure.title = title;
  figure.rows = rows;
  figure.x = x;
  for (const std::string& y : ys) figure.more_y.push_back({.column = y, .label = label_of(y, table)});
  figure.y = figure.more_y.front();
  figure.more_y.erase(figure.more_y.begin());
  return figure;
}

Axis time_axis() { return {.column = std::string(metrics::time_ns), .label = "time (µs)", .unit = "us"}; }

bool is_determined(const std::vector<PointResult>& results, std::string_view key, std::string_view by) {
  std::map<std::string, const std::string*> seen;
  return std::ranges::all_of(results, [&](const PointResult& point) {
    const std::string *const value = param(point.params, key), *const given = param(point.params, by);
    if (value == nullptr || given == nullptr) return false;
    return *seen.emplace(*given, value).first->second == *value;
  });
}

Params telling_params(const std::vector<PointResult>& results, const PointResult& point) {
  Params telling = point.params;
  if (results.size() < 2) return telling;
  for (std::size_t i = telling.size(); i-- > 0;) {
    const std::string key = telling[i].first;
    if (std::ranges::any_of(telling, [&](const auto& other) {
          return other.first != key && is_determined(results, key, other.first);
        }))
      telling.erase(telling.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return telling;
}

std::string values_text(const Params& params) {
  std::string text;
  for (const auto& [key, value] : params) text += (text.empty() ? "" : ", ") + value;
  return text;
}

std::string label_text(const Params& params) {
  const std::vector<std::string> keys = short_keys(params);
  std::string text;
  for (std::size_t i = 0; i < params.size(); ++i) {
    const std::string& value = params[i].second;
    if (i > 0) text += ", ";
    text += real_number(value) ? fmt::format("{} {}", keys[i], value) : value;
  }
  return text;
}

}  // namespace headway::plots
