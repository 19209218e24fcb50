// SPDX-License-Identifier: Apache-2.0
#include "headway/remedies/chart.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "headway/base/plural.h"
#include "headway/metrics/metric_names.h"
#include "headway/why/waiting_words.h"

namespace headway {
namespace {

constexpr double kHarm = 0.95;            // gain of another flow or job that is told
constexpr double kSameGainInText = 0.02;  // difference of gains of a range that is not told
constexpr std::size_t kManySkipped = 4;

// The most bars of a kind that are main ones; remedies have what the others leave.
constexpr std::size_t kCauseBars = 5, kBoundBars = 4, kPairBars = 3;

bool is_deadlocked(const RemedyRow& row) { return row.status == name_of(Status::deadlock); }

}  // namespace

bool was_run(const RemedyRow& row) { return row.skipped.empty(); }
bool is(const RemedyRow& row, ChangeKind kind) { return row.kind == name_of(kind); }
bool helps(const RemedyRow& row) { return row.gain >= 1 + row.effect; }
bool harms(const RemedyRow& row) { return !(row.gain > 1 / (1 + row.effect)); }

std::string factor_text(double gain) {
  return gain >= 100 ? fmt::format("{:.0f}", gain) : fmt::format("{:.3g}", gain);
}

std::string words_for_gain(const RemedyRow& row) {
  if (row.gain > 0 && std::isfinite(row.gain)) return "";
  if (is_deadlocked(row)) return "deadlock";
  return row.status == name_of(Status::unfinished) || row.gain <= 0 ? "did not end in time" : "no value";
}

std::string range_text(const RemedyRow& row) {
  if (!(row.seeds >= 2) || std::isnan(row.gain_low)) return "";
  if (row.gain_high - row.gain_low < kSameGainInText * row.gain)
    return fmt::format("the same over {} seeds", row.seeds);
  return fmt::format("{} to {} over {} seeds", factor_text(row.gain_low), factor_text(row.gain_high),
                     row.seeds);
}

std::string costs_text(const RemedyRow& row, const Result& base) {
  if (is(row, ChangeKind::cause) || is(row, ChangeKind::bound)) return "";
  std::vector<std::string> parts;
  const auto add = [&](double count, std::string_view metric, std::string_view one, double least) {
    if (count > std::fmax(least, base.metric(metric))) parts.push_back(counted(count, one));
  };
  add(row.queues_per_port, metrics::queues_per_port, "queue", 1);
  add(row.lanes, metrics::lanes, "lane", 1);
  add(row.cam_lines_per_port, metrics::cam_lines_per_port, "CAM line", 0);
  if (row.out_of_order_packets > 0 && !(base.metric(metrics::out_of_order_packets) > 0))
    parts.emplace_back("reorders");
  if (row.others_worst < kHarm) parts.push_back(fmt::format("others: {}", factor_text(row.others_worst)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string ending_text(const RemedyRow& row) {
  return row.group == name_of(ChangeGroup::routing)
             ? "no deadlock is possible: its routes have no cycle [theorem]"
             : "did not deadlock in this run, which proves nothing";
}

// By reason. A group that is closed has the same reason for all of its changes.
std::vector<std::string> skipped_sentences(std::span<const RemedyRow> rows, std::string_view where_why) {
  const bool all = where_why.empty();
  std::vector<std::string> sentences;
  std::vector<std::pair<std::string_view, std::vector<const RemedyRow*>>> by_reason;
  for (const RemedyRow& row : rows) {
    if (was_run(row)) continue;
    if (is(row, ChangeKind::own)) {
      sentences.push_back(fmt::format("own, not run: {}, because {}.", row.change, row.skipped));
      continue;
    }
    const auto same = std::ranges::find(by_reason, row.skipped, [](const auto& one) { return one.first; });
    if (same == by_reason.end())
      by_reason.push_back({row.skipped, {&row}});
    else
      same->second.push_back(&row);
  }
  std::size_t few = 0;
  std::vector<std::string_view> groups_of_few;
  const auto add_once = [](std::vector<std::string_view>& names, std::string_view name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const auto& [reason, of_reason] : by_reason) {
    if (!all && of_reason.size() < kManySkipped && !reason.starts_with("at most")) {
      few += of_reason.size();
      for (const RemedyRow* const row : of_reason) add_once(groups_of_few, row->group);
      continue;
    }
    std::vector<std::string_view> names;
    for (const RemedyRow* const row : of_reason)
      add_once(names, all || of_reason.size() < kManySkipped ? row->change : row->group);
    sentences.push_back(fmt::format("not run, because {}: {}.", reason, fmt::join(names, ", ")));
  }
  if (few > 0)
    sentences.push_back(fmt::format("not run: {} ({}); {}.", plural(few, "other change"),
                                    fmt::join(groups_of_few, ", "), where_why));
  return sentences;
}

void best_of_each_group_first(std::vector<const RemedyRow*>& rows) {
  std::set<std::string_view> seen;
  std::stable_partition(rows.begin(), rows.end(),
                        [&](const RemedyRow* row) { return seen.insert(row->group).second; });
}

RemedyChart::RemedyChart(const Result& result) : rows(rows_in<RemedyRow>(result)) {
  std::size_t left = kMostBars;
  const auto add = [&](ChangeKind kind, std::size_t most) {
    std::vector<const RemedyRow*> of_kind;
    for (const RemedyRow& row : rows)
      if (is(row, kind) && was_run(row) &&
          (base_ends() || !(is_deadlocked(row) || kind == ChangeKind::bound)))
        of_kind.push_back(&row);
    const auto gain_of = [](const RemedyRow* row) { return std::isnan(row->gain) ? 0 : row->gain; };
    std::ranges::stable_sort(of_kind, std::ranges::greater(), gain_of);
    std::vector<const RemedyRow*> best = of_kind;
    best_of_each_group_first(best);
    best.resize(std::min(best.size(), most));
    for (const RemedyRow* const row : of_kind)
      bars.push_back({row, kind, base_ends() ? words_for_gain(*row) : ending_text(*row),
                      costs_text(*row, result), std::ranges::find(best, row) != best.end()});
    left -= std::min(left, best.size());
  };
  add(ChangeKind::cause, kCauseBars);
  add(ChangeKind::bound, kBoundBars);
  add(ChangeKind::pair, kPairBars);
  add(ChangeKind::remedy, left);
  add(ChangeKind::own, rows.size());
  std::ranges::stable_sort(bars, {}, &Bar::kind);
}

bool RemedyChart::base_ends() const { return !rows.empty() && !std::isnan(rows.front().base); }

std::string RemedyChart::others() const {
  std::map<ChangeKind, std::size_t> more;
  for (const Bar& bar : bars)
    if (!bar.is_main) ++more[bar.kind];
  std::vector<std::string> texts;
  for (const auto& [kind, count] : more)
    texts.push_back(plural(count, fmt::format("other {}", name_of(kind))));
  return and_list(texts);
}

}  // namespace headway
