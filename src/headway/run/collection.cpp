// SPDX-License-Identifier: Apache-2.0
#include "headway/run/collection.h"

#include <algorithm>
#include <utility>

#include "headway/config/toml.h"
#include "headway/io/document_json.h"

namespace headway {

Collection::Collection(const Experiment& experiment)
    : experiment_(experiment), pending_(experiment.points.size()), points_(experiment.points.size()) {}

Collection::Collection(const Experiment& experiment, const Place& place) : Collection(experiment) {
  command_ = place.command;
  directory_.emplace(place.directory, experiment_, write_toml(experiment_.document), place.method,
                     place.progress);
}

std::size_t Collection::resume() {
  if (!directory_) return 0;
  const std::size_t before = finished_;
  for (auto& [task, result] : directory_->take_results()) take(task, std::move(result));
  reused_ += finished_ - before;
  return finished_ - before;
}

void Collection::add(const Task& task, Result result) {
  if (directory_) directory_->add(task, result);
  result.snapshots.clear();  // they are in their file
  take(task, std::move(result));
}

const Result* Collection::find(const Task& task) const {
  const auto repetition = static_cast<std::size_t>(task.repetition);
  if (points_[task.point]) return &points_[task.point]->runs[repetition];
  const auto& runs = pending_[task.point];
  return repetition < runs.size() && runs[repetition] ? &*runs[repetition] : nullptr;
}

void Collection::take(const Task& task, Result result) {
  auto& runs = pending_[task.point];
  runs.resize(static_cast<std::size_t>(experiment_.seeds));
  runs[static_cast<std::size_t>(task.repetition)] = std::move(result);
  ++finished_;
  if (!std::ranges::all_of(runs, [](const auto& run) { return run.has_value(); })) return;
  std::vector<Result> all;
  for (auto& run : runs) all.push_back(std::move(*run));
  runs = {};
  points_[task.point] = make_point_result(experiment_.points[task.point], std::move(all));
  for (; handed_on_ < points_.size() && points_[handed_on_]; ++handed_on_)
    if (on_point) on_point(*points_[handed_on_]);
}

bool Collection::run(SweepOptions options) {
  options.keep = directory_.has_value();
  options.known = [this](const Task& task) { return find(task) != nullptr; };
  options.on_result = [this](const Task& task, Result result) { add(task, std::move(result)); };
  bool complete = false;
  try {
    complete = run_sweep(experiment_, options);
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
