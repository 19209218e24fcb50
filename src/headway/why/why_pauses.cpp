// SPDX-License-Identifier: Apache-2.0
#include "headway/why/why_pauses.h"

#include <fmt/format.h>

#include <cmath>

#include "headway/metrics/root_name.h"
#include "headway/why/root_groups.h"
#include "headway/why/waiting_words.h"

namespace headway {
namespace {

// Choice: a pause storm is a run in which more than this part of the lanes that can be paused were paused for
// more than half of the window (metric paused_half).
constexpr double kStorm = 0.1;

// The lane that was paused for the longest time: "lane 0 of the link from switch 3 to node 5 (97 %)".
std::string most_paused(const PointResult& point) {
  const Table& lanes = point.result.table("pauses");
  std::size_t most = 0;
  for (std::size_t row = 1; row < rows_of(lanes); ++row)
    if (number_at(lanes, "paused", row) > number_at(lanes, "paused", most)) most = row;
  const auto end = [&](std::string_view sw, std::string_view node) {
    const double number = number_at(lanes, sw, most);
    return std::isnan(number) ? node_text(number_at(lanes, node, most), point.names)
                              : switch_text(number, point.names);
  };
  return fmt::format("lane {:.0f} of the link from {} to {} ({})", number_at(lanes, "lane", most),
                     end("from_switch", "from_node"), end("to_switch", "to_node"),
                     percent(number_at(lanes, "paused", most)));
}

bool has_cycle(const Table& roots) {
  for (std::size_t row = 0; row < rows_of(roots); ++row)
    if (word_at(roots, "kind", row) == "cycle") return true;
  return false;
}

}  // namespace

std::vector<std::string> sentences_of_pauses(const PointResult& point) {
  std::vector<std::string> told;
  const Result& result = point.result;
  const double half = result.metric("paused_half"), lost = result.metric("packets_lost");
  const Table& lanes = result.table("pauses");
  if (half > kStorm) {
    const std::vector<WaitedRoot> roots = waited_roots(result);
    told.push_back(fmt::format(
        "Pause storm: {} of all lanes were paused for more than half of the window.{}", percent(half),
        roots.empty() ? ""
                      : fmt::format(" Most of the packets that wait do so for {}.",
                                    root_phrase(result.table("roots"), roots.front().row, point.names))));
  }
  if (has_cycle(result.table("roots")) && rows_of(lanes) > 0)
    told.push_back("There were cycles of pauses: lanes whose packets wait for each other.");
  if (rows_of(lanes) > 0)
    told.push_back(
        fmt::format("Lanes were paused {:.0f} times, and for {} of the window on average; most of all {}.",
                    result.metric("pauses"), percent(result.metric("paused_share")), most_paused(point)));
  if (lost > 0)
    told.push_back(fmt::format("{:.0f} packets were lost, because their lane had no room.", lost));
  return told;
}

}  // namespace headway
