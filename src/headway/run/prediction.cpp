// SPDX-License-Identifier: Apache-2.0
#include "headway/run/prediction.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "headway/base/cpu_time.h"
#include "headway/base/flat_map.h"
#include "headway/base/memo.h"
#include "headway/compile/machine.h"
#include "headway/compile/run_cost.h"
#include "headway/engine/packet.h"
#include "headway/engine/simulation.h"
#include "headway/engine/skip.h"
#include "headway/engine/state_memory.h"
#include "headway/engine/wheel.h"
#include "headway/run/hooks.h"
#include "headway/run/run.h"
#include "headway/run/saturation.h"

namespace headway {
namespace {

struct Enough {};  // thrown to end a run

// Bytes of the packets of flows in a network that carries them, and of their events.
double traffic_of(const RunWork& work) {
  return kBytesPerPacket * work.packets + Wheel::bytes_of_events(work.moving);
}

// Bytes for the order of the packets of pairs, of which each packet has a random one.
double order_of(const Point& point) {
  const double all = point.work.pairs, packets = point.need.overtaking;
  const double pairs = all > 0 ? all * -std::expm1(-packets / all) : 0;
  return static_cast<double>(FlatMap<std::uint64_t>::most_bytes(static_cast<std::uint64_t>(pairs)));
}

// The first part of a run.
class SampledRun {
 public:
  SampledRun(const Spec& spec, const RunWork& work, double budget, Memo& memo)
      : budget_(budget), filling_ns_(kFilling * work.packet_ns) {
    const RunHooks hooks{
        .begin =
            [this](const Network& network, const Workload& workload, SimulationOptions options) {
              options.skip = true;
              if (has_long_messages(network, workload, kLongMessage))
                no_skip_ = why_no_skip(network, workload, options);
            },
        .watch = [this](const Simulation& simulation,
                        const Network& network) { return look(simulation, network); }};
    try {
      run(spec, {.skip = false, .memo = &memo, .hooks = &hooks});  // times hops
      seconds_ = cpu_seconds() - begin_;
    } catch (const Enough&) {
      ended_ = false;
      seconds_ = extrapolated(work, std::get<EventSpec>(spec));
      traffic_ = extrapolated_traffic(work);
    }
  }

  double seconds() const { return seconds_; }  // of the whole run
  // Bytes of packets, waiting messages and their events, and of all else that the simulation has.
  double traffic() const { return traffic_; }
  double rest() const { return rest_; }
  // Bytes for the order of packets of pairs, so far.
  double order() const { return order_; }
  bool ended() const { return ended_; }
  // Why nothing is skipped; empty: something can be; none: it hardly matters.
  const std::optional<std::string>& no_skip() const { return no_skip_; }

 private:
  struct Look {
    double seconds = 0;
    double hops = 0;
    double ns = 0;
    double bytes = 0;  // of packets and waiting messages
  };
  static constexpr double kLooks = 64;

  // Returns the number of ticks until the next look.
  std::uint64_t look(const Simulation& simulation, const Network& network) {
    const double before = cpu_seconds();
    MemoryParts memory = network.memory();
    memory.add(simulation.memory());
    begin_ += cpu_seconds() - before;  // what this takes is no part of the run
    const Record& record = simulation.record();
    const std::uint64_t traffic = memory.of(kPacketsPart) + memory.of(kWaitingPart) + memory.of(kEventsPart);
    const Look now{
        cpu_seconds() - begin_, static_cast<double>(record.counters.packet_hops),
        network.ns(static_cast<double>(simulation.view().now())),
        static_cast<double>(kBytesPerPacket * record.packets_in_network + memory.of(kWaitingPart))};
    traffic_ = std::max(traffic_, static_cast<double>(traffic));
    const std::uint64_t order = memory.of(kOrderPart);
    order_ = std::max(order_, static_cast<double>(order));
    rest_ = std::max(rest_, static_cast<double>(memory.total() - traffic - order));
    if (looks_.empty()) first_ = now.seconds;
    if (!looks_.empty() && now.hops < looks_.back().hops - before_.hops) before_ = looks_.back();
    const double last = looks_.empty() ? first_ : looks_.back().seconds;
    looks_.push_back({now.seconds, before_.hops + now.hops, before_.ns + now.ns, now.bytes});
    const double taken = now.seconds - first_;
    if (taken > budget_ && (now.ns > filling_ns_ || taken > kLongest * budget_)) throw Enough{};
    const double part = budget_ / kLooks;
    if (now.seconds - last < part / 2) ticks_ = std::min<std::uint64_t>(ticks_ * 2, 1 << 16);
    if (now.seconds - last > part) ticks_ = std::max<std::uint64_t>(ticks_ / 2, 1);
    return ticks_;
  }

