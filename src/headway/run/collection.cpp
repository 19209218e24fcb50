// SPDX-License-Identifier: Apache-2.0
#include "headway/run/collection.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <numeric>
#include <utility>

#include "headway/io/document_json.h"

namespace headway {

namespace {

std::string text_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& known) {
    return known.what();
  } catch (...) {
    return "stopped";  // by a function of the caller
  }
}

}  // namespace

Collection::Collection(const Experiment& experiment)
    : experiment_(experiment),
      pending_(experiment.points.size()),
      points_(experiment.points.size()),
      wanted_(experiment.points.size(),
              static_cast<std::size_t>(experiment.until ? experiment.until->at_least : experiment.seeds)) {}

Collection::Collection(const Experiment& experiment, const Place& place) : Collection(experiment) {
  command_ = place.command;
  directory_.emplace(place.directory, experiment_, place.progress, place.shard);
}

std::size_t Collection::resume() {
  if (!directory_) return 0;
  const std::size_t before = finished();
  for (auto& [task, result] : directory_->take_results()) keep(task, std::move(result));
  hand_on();
  reused_ += finished() - before;
  return finished() - before;
}

std::vector<Task> Collection::add(const Task& task, Result result) {
  std::vector<Task> more = store(task, std::move(result));
  if (directory_) directory_->sync_if_due();
  hand_on();
  return more;
}

const Result* Collection::find(const Task& task) const {
  const auto repetition = static_cast<std::size_t>(task.repetition);
  if (const auto& point = points_[task.point])
    return repetition < point->runs.size() ? &point->runs[repetition] : nullptr;
  const auto& runs = pending_[task.point];
  return repetition < runs.size() && runs[repetition] ? &*runs[repetition] : nullptr;
}

// Returns the tasks that the point needs next.
std::vector<Task> Collection::store(const Task& task, Result result) {
  if (directory_) directory_->add(task, result);
  result.snapshots.clear();  // they are in their file
  return keep(task, std::move(result));
}

// Completes the point if its runs suffice; otherwise returns the tasks that it needs next, at the end of a
// round.
std::vector<Task> Collection::keep(const Task& task, Result result) {
  std::vector<Result> all;
  SeedsPlan plan;
  {
    const std::scoped_lock lock(mutex_);
    if (points_[task.point]) return {};  // already settled without this run
    auto& runs = pending_[task.point];
    const auto repetition = static_cast<std::size_t>(task.repetition);
    if (runs.size() <= repetition) runs.resize(repetition + 1);
    runs[repetition] = std::move(result);
    plan = plan_of(task.point);
    if (!plan.settled) {
      if (plan.runs == wanted_[task.point]) return {};
      wanted_[task.point] = plan.runs;
      return missing_of(task.point);
    }
    wanted_[task.point] = plan.runs;
    for (std::size_t i = 0; i < plan.runs; ++i) all.push_back(std::move(*runs[i]));
    runs = {};
  }
  PointResult point = make_point_result(experiment_.points[task.point], std::move(all));
  point.search = experiment_.search;
  if (experiment_.until) point.narrow_enough = plan.narrow_enough;
  const std::scoped_lock lock(mutex_);
  points_[task.point] = std::move(point);
  return {};
}

// A started round is completed, so that the runs do not depend on the number of jobs. Requires the lock.
SeedsPlan Collection::plan_of(std::size_t point) const {
  const auto& runs = pending_[point];
  const std::size_t wanted = wanted_[point];
  std::vector<const Result*> first;
  for (std::size_t i = 0; i < runs.size() && runs[i]; ++i) first.push_back(&*runs[i]);
  const SeedsPlan unchanged{.runs = wanted, .settled = !experiment_.until && first.size() >= wanted};
  if (!experiment_.until) return unchanged;
  const SeedsPlan plan = plan_seeds(first, *experiment_.until);
  return plan.settled || first.size() >= wanted ? plan : unchanged;
}

// Gives on_point the finished points that follow those that it has been given.
void Collection::hand_on() {
  const auto next = [this]() -> const PointResult* {
    const std::scoped_lock lock(mutex_);
    const bool there = handed_on_ < points_.size() && points_[handed_on_];
    return there ? &*points_[handed_on_++] : nullptr;
  };
  while (const PointResult* const point = next())
    if (on_point) on_point(*point);
}

std::size_t Collection::runs() const {
  const std::scoped_lock lock(mutex_);
  return std::accumulate(wanted_.begin(), wanted_.end(), std::size_t{0});
}

std::size_t Collection::finished() const {
  const std::scoped_lock lock(mutex_);
  std::size_t count = 0;
  for (std::size_t point = 0; point < points_.size(); ++point)
    count += wanted_[point] - missing_of(point).size();
  return count;
}

// Requires the lock.
std::vector<Task> Collection::missing_of(std::size_t point) const {
  std::vector<Task> tasks;
  if (points_[point]) return tasks;
  for (std::size_t repetition = 0; repetition < wanted_[point]; ++repetition)
    if (const Task task{point, static_cast<int>(repetition)}; find(task) == nullptr) tasks.push_back(task);
  return tasks;
}

std::vector<Task> Collection::missing() const {
  const std::scoped_lock lock(mutex_);
  std::vector<Task> tasks;
  for (std::size_t point = 0; point < points_.size(); ++point)
    std::ranges::copy_if(missing_of(point), std::back_inserter(tasks),
                         [this](const Task& task) { return !directory_ || directory_->has(task); });
  return tasks;
}

bool Collection::run(SweepOptions options, const RunPoint& instead) {
  options.keep = directory_.has_value();
  options.on_progress = [this, then = std::move(options.on_progress)](const SweepProgress& now) {
    if (directory_) directory_->sync_if_due();
    hand_on();
    if (then) then(now);
  };
  if (options.on_stuck)
    options.on_stuck = [this, then = std::move(options.on_stuck)] {
      hand_on();
      finish(kEndInterrupted);
      then();
    };
  bool complete = false;
  try {
    complete = run_sweep(
        experiment_, missing(),
        [this](const Task& task, Result result) { return store(task, std::move(result)); }, options, instead);
  } catch (...) {
    const std::exception_ptr stopped = std::current_exception();
    try {
      finish(text_of(stopped));
    } catch (const std::exception&) {  // the exception that stopped the sweep is more useful, and the journal
                                       // is complete
    }
    std::rethrow_exception(stopped);
  }
  finish(complete ? kEndDone : kEndInterrupted);
  return complete;
}

void Collection::finish(std::string_view how) {
  write();
  if (directory_) directory_->end(how);
}

std::vector<const PointResult*> Collection::points() const {
  const std::scoped_lock lock(mutex_);
  std::vector<const PointResult*> finished;
  for (const auto& point : points_)
    if (point) finished.push_back(&*point);
  return finished;
}

std::vector<PointResult> Collection::take_points() {
  const std::scoped_lock lock(mutex_);
  std::vector<PointResult> finished;
  for (auto& point : points_)
    if (point) finished.push_back(std::move(*point));
  points_.clear();
  return finished;
}

void Collection::json(const Sink& to) const {
  results_json(json_of(experiment_.document).dump(), points(), to);
}

void Collection::write() const {
  if (!directory_) return;
  const std::vector<const PointResult*> finished = points();
  directory_->write(finished, json_of(experiment_.document).dump(),
                    manifest_json(experiment_, finished, command_, reused_));
}

}  // namespace headway
