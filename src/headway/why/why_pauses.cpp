// SPDX-License-Identifier: Apache-2.0
#include "headway/why/why_pauses.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "headway/metrics/metric_names.h"
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
  const std::vector<PauseRow> lanes = rows_in<PauseRow>(point.result);
  const PauseRow* most = lanes.data();
  for (const PauseRow& lane : lanes)
    if (lane.paused > most->paused) most = &lane;
  const auto end = [&](double sw, double node) {
    return std::isnan(sw) ? node_text(node, point.names) : switch_text(sw, point.names);
  };
  return fmt::format("lane {:.0f} of the link from {} to {} ({})", most->lane,
                     end(most->from_switch, most->from_node), end(most->to_switch, most->to_node),
                     percent(most->paused));
}

bool has_cycle(const Result& result) {
  return std::ranges::any_of(rows_in<RootRow>(result),
                             [](const RootRow& root) { return root_kind(root) == RootKind::cycle; });
}

}  // namespace

std::vector<Sentence> sentences_of_pauses(const PointResult& point) {
  Told told;
  const Result& result = point.result;
  const double half = result.metric(metrics::paused_half), lost = result.metric(metrics::packets_lost);
  const bool any_paused = rows_of(table_in<PauseRow>(result)) > 0;
  if (half > kStorm) {
    const std::vector<WaitedRoot> roots = waited_roots(result);
    told.say("Pause storm: {} of all lanes were paused for more than half of the window.{}", percent(half),
             roots.empty() ? ""
                           : fmt::format(" Most of the packets that wait do so for {}.",
                                         root_phrase(roots.front().row, point.names)));
  }
  if (any_paused && has_cycle(result))
    told.say("There were cycles of pauses: lanes whose packets wait for each other.");
  if (any_paused)
    told.say("Lanes were paused {:.0f} times, and for {} of the window on average; most of all {}.",
             result.metric(metrics::pauses), percent(result.metric(metrics::paused_share)),
             most_paused(point));
  if (lost > 0) told.say("{:.0f} packets were lost, because their lane had no room.", lost);
  return told.take();
}

}  // namespace headway