  // A network that fills for longer than the time of some packets is congested: it goes on.
  double extrapolated_traffic(const RunWork& work) const {
    const Look &last = looks_.back(), fourth = between(0.75, 1);
    if (last.ns < filling_ns_) return std::max(traffic_, traffic_of(work));
    const bool grows = fourth.ns > 0 && fourth.bytes > kGrows * last.bytes;
    return traffic_ + (grows ? fourth.bytes / fourth.ns * std::max(0.0, work.time_ns - last.ns) : 0);
  }

  // What the sample shows from `from` to `to`, as shares of its time. A part has at least one look, so it
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

  static constexpr double kFull = 0.9, kRises = 1.1, kGrows = 0.05, kFilling = 10;
  static constexpr double kLongest = 4;  // times the budget, until the network is filled

  // Whether the same traffic is offered all the time.
  static bool is_constant(const EventSpec& spec) {
    const auto changes = [](const FlowSpec& flow) {
      return flow.start || flow.stop || flow.load.points.size() > 1;
    };
    return spec.traffic.traces.empty() && spec.traffic.jobs.empty() &&
           std::ranges::none_of(spec.traffic.flows, changes);
  }

  double budget_;
  double filling_ns_;
  double begin_ = cpu_seconds();
  double first_ = 0;  // time at the first look
  Look before_;       // at the end of the simulations before this one, of jobs alone
  std::vector<Look> looks_;
  std::uint64_t ticks_ = 1;
  double seconds_ = 0, traffic_ = 0, rest_ = 0, order_ = 0;
  bool ended_ = true;
  std::optional<std::string> no_skip_;
};

class Predictor {
 public:
  Predictor(const Experiment& experiment, const PredictionOptions& options)
      : experiment_(experiment), options_(options) {}

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
      return {rough, rough, rough_memory_of(point)};
    const Spec spec = point.spec();
    if (experiment_.search) return cost_of_search(spec, point, *experiment_.search);
    PointCost cost = cost_of_run(spec, point, 1);
    cost.most_seconds = cost.seconds * longest_warmup(spec);
    return cost;
  }

  PointCost cost_of_run(const Spec& spec, const Point& point, double share_of_hops) {
    if (const Kernel* const other = other_kernel(spec)) return {other->seconds(options_.of_point)};
    RunWork work = point.work;
    work.hops *= share_of_hops;
    const bool looks = std::get<EventSpec>(spec).observe.waiting;
    try {
      const SampledRun sample(spec, work, options_.of_point * (looks ? kObserved : 1), memo_);
      const double order = sample.ended() ? sample.order() : std::max(sample.order(), order_of(point));
      return {.seconds = sample.seconds(),
              .memory = memory_of(point, sample.rest() + order, sample.traffic()),
              .skips = sample.no_skip() == "",
              .no_skip = sample.no_skip().value_or("")};
    } catch (const std::exception&) {  // what is wrong is reported when it runs
      return {kUsualHop * work.hops, 0, rough_memory_of(point)};
    }
  }

  // `network`: bytes of the network and its simulation without packets, waiting messages and their events.
  static double memory_of(const Point& point, double network, double traffic) {
    const MemoryNeed& need = point.need;
    return kProgram + network + static_cast<double>(need.results) +
           std::min(traffic, static_cast<double>(need.traffic) + traffic_of(point.work));
  }

  static double rough_memory_of(const Point& point) {
    return memory_of(point, static_cast<double>(point.need.network) + order_of(point),
                     traffic_of(point.work));
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
    const auto at_start = [](const MemoryNeed& need) {
      return static_cast<double>(need.network + need.results);
    };
    const double more_memory = at_start(point.need) - at_start(experiment_.points[best].need);
    return {like.seconds * ratio, like.most_seconds * ratio, like.memory + more_memory, like.skips,
            like.no_skip};
  }

  PointCost repeated(const PointCost& cost) const {
    const double seeds = experiment_.seeds;
    const double least = experiment_.until ? static_cast<double>(experiment_.until->at_least) : seeds;
    return {cost.seconds * least, cost.most_seconds * seeds, cost.memory, cost.skips, cost.no_skip};
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

  static constexpr double kProgram = 10 * (1 << 20);       // bytes: code, a thread, and what is freed late
  static constexpr double kCrossing = 14e-9;               // seconds
  static constexpr double kObserved = 4;                   // times as long, so that packets begin to wait
  static constexpr double kUsualHop = 0.15e-6;             // seconds
  static constexpr std::uint64_t kMostMemory = 512 << 20;  // larger networks are not sampled

  const Experiment& experiment_;
  PredictionOptions options_;
  Memo memo_;                                      // that of a check does not have all graphs
  std::vector<std::optional<PointCost>> sampled_;  // [point] of one repetition
};

}  // namespace

std::vector<PointCost> predict_costs(const Experiment& experiment, const PredictionOptions& options) {
  return Predictor(experiment, options).costs();
}

}  // namespace headway
