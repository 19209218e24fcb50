// SPDX-License-Identifier: Apache-2.0
#include "headway/run/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "headway/metrics/tables.h"
#include "headway/metrics/units.h"

namespace headway {
namespace {

std::string lacks(std::string_view table) { return fmt::format("the results have no {}", table); }
std::string when(std::string_view table) {
  return fmt::format("runs have it with: {}", find_table(table)->when);
}

class TimelineMaker {
 public:
  TimelineMaker(const PointResult& point, std::string_view job, std::size_t most_rows)
      : operations_(point.result.table("per_operation")),
        steps_(point.result.table("critical_path")),
        job_(job),
        most_rows_(most_rows),
        several_seeds_(point.runs.size() > 1) {}

  Timeline take() {
    check();
    made_.job = job_;
    find_iteration();
    choose_rows();
    for (const auto& [rank, rows] : rows_of_rank_)
      if (const auto row = row_of(rank)) add_rank(*row, rows);
    add_path();
    return std::move(made_);
  }

 private:
  using Events = std::vector<std::pair<double, std::pair<Doing, int>>>;  // time, what, and its change

  void check() const {
    if (operations_.empty()) throw NoTimeline(lacks("per_operation"), when("per_operation"));
    if (several_seeds_)
      throw NoTimeline("the results are of several seeds, whose times differ", "use seeds = 1");
  }

  void find_iteration() {
    made_.from = INFINITY;
    for (std::size_t row = 0; row < rows_of(operations_); ++row) {
      if (word_at(operations_, "job", row) != job_) continue;
      const double rank = number_at(operations_, "rank", row);
      if (std::isnan(rank)) continue;
      std::vector<std::size_t>& rows = rows_of_rank_[rank];
      const double start = number_at(operations_, "start_ns", row);
      if (std::isnan(start)) continue;
      rows.push_back(row);
      made_.from = std::min(made_.from, start);
      const double finish = number_at(operations_, "finish_ns", row);
      made_.to = std::max({made_.to, start, std::isnan(finish) ? 0 : finish});
    }
    made_.all_ranks = rows_of_rank_.size();
    if (!(made_.from < made_.to)) throw NoTimeline(fmt::format("no operation of '{}' takes time", job_), "");
    for (std::size_t row = 0; row < rows_of(steps_); ++row)
      if (word_at(steps_, "job", row) == job_ && end_of(row) > made_.from) on_path_.push_back(row);
    if (steps_.empty())
      made_.note =
          fmt::format("without its critical path: {}; {}", lacks("critical_path"), when("critical_path"));
    else if (on_path_.empty())
      made_.note = fmt::format("'{}' has no critical path: it is in the background or not done", job_);
  }

  // In the order of the path, so that a part of it is drawn without gaps if it has too many ranks.
  void choose_rows() {
    std::vector<double>& ranks = made_.ranks;
    const auto add = [&](double rank) {
      if (ranks.size() < most_rows_ && rows_of_rank_.contains(rank) && !row_of(rank)) ranks.push_back(rank);
    };
    for (const std::size_t row : on_path_)
      for (const std::string_view column : {"rank", "peer"})
        if (const double rank = number_at(steps_, column, row); !std::isnan(rank)) add(rank);
    for (const auto& [rank, rows] : rows_of_rank_) add(rank);
    std::ranges::sort(ranks);
  }

  void add_rank(std::size_t row, const std::vector<std::size_t>& operations) {
    Events events;
    for (const std::size_t operation : operations) add_events(events, operation);
    std::ranges::sort(events);
    std::array<int, kDoings> now{};
    const std::size_t before = made_.stretches.size();
    for (std::size_t i = 0; i < events.size(); ++i) {
      const auto& [time, change] = events[i];
      now[static_cast<std::size_t>(change.first)] += change.second;
      const auto first = std::ranges::find_if(now, [](int count) { return count > 0; });
      if (i + 1 == events.size() || first == now.end() || time == events[i + 1].first) continue;
      add_stretch(before, {row, static_cast<Doing>(first - now.begin()), time, events[i + 1].first});
    }
  }

  void add_events(Events& events, std::size_t operation) const {
    const auto add = [&](Doing doing, double from, double to) {
      if (!(from < to)) return;
      events.push_back({from, {doing, 1}});
      events.push_back({to, {doing, -1}});
    };
    const double start = number_at(operations_, "start_ns", operation);
    const double finish = number_at(operations_, "finish_ns", operation);
    const double end = std::isnan(finish) ? made_.to : finish;
    const std::string_view kind = word_at(operations_, "kind", operation);
    if (kind == "compute") return add(Doing::computes, start, end);
    const double turn = number_at(operations_, "turn_ns", operation);
    add(kind == "send" ? Doing::sends : Doing::waits, start, end);
    if (kind == "send")
      add(Doing::handles, start, std::min(end, start + turn));
    else if (!std::isnan(finish))
      add(Doing::handles, std::max(start, finish - turn), finish);
  }

  // One stretch of a row after the other; the first of this row has the number `first`.
  void add_stretch(std::size_t first, const Timeline::Stretch& next) {
    if (made_.stretches.size() > first) {
      Timeline::Stretch& last = made_.stretches.back();
      if (last.doing == next.doing && last.to == next.from) {
        last.to = next.to;
        return;
      }
    }
    made_.stretches.push_back(next);
  }

  void add_path() {
    for (const std::size_t row : on_path_) {
      const std::string_view kind = word_at(steps_, "step_kind", row);
      const double rank = number_at(steps_, "rank", row), peer = number_at(steps_, "peer", row);
      const bool stays = kind == "departure" || std::isnan(peer);
      const auto first = row_of(rank), last = row_of(stays ? rank : peer);
      if (!first || !last) continue;
      const double start = number_at(steps_, "start_ns", row), from = std::max(start, made_.from);
      const double waits_to = start + number_at(steps_, "wait_ns", row);
      made_.path.push_back(
          {std::string(kind), *first, *last, from, end_of(row), std::max(0.0, waits_to - from), row});
    }
  }

  double end_of(std::size_t step) const {
    return number_at(steps_, "start_ns", step) + number_at(steps_, "length_ns", step);
  }
  // The row of the picture; none for a rank that is not drawn.
  std::optional<std::size_t> row_of(double rank) const {
    const auto found = std::ranges::find(made_.ranks, rank);
    if (found == made_.ranks.end()) return std::nullopt;
    return static_cast<std::size_t>(found - made_.ranks.begin());
  }

  const Table &operations_, &steps_;
  std::string_view job_;
  std::size_t most_rows_;
  bool several_seeds_;
  std::map<double, std::vector<std::size_t>> rows_of_rank_;  // of per_operation, started
  std::vector<std::size_t> on_path_;                         // rows of critical_path
  Timeline made_;
};

}  // namespace

std::string_view name_of(Doing doing) {
  constexpr std::string_view kNames[kDoings] = {"computes", "handles messages", "sends",
                                                "waits for a receive"};
  return kNames[static_cast<std::size_t>(doing)];
}

Timeline make_timeline(const PointResult& point, std::string_view job, std::size_t most_rows) {
  return TimelineMaker(point, job, most_rows).take();
}

}  // namespace headway
