// SPDX-License-Identifier: Apache-2.0
#include "headway/run/collection.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "headway/io/document_json.h"
#include "headway/run/seeds_plan.h"

namespace headway {

Collection::Collection(const Experiment& experiment)
    : experiment_(experiment),
      pending_(experiment.points.size()),
      points_(experiment.points.size()),
      wanted_(experiment.points.size(),
              static_cast<std::size_t>(experiment.until ? experiment.until->at_least : experiment.seeds)) {}

Collection::Collection(const Experiment& experiment, const Place& place) : Collection(experiment) {
  command_ = place.command;
  directory_.emplace(place.directory, experiment_, place.progress);
}

std::size_t Collection::resume() {
  if (!directory_) return 0;
  const std::size_t before = finished();
  for (auto& [task, result] : directory_->take_results()) take(task, std::move(result));
  reused_ += finished() - before;
  return finished() - before;
}

void Collection::add(const Task& task, Result result) {
  if (directory_) directory_->add(task, result);
  result.snapshots.clear();  // they are in their file
  take(task, std::move(result));
}

const Result* Collection::find(const Task& task) const {
  const auto repetition = static_cast<std::size_t>(task.repetition);
  if (const auto& point = points_[task.point])
    return repetition < point->runs.size() ? &point->runs[repetition] : nullptr;
  const auto& runs = pending_[task.point];
  return repetition < runs.size() && runs[repetition] ? &*runs[repetition] : nullptr;
}

void Collection::take(const Task& task, Result result) {
  if (points_[task.point]) return;  // already settled without this run
  auto& runs = pending_[task.point];
  const auto repetition = static_cast<std::size_t>(task.repetition);
  if (runs.size() <= repetition) runs.resize(repetition + 1);
  runs[repetition] = std::move(result);
  settle(task.point);
  for (; handed_on_ < points_.size() && points_[handed_on_]; ++handed_on_)
    if (on_point) on_point(*points_[handed_on_]);
}

// Completes the point if its runs suffice.
void Collection::settle(std::size_t point) {
  auto& runs = pending_[point];
  std::vector<const Result*> first;
  for (std::size_t i = 0; i < runs.size() && runs[i]; ++i) first.push_back(&*runs[i]);
  SeedsPlan plan{.runs = wanted_[point], .settled = first.size() >= wanted_[point]};
  if (experiment_.until) plan = plan_seeds(first, *experiment_.until);
  // a started round is completed, so that the runs do not depend on the number of jobs
  if (!plan.settled && first.size() < wanted_[point]) return;
  wanted_[point] = plan.runs;
  if (!plan.settled) return;
  std::vector<Result> all;
  for (std::size_t i = 0; i < plan.runs; ++i) all.push_back(std::move(*runs[i]));
  runs = {};
  points_[point] = make_point_result(experiment_.points[point], std::move(all));
  points_[point]->search = experiment_.search;
  if (experiment_.until) points_[point]->narrow_enough = plan.narrow_enough;
}

std::size_t Collection::runs() const {
  return std::accumulate(wanted_.begin(), wanted_.end(), std::size_t{0});
}

std::size_t Collection::finished() const {
  std::size_t count = 0;
  for (std::size_t point = 0; point < points_.size(); ++point) {
    const std::span runs(pending_[point]);
    const auto wanted = runs.first(std::min<std::size_t>(runs.size(), wanted_[point]));
    count += points_[point] ? points_[point]->runs.size()
                            : static_cast<std::size_t>(std::ranges::count_if(
                                  wanted, [](const auto& run) { return run.has_value(); }));
  }
  return count;
}

std::vector<Task> Collection::missing() const {
  std::vector<Task> tasks;
  for (std::size_t point = 0; point < points_.size(); ++point) {
    if (points_[point]) continue;
    for (std::size_t repetition = 0; repetition < wanted_[point]; ++repetition)
      if (const Task task{point, static_cast<int>(repetition)}; find(task) == nullptr) tasks.push_back(task);
  }
  return tasks;
}

bool Collection::run(SweepOptions options) {
  options.keep = directory_.has_value();
  const TakeResult take = [this](const Task& task, Result result) { add(task, std::move(result)); };
  if (options.on_stuck)
    options.on_stuck = [this, then = std::move(options.on_stuck)] {
      write();
      then();
    };
  bool complete = false;
  try {
    do {
      complete = run_sweep(experiment_, missing(), take, options);
      options.on_plan = {};  // already reported
    } while (complete && experiment_.until &&
             !std::ranges::all_of(points_, &std::optional<PointResult>::has_value));
  } catch (...) {
    const std::exception_ptr stopped = std::current_exception();
    try {
      write();
    } catch (const std::exception&) {  // the exception that stopped the sweep is more useful, and the journal
                                       // is complete
      std::rethrow_exception(stopped);
    }
    throw;
  }
  write();
  return complete;
}

std::vector<PointResult> Collection::points() const {
  std::vector<PointResult> complete;
  for (const auto& point : points_)
    if (point) complete.push_back(*point);
  return complete;
}

std::string Collection::json() const { return results_json(to_json(experiment_.document), points()); }

void Collection::write() const {
  if (!directory_) return;
  const std::vector<PointResult> complete = points();
  directory_->write(complete, results_json(to_json(experiment_.document), complete),
                    manifest_json(experiment_, complete, command_, reused_));
}

}  // namespace headway
