// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/isolation.h"

#include <algorithm>
#include <bit>

#include "headway/metrics/metric_names.h"
#include "headway/metrics/units.h"

namespace headway {
namespace {

// Fractions of the CFQs that a hot spot adds: it counts as isolated once the first is reached, and as
// released at the second or below.
constexpr double kIsolated = 0.9, kForgotten = 0.1;

double counted(const IsolationWindow& w, std::uint64_t IsolationCounts::* count) {
  return static_cast<double>(w.readings.back().counts.*count - w.readings.front().counts.*count);
}

double most_watched(const IsolationWindow& w) {
  std::uint32_t most = 0;
  for (const IsolationReading& reading : w.readings) most = std::max(most, reading.watched);
  return most;
}

// Start and stop of the flows that send only to the watched destination.
struct HotSpotTimes {
  Tick start = INT64_MAX;
  Tick stop = 0;
};
HotSpotTimes hot_spot(const IsolationWindow& w) {
  HotSpotTimes result;
  for (const Source& source : w.workload.sources) {
    const Flow& flow = w.workload.flows[source.flow];
    bool only = true;
    flow.destinations->shares(source.node,
                              [&](NodeId node, double) { only &= node == *w.watch.destination; });
    if (!only) continue;
    result.start = std::min(result.start, flow.start);
    result.stop = std::max(result.stop, flow.stop);
  }
  return result;
}

// Number of CFQs allocated for the watched destination at the ends of bins: the mean before the hot spot,
// because other traffic also causes some, and the maximum from then on.
struct Tree {
  HotSpotTimes hot;
  double before = 0;
  double most = 0;
};
Tree tree_of(const IsolationWindow& w) {
  Tree tree{hot_spot(w)};
  double bins = 0;
  for (const IsolationReading& reading : w.readings.subspan(1)) {
    if (reading.tick <= tree.hot.start) tree.before += reading.watched, ++bins;
    if (reading.tick > tree.hot.start) tree.most = std::max<double>(tree.most, reading.watched);
  }
  if (bins > 0) tree.before /= bins;
  return tree;
}

double isolation_time(const IsolationWindow& w) {
  const Tree tree = tree_of(w);
  const double enough = tree.before + kIsolated * (tree.most - tree.before);
  for (const IsolationReading& reading : w.readings)
    if (tree.most > tree.before && reading.tick > tree.hot.start && reading.watched >= enough)
      return w.network.ns(static_cast<double>(reading.tick - tree.hot.start));
  return kNaN;
}

double release_time(const IsolationWindow& w) {
  const Tree tree = tree_of(w);
  const double few = tree.before + kForgotten * (tree.most - tree.before);
  for (const IsolationReading& reading : w.readings)
    if (tree.most > tree.before && reading.tick > tree.hot.stop && reading.watched <= few)
      return w.network.ns(static_cast<double>(reading.tick - tree.hot.stop));
  return kNaN;
}

using Counts = IsolationCounts;

constexpr MetricOf<IsolationWindow> kIsolationMetrics[] = {
    {{"cfqs_mean", "queues",
      "mean number of active congested-flow queues in all switches, over the ends of the bins"},
     [](const IsolationWindow& w) {
       double sum = 0;
       for (std::size_t i = 1; i < w.readings.size(); ++i)
         sum += static_cast<double>(w.readings[i].counts.active_lines);
       return w.readings.size() < 2 ? kNaN : sum / static_cast<double>(w.readings.size() - 1);
     }},
    {{"cfqs_max", "queues", "maximum number of simultaneously active congested-flow queues in all switches",
      OverSeeds::maximum},
     [](const IsolationWindow& w) {
       return static_cast<double>(w.readings.back().counts.most_active_lines);
     }},
    {{"cfqs_at_end", "queues", "active congested-flow queues in all switches at the end of the window"},
     [](const IsolationWindow& w) { return static_cast<double>(w.readings.back().counts.active_lines); }},
    {{"cfq_allocations", "queues", "allocations of congested-flow queues in switches"},
     [](const IsolationWindow& w) { return counted(w, &Counts::allocations); }},
    {{metrics::cfq_allocations_refused, "packets",
      "head packets that should have moved to a congested-flow queue when none was free"},
     [](const IsolationWindow& w) { return counted(w, &Counts::refused_allocations); }},
    {{"detections", "queues", "detected congestions, i.e. allocations at the root of a congestion tree"},
     [](const IsolationWindow& w) { return counted(w, &Counts::detections); }},
    {{"false_detections", "queues",
      "detections whose queue was freed without ever exceeding the Stop threshold"},
     [](const IsolationWindow& w) { return counted(w, &Counts::false_detections); }},
    {{"stops", "signals", "Stop signals sent"},
     [](const IsolationWindow& w) { return counted(w, &Counts::stops); }},
    {{"gos", "signals", "Go signals sent"},
     [](const IsolationWindow& w) { return counted(w, &Counts::gos); }},
    {{"cfq_moves", "packets", "moves of packets between two queues of a port"},
     [](const IsolationWindow& w) { return counted(w, &Counts::moves); }},
    {{"watched_cfqs_max", "queues",
      "maximum number of congested-flow queues in switches allocated for measure.watch_destination, over the "
      "ends of the bins",
      OverSeeds::maximum, Needs::watched_destination},
     &most_watched},
    {{"isolation_time_ns", "ns",
      "time from the start of the flows that send only to measure.watch_destination to the end of the first "
      "bin with 90 % of the maximum number of queues that these flows add",
      Needs::watched_destination},
     &isolation_time},
    {{"release_time_ns", "ns",
      "time from the stop of these flows to the end of the first bin with at most 10 % of this number; empty "
      "if there is no such bin",
      Needs::watched_destination},
     &release_time},
};

}  // namespace

std::span<const MetricOf<IsolationWindow>> isolation_metrics() { return kIsolationMetrics; }

IsolationReading read_isolation(const Network& network, const StateView& view, Tick tick,
                                const IsolationWatch& watch) {
  const Graph& graph = network.graph;
  const Isolation& isolation = *view.isolation();
  IsolationReading reading{tick, view.isolation_counts(), std::vector<std::uint32_t>(graph.stages()), 0, {}};
  for (PortId port = 0; port < graph.switch_ports(); ++port) {
    const std::uint32_t active = isolation.active_lines(port);
    if (!reading.of_stage.empty())
      reading.of_stage[static_cast<std::size_t>(graph.stage_of(graph.switch_of(port)))] += active;
    if (watch.destination)
      reading.watched +=
          static_cast<std::uint32_t>(std::popcount(isolation.holding(port, *watch.destination)));
    if (watch.ports) reading.of_port.push_back(static_cast<std::uint8_t>(active));
  }
  return reading;
}

}  // namespace headway
