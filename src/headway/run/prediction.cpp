// SPDX-License-Identifier: Apache-2.0
#include "headway/run/prediction.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "headway/base/cpu_time.h"
#include "headway/base/huge_vector.h"
#include "headway/compile/machine.h"
#include "headway/compile/run_cost.h"
#include "headway/compile/seen_networks.h"
#include "headway/engine/backlog.h"
#include "headway/engine/packet.h"
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
      const Look fourth = between(0.75, 1);
      if (fourth.ns > 0 && fourth.bytes > kGrows * looks_.back().bytes)
        traffic_ += fourth.bytes / fourth.ns * std::max(0.0, work.time_ns - looks_.back().ns);
    }
  }

  double seconds() const { return seconds_; }  // of the whole run
  double traffic() const { return traffic_; }  // bytes for its packets and waiting messages

 private:
  struct Look {
    double seconds = 0;
    double hops = 0;
    double ns = 0;
    double bytes = 0;
  };
  static constexpr double kLooks = 64;

  // Returns the number of ticks until the next look.
  std::uint64_t look(const Simulation& simulation, const Network& network) {
    const Record& record = simulation.record();
    const Look now{cpu_seconds() - begin_, static_cast<double>(record.counters.packet_hops),
                   network.ns(static_cast<double>(simulation.view().now())), bytes_of(record)};
    if (looks_.empty()) first_ = now.seconds;
    if (!looks_.empty() && now.hops < looks_.back().hops - before_.hops) before_ = looks_.back();
    const double last = looks_.empty() ? first_ : looks_.back().seconds;
    looks_.push_back({now.seconds, before_.hops + now.hops, before_.ns + now.ns, now.bytes});
    traffic_ = std::max(traffic_, now.bytes);
    if (now.seconds - first_ > budget_) throw Enough{};
    const double part = budget_ / kLooks;
    if (now.seconds - last < part / 2) ticks_ = std::min<std::uint64_t>(ticks_ * 2, 1 << 16);
    if (now.seconds - last > part) ticks_ = std::max<std::uint64_t>(ticks_ / 2, 1);
    return ticks_;
  }

  // The pool of packets takes whole pages (base/huge_vector.h).
  static double bytes_of(const Record& record) {
    const auto pages = [](std::uint64_t bytes) {
      constexpr std::uint64_t kPage = HugeAllocator<Packet>::kHugePage;
      return (bytes + kPage - 1) / kPage * kPage;
    };
    const std::uint64_t packets = record.packets_in_network;
    return static_cast<double>(
        pages(packets * sizeof(Packet)) + pages(packets * sizeof(PacketOrigin)) +
        backlog_bytes(record.most_kept_messages, record.admittance_queues, record.admittance_tails));
  }

  // Of the part of the sample from `from` to `to`, as shares of its time. A part has at least one look, so it
  // can begin earlier.
  Look between(double from, double to) const {
    const auto at = [&](double share) -> const Look& {
      const double time = first_ + share * (looks_.back().seconds - first_);
      return *std::prev(std::ranges::upper_bound(looks_, time, {}, &Look::seconds));
    };
    const Look &a = at(from), &b = at(to);
    return {b.seconds - a.seconds, b.hops - a.hops, b.ns - a.ns, b.bytes - a.bytes};
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

  static constexpr double kFull = 0.9, kRises = 1.1, kGrows = 0.05;

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
  double seconds_ = 0, traffic_ = 0;
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

  std::vector<PointCost> costs() {
    const std::size_t points = experiment_.points.size();
    sampled_.resize(points);
    const double begin = cpu_seconds();
    // a stride without a common factor visits all points, and those visited first are spread over all
    std::size_t stride =
        std::max<std::size_t>(1, static_cast<std::size_t>(0.618 * static_cast<double>(points)));
    while (std::gcd(stride, points) != 1) ++stride;
    for (std::size_t i = 0; i < points; ++i) {
      const std::size_t point = i * stride % points;
      sampled_[point] = cost_of(point);
      if (cpu_seconds() - begin > options_.of_all) break;
    }
    std::vector<PointCost> costs;
    for (std::size_t point = 0; point < points; ++point) costs.push_back(repeated(cost_like(point)));
    add_verdicts(costs);
    return costs;
  }

 private:
  PointCost cost_of(std::size_t number) {
    const Point& point = experiment_.points[number];
    const double rough = kUsualHop * expected_work(experiment_, number);
    if (point.need.start > std::min(kMostMemory, available_memory() / 2))
      return {rough, rough, kProgram + static_cast<double>(point.need.start)};
    const Spec spec = point.spec();
    if (experiment_.search) return cost_of_search(spec, point, *experiment_.search);
    PointCost cost = cost_of_run(spec, point, 1);
    cost.most_seconds = cost.seconds * longest_warmup(spec);
    return cost;
  }

  PointCost cost_of_run(const Spec& spec, const Point& point, double share_of_hops) {
    if (const auto* slotted = std::get_if<SlottedSpec>(&spec))
      return {seconds_of(*slotted, options_.of_point)};
    const double hops = point.work.hops * share_of_hops;
    const bool looks = std::get<EventSpec>(spec).observe.waiting;
    const auto start = static_cast<double>(point.need.start), most = static_cast<double>(point.need.traffic);
    try {
      const Sample sample(spec, {hops, point.work.time_ns}, options_.of_point * (looks ? kObserved : 1),
                          of_run_);
      return {sample.seconds(), 0, kProgram + start + std::min(most, sample.traffic())};
    } catch (const std::exception&) {  // what is wrong is reported when it runs
      return {kUsualHop * hops, 0, kProgram + start};
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
  PointCost cost_of_search(const Spec& spec, const Point& point, const SaturationSearch& search) {
    const auto* event = std::get_if<EventSpec>(&spec);
    const double largest = event == nullptr ? 1 : largest_load(*event);
    PointCost full = cost_of_run(at_load(spec, 1), point, 1 / largest);
    const double half = cost_of_run(at_load(spec, 0.5), point, 0.5 / largest).seconds;
    full.seconds += half * (runs_of(search) - 2 + 2 * search.lowest);
    full.most_seconds = 5 * full.seconds;
    return full;
  }

  PointCost cost_like(std::size_t number) const {
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
    const PointCost& like = *sampled_[best];
    const double more_memory =
        static_cast<double>(point.need.start) - static_cast<double>(experiment_.points[best].need.start);
    return {like.seconds * ratio, like.most_seconds * ratio, like.memory + more_memory};
  }

  PointCost repeated(const PointCost& cost) const {
    const double seeds = experiment_.seeds;
    const double least = experiment_.until ? static_cast<double>(experiment_.until->at_least) : seeds;
    return {cost.seconds * least, cost.most_seconds * seeds, cost.memory};
  }

  // The verdict of the first run with some routes and traffic looks for the busiest link.
  void add_verdicts(std::vector<PointCost>& costs) const {
    std::set<double> seen;
    for (std::size_t point = 0; point < costs.size(); ++point) {
      const double crossings = experiment_.points[point].work.crossings;
      if (!seen.insert(crossings).second) continue;
      costs[point].seconds += kCrossing * crossings;
      costs[point].most_seconds += kCrossing * crossings;
    }
  }

  static constexpr double kProgram = 12 << 20;             // bytes of the program without a network
  static constexpr double kCrossing = 14e-9;               // seconds
  static constexpr double kObserved = 4;                   // times as long, so that packets begin to wait
  static constexpr double kUsualHop = 0.15e-6;             // seconds
  static constexpr std::uint64_t kMostMemory = 512 << 20;  // larger networks are not sampled

  const Experiment& experiment_;
  PredictionOptions options_;
  SeenNetworks own_;
  RunOptions of_run_;
  std::vector<std::optional<PointCost>> sampled_;  // [point] of one repetition
};

}  // namespace

std::vector<PointCost> predict_costs(const Experiment& experiment, const PredictionOptions& options) {
  return Predictor(experiment, options).costs();
}

}  // namespace headway
