// SPDX-License-Identifier: Apache-2.0
#include "headway/run/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "headway/metrics/rows.h"
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
      : operations_(rows_in<OperationRow>(point.result)),
        steps_(rows_in<StepRow>(point.result)),
        has_operations_(!table_in<OperationRow>(point.result).empty()),
        has_steps_(!table_in<StepRow>(point.result).empty()),
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
    if (!has_operations_) throw NoTimeline(lacks(OperationRow::kTable), when(OperationRow::kTable));
    if (several_seeds_)
      throw NoTimeline("the results are of several seeds, whose times differ", "use seeds = 1");
  }

  void find_iteration() {
    made_.from = INFINITY;
    for (const OperationRow& operation : operations_) {
      if (operation.job != job_ || std::isnan(operation.rank)) continue;
      std::vector<const OperationRow*>& started = rows_of_rank_[operation.rank];
      if (std::isnan(operation.start_ns)) continue;
      started.push_back(&operation);
      made_.from = std::min(made_.from, operation.start_ns);
      made_.to =
          std::max({made_.to, operation.start_ns, std::isnan(operation.finish_ns) ? 0 : operation.finish_ns});
    }
    made_.all_ranks = rows_of_rank_.size();
    if (!(made_.from < made_.to)) throw NoTimeline(fmt::format("no operation of '{}' takes time", job_), "");
    for (const StepRow& step : steps_)
      if (step.job == job_ && step.end_ns() > made_.from) on_path_.push_back(&step);
    if (!has_steps_)
      made_.note =
          fmt::format("without its critical path: {}; {}", lacks(StepRow::kTable), when(StepRow::kTable));
    else if (on_path_.empty())
      made_.note = fmt::format("'{}' has no critical path: it is in the background or not done", job_);
  }

  // In the order of the path, so that a part of it is drawn without gaps if it has too many ranks.
  void choose_rows() {
    std::vector<double>& ranks = made_.ranks;
    const auto add = [&](double rank) {
      if (ranks.size() < most_rows_ && rows_of_rank_.contains(rank) && !row_of(rank)) ranks.push_back(rank);
    };
    for (const StepRow* const step : on_path_)
      for (const double rank : {step->rank, step->peer})
        if (!std::isnan(rank)) add(rank);
    for (const auto& [rank, rows] : rows_of_rank_) add(rank);
    std::ranges::sort(ranks);
  }

  void add_rank(std::size_t row, const std::vector<const OperationRow*>& operations) {
    Events events;
    for (const OperationRow* const operation : operations) add_events(events, *operation);
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

  void add_events(Events& events, const OperationRow& operation) const {
    const auto add = [&](Doing doing, double from, double to) {
      if (!(from < to)) return;
      events.push_back({from, {doing, 1}});
      events.push_back({to, {doing, -1}});
    };
    const double start = operation.start_ns, finish = operation.finish_ns, turn = operation.turn_ns;
    const bool is_send = operation.kind == OperationRow::kSend;
    const double end = std::isnan(finish) ? made_.to : finish;
    if (operation.kind == OperationRow::kCompute) return add(Doing::computes, start, end);
    add(is_send ? Doing::sends : Doing::waits, start, end);
    if (is_send)
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
    for (const StepRow* const step : on_path_) {
      const bool stays = step->step_kind == StepRow::kDeparture || std::isnan(step->peer);
      const auto first = row_of(step->rank), last = row_of(stays ? step->rank : step->peer);
      if (!first || !last) continue;
      const double from = std::max(step->start_ns, made_.from);
      const double waits_to = step->start_ns + step->wait_ns;
      made_.path.push_back({std::string(step->step_kind), *first, *last, from, step->end_ns(),
                            std::max(0.0, waits_to - from), static_cast<std::size_t>(step - steps_.data())});
    }
  }

  // The row of the picture; none for a rank that is not drawn.
  std::optional<std::size_t> row_of(double rank) const {
    const auto found = std::ranges::find(made_.ranks, rank);
    if (found == made_.ranks.end()) return std::nullopt;
    return static_cast<std::size_t>(found - made_.ranks.begin());
  }

  std::vector<OperationRow> operations_;
  std::vector<StepRow> steps_;
  bool has_operations_, has_steps_;
  std::string_view job_;
  std::size_t most_rows_;
  bool several_seeds_;
  std::map<double, std::vector<const OperationRow*>> rows_of_rank_;  // that have started
  std::vector<const StepRow*> on_path_;
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
