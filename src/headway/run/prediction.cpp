// SPDX-License-Identifier: Apache-2.0
#include "headway/run/prediction.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <numeric>
#include <optional>
#include <utility>

#include "headway/base/cpu_time.h"
#include "headway/compile/machine.h"
#include "headway/compile/run_cost.h"
#include "headway/compile/seen_networks.h"
#include "headway/engine/simulation.h"
#include "headway/run/run.h"
#include "headway/run/saturation.h"

namespace headway {
namespace {

struct Enough {};  // thrown to end a run

// The first part of a run.
class Sample {
 public:
  Sample(const Spec& spec, const RunWork& work, double budget, const RunOptions& options) : budget_(budget) {
    RunOptions of_run = options;
    of_run.watch = [this](const Simulation& simulation, const Network& network) {
      return look(simulation, network);
    };
    try {
      run(spec, of_run);
      seconds_ = cpu_seconds() - begin_;
    } catch (const Enough&) {
      seconds_ = extrapolated(work, std::get<EventSpec>(spec));
    }
  }

  double seconds() const { return seconds_; }  // of the whole run

 private:
  struct Look {
    double seconds = 0;
    double hops = 0;
    double ns = 0;
  };
  static constexpr double kLooks = 64;

  // Returns the number of ticks until the next look.
  std::uint64_t look(const Simulation& simulation, const Network& network) {
    const Record& record = simulation.record();
    const Look now{cpu_seconds() - begin_, static_cast<double>(record.counters.packet_hops),
                   network.ns(static_cast<double>(simulation.view().now()))};
    if (looks_.empty()) first_ = now.seconds;
    if (!looks_.empty() && now.hops < looks_.back().hops - before_.hops) before_ = looks_.back();
    const double last = looks_.empty() ? first_ : looks_.back().seconds;
    looks_.push_back({now.seconds, before_.hops + now.hops, before_.ns + now.ns});
    if (now.seconds - first_ > budget_) throw Enough{};
    const double part = budget_ / kLooks;
    if (now.seconds - last < part / 2) ticks_ = std::min<std::uint64_t>(ticks_ * 2, 1 << 16);
    if (now.seconds - last > part) ticks_ = std::max<std::uint64_t>(ticks_ / 2, 1);
    return ticks_;
  }

  // Of the part of the sample from `from` to `to`, as shares of its time.
  Look between(double from, double to) const {
    const auto at = [&](double share) -> const Look& {
      const double time = first_ + share * (looks_.back().seconds - first_);
      return *std::ranges::find_if(looks_, [&](const Look& look) { return look.seconds >= time; });
    };
    const Look &a = at(from), &b = at(to);
    return {b.seconds - a.seconds, b.hops - a.hops, b.ns - a.ns};
  }

  double extrapolated(const RunWork& work, const EventSpec& spec) const {
    const Look &last = looks_.back(), late = between(0.5, 1);
    if (late.hops <= 0)
      return last.seconds +
             (late.ns <= 0 ? 0 : late.seconds / late.ns * std::max(0.0, work.time_ns - last.ns));
    const double by_hops = last.seconds + late.seconds / late.hops * std::max(0.0, work.hops - last.hops);
    if (work.time_ns <= last.ns) return by_hops;
    const Look third = between(0.5, 0.75), fourth = between(0.75, 1);
    const double by_time = last.seconds + fourth.seconds / fourth.ns * (work.time_ns - last.ns);
    // photographs are taken over time, and take longer the more packets wait
    if (spec.observe.waiting) return std::max(by_hops, by_time);
    // a network that is full carries less than what is offered
    const bool is_full = late.hops * work.time_ns < kFull * work.hops * late.ns &&
                         fourth.hops * third.ns < kRises * third.hops * fourth.ns;
    return is_constant(spec) && is_full ? by_time : by_hops;
  }

  static constexpr double kFull = 0.9, kRises = 1.1;

  // Whether the same traffic is offered all the time.
  static bool is_constant(const EventSpec& spec) {
    const auto changes = [](const FlowSpec& flow) {
      return flow.start || flow.stop || flow.load.points.size() > 1;
    };
    return spec.traffic.traces.empty() && spec.traffic.jobs.empty() &&
           std::ranges::none_of(spec.traffic.flows, changes);
  }

  double budget_;
  double begin_ = cpu_seconds();
  double first_ = 0;  // time at the first look
  Look before_;       // at the end of the simulations before this one, of jobs alone
  std::vector<Look> looks_;
  std::uint64_t ticks_ = 1;
  double seconds_ = 0;
};

// A part of the slots that takes long enough, from the first on.
double seconds_of(const SlottedSpec& spec, double budget) {
  const auto all = static_cast<double>(spec.slots + spec.warmup_slots);
  SlottedSpec part = spec;
  part.warmup_slots = 0;
  for (part.slots = 64;; part.slots *= 2) {
    const double begin = cpu_seconds();
    run(part);
    const double seconds = cpu_seconds() - begin;
    const auto slots = static_cast<double>(part.slots);
    if (seconds > budget / 2 || slots >= all) return seconds * all / slots;
  }
}

class Predictor {
 public:
  Predictor(const Experiment& experiment, const PredictionOptions& options)
      : experiment_(experiment), options_(options) {
    of_run_.networks = &own_;  // those of a check do not build all graphs
    of_run_.cancelled = options.cancelled;
  }

