// SPDX-License-Identifier: Apache-2.0
#include "headway/remedies/session.h"

#include <cmath>
#include <span>
#include <utility>

#include "headway/base/units.h"
#include "headway/io/document_json.h"
#include "headway/io/json.h"
#include "headway/metrics/metric_names.h"
#include "headway/run/results_dir.h"

namespace headway {
namespace {

// A job that does not become faster is not simulated to its end.
constexpr double kMostLimit = 1.1;  // times the end of the base

}  // namespace

Session::Session(Question question, const Experiment& experiment, const PointResult* base)
    : spec_(std::get<EventSpec>(experiment.points.front().spec())),
      plan_(plan_of(spec_)),
      trials_(std::move(question.document), std::move(question.overrides), std::move(question.files),
              std::move(question.options)) {
  const TrialSpec of_base{.seed = spec_.seed,
                          .account = spec_.traffic.has_foreground_job() ? Account::path : Account::photos};
  base_ = base != nullptr ? &trials_.know(of_base, *base) : &trials_.run(of_base);
  if (!base_->point) throw NoResult("the base could not be run: " + base_->why_not);
  goal_ = goal_of(*base_->point, question.goal);
  const Result& result = *base_->result();
  if (spec_.measure.until == Until::done && result.status == Status::ok)
    trials_.end_after(Duration{Rational(std::llround(
        kMostLimit * (result.metric(metrics::warmup_ns) + result.metric(metrics::duration_ns))))});
}

ChangeSource Session::source() const {
  return {.spec = spec_,
          .plan = plan_,
          .base = *base_->point,
          .goal = goal_,
          .account = account_of(*base_->point, goal_),
          .accepts = [this](const std::vector<Override>& set) { return trials_.accepts(set); }};
}

Followed Session::follow() { return headway::follow(trials_, source(), *base_); }

Found Session::search(const SearchOptions& options) {
  return headway::search(trials_, source(), *base_, options);
}

void write_with_remedies(const std::filesystem::path& directory, const Experiment& experiment,
                         const PointResult& point, const std::vector<std::string>& command) {
  const PointResult* const only = &point;
  ResultsDir(directory, experiment)
      .write(std::span(&only, 1), json_of(experiment.document).dump(),
             manifest_json(experiment, std::span(&only, 1), command));
}

}  // namespace headway
