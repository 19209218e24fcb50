// SPDX-License-Identifier: Apache-2.0
// Shared by the files that make figures of a user's own results: names, and hints to them.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "headway/config/nearest.h"
#include "headway/papers/plot.h"
#include "headway/run/results.h"

namespace headway::plots {

inline constexpr std::string_view kTimeColumn = "time_ns";

using Words = std::vector<std::string_view>;

// `file` has the valid names as columns; it is named instead of a long list.
inline std::string nearest_of(const std::string& name, const Words& valid, std::string_view file = {}) {
  constexpr std::size_t kFew = 16;
  if (const auto meant = nearest(name, valid)) return fmt::format("did you mean \"{}\"?", *meant);
  return file.empty() || valid.size() <= kFew ? "valid: " + list_text(valid, "or")
                                              : fmt::format("valid: the metrics in {}", file);
}

// The metrics of all panels; `lowest` may be the default of axes.y.
inline std::vector<std::string> all_y(const std::string& lowest, const PlotAxes& axes) {
  std::vector<std::string> all = {lowest};
  all.insert(all.end(), axes.more_y.begin(), axes.more_y.end());
  return all;
}

// The values of the swept keys: "obqa, 0.9"; empty if there are none.
inline std::string label_of_point(const PointResult& point) {
  std::string label;
  for (const auto& [key, value] : point.params) label += (label.empty() ? "" : ", ") + value;
  return label;
}

}  // namespace headway::plots