  std::vector<PointTime> times() {
    const std::size_t points = experiment_.points.size();
    sampled_.resize(points);
    const double begin = cpu_seconds();
    // a stride without a common factor visits all points, and those visited first are spread over all
    std::size_t stride =
        std::max<std::size_t>(1, static_cast<std::size_t>(0.618 * static_cast<double>(points)));
    while (std::gcd(stride, points) != 1) ++stride;
    for (std::size_t i = 0; i < points; ++i) {
      const std::size_t point = i * stride % points;
      sampled_[point] = time_of(point);
      if (cpu_seconds() - begin > options_.of_all) break;
    }
    std::vector<PointTime> times;
    for (std::size_t point = 0; point < points; ++point) times.push_back(repeated(time_like(point)));
    return times;
  }

 private:
  PointTime time_of(std::size_t number) {
    const Point& point = experiment_.points[number];
    if (point.need.start > std::min(kMostMemory, available_memory() / 2))
      return {kUsualHop * expected_work(experiment_, number), kUsualHop * expected_work(experiment_, number)};
    const Spec spec = point.spec();
    if (experiment_.search) return time_of_search(spec, point.work, *experiment_.search);
    const double seconds = seconds_of_run(spec, point.work, 1);
    return {seconds, seconds * longest_warmup(spec)};
  }

  double seconds_of_run(const Spec& spec, const RunWork& work, double share_of_hops) {
    if (const auto* slotted = std::get_if<SlottedSpec>(&spec)) return seconds_of(*slotted, options_.of_point);
    const double hops = work.hops * share_of_hops;
    try {
      const bool looks = std::get<EventSpec>(spec).observe.waiting;
      return Sample(spec, {hops, work.time_ns}, options_.of_point * (looks ? kObserved : 1), of_run_)
          .seconds();
    } catch (const std::exception&) {  // what is wrong is reported when it runs
      return kUsualHop * hops;
    }
  }

  // A warm-up that is detected can take several times as long as expected.
  static double longest_warmup(const Spec& spec) {
    const auto* event = std::get_if<EventSpec>(&spec);
    if (event == nullptr || event->measure.warmup || event->measure.until == Until::done) return 1;
    return (1.0 + kWarmupLimit) / 1.5;
  }

  // The run at full load, and the others near a load of which half is a guess. A run that is too short for a
  // verdict is repeated, up to four times as long.
  PointTime time_of_search(const Spec& spec, const RunWork& work, const SaturationSearch& search) {
    const auto* event = std::get_if<EventSpec>(&spec);
    const double largest = event == nullptr ? 1 : largest_load(*event);
    const double full = seconds_of_run(at_load(spec, 1), work, 1 / largest);
    const double half = seconds_of_run(at_load(spec, 0.5), work, 0.5 / largest);
    const double expected = full + half * (runs_of(search) - 2) + half * 2 * search.lowest;
    return {expected, 5 * expected};
  }

  PointTime time_like(std::size_t number) const {
    if (sampled_[number]) return *sampled_[number];
    const Point& point = experiment_.points[number];
    std::size_t best = 0, most = 0;
    for (std::size_t other = 0; other < sampled_.size(); ++other) {
      if (!sampled_[other]) continue;
      std::size_t same = 1;
      for (std::size_t key = 0; key < point.params.size(); ++key)
        same += point.params[key] == experiment_.points[other].params[key];
      if (same > most) most = same, best = other;
    }
    const double work = expected_work(experiment_, best);
    const double ratio = work > 0 ? expected_work(experiment_, number) / work : 1;
    return {sampled_[best]->expected * ratio, sampled_[best]->most * ratio};
  }

  PointTime repeated(const PointTime& time) const {
    const double seeds = experiment_.seeds;
    const double least = experiment_.until ? static_cast<double>(experiment_.until->at_least) : seeds;
    return {time.expected * least, time.most * seeds};
  }

  static constexpr double kObserved = 5;        // times as long, so that packets begin to wait
  static constexpr double kUsualHop = 0.15e-6;  // seconds
  static constexpr std::uint64_t kMostMemory = std::uint64_t{4} << 30;  // larger networks are not sampled

  const Experiment& experiment_;
  PredictionOptions options_;
  SeenNetworks own_;
  RunOptions of_run_;
  std::vector<std::optional<PointTime>> sampled_;  // [point] of one repetition
};

}  // namespace

std::vector<PointTime> predict_times(const Experiment& experiment, const PredictionOptions& options) {
  return Predictor(experiment, options).times();
}

}  // namespace headway
