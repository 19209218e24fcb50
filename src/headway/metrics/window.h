// SPDX-License-Identifier: Apache-2.0
// A measured window of a simulation: the differences of the counters between its two ends, and the metrics
// computed from them.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "headway/engine/simulation.h"
#include "headway/metrics/metric.h"
#include "headway/metrics/units.h"

namespace headway {

// The state of the counters of a simulation at one time.
struct Reading {
  Tick tick = 0;
  Counters counters;
  std::vector<TrafficCounters> flows;    // [flow], if the simulation counts flows
  std::vector<TrafficCounters> classes;  // [class], if it counts classes
  std::uint64_t waiting_packets = 0;
  std::uint64_t packets_in_network = 0;
  std::uint64_t limited_flows = 0;
  std::uint64_t paused_lanes = 0;
  // Rates of limited flows, as fractions of the link rates of their sources; NaN if there are none.
  double limited_rate_mean = kNaN, limited_rate_least = kNaN;
};
inline constexpr std::size_t kMostRatesOfABin = 64;
Reading read(const Simulation& simulation, Tick tick);

class Window;

// The packets of a window: all, or those of a flow or a class.
struct Traffic {
  const Window& window;
  std::optional<std::size_t> flow = {};
  std::optional<std::size_t> of_class = {};

  const TrafficCounters& at(const Reading& reading) const;
  const Latencies& latencies() const;
  double between(const Reading& from, const Reading& to, std::uint64_t TrafficCounters::* sum) const;
  // Mean per delivered packet of a sum of ticks, in ns.
  double mean_ns(const Reading& from, const Reading& to, std::uint64_t TrafficCounters::* sum) const;
  // The rate of bytes, as a fraction of the total link rate of the sources; of a class, of all sources.
  double load(const Reading& from, const Reading& to, std::uint64_t TrafficCounters::* bytes) const;
  double bytes_per_tick() const;  // total link rate of the sources
  // Standard error of the mean per delivered packet in the window, in ns, by batch means.
  double standard_error(std::uint64_t TrafficCounters::* sum) const;
};

// Measures from its construction on. Call `close_bin` at the end of every bin.
class Window {
 public:
  struct Options {
    bool destinations_over_time = false;  // keep the bytes delivered to every destination in every bin
    bool pairs_over_time = false;         // keep the bytes of every pair that received data in a bin
    bool rates_over_time = false;         // keep the slowest of the limited flows at the end of every bin
    const FlowNumbers* flows = nullptr;   // null: the simulation does not count flows
  };
  struct PairBytes {
    NodeId source;
    NodeId destination;
    std::uint64_t bytes;
  };
  Window(const Network& network, const Workload& workload, Simulation& simulation, Tick start,
         Options options);

  // Ends a bin at `tick`, up to which the simulation has run.
  void close_bin(Tick tick);
  // Makes one bin of each two. Their number must be even.
  void join_bins();
  std::size_t bins() const { return readings_.size() - 1; }

  const Reading& first() const { return readings_.front(); }
  const Reading& last() const { return readings_.back(); }

  // Used by the definitions in window.cpp.
  const Workload& workload() const { return workload_; }
  const Network& network() const { return network_; }
  const Simulation& simulation() const { return simulation_; }
  const std::vector<Reading>& readings() const { return readings_; }
  // Bytes delivered to a destination, divided by the capacity of its link: in the window, or in the bin that
  // ends with a reading (needs destinations_over_time).
  double accepted_load(NodeId destination) const;
  std::uint64_t marks_at(PortId output) const;  // packets marked in the window, in runs with marking
  // With pauses, of a lane of the link behind an output: pauses in the window, and the share of it in which
  // the lane was paused. `has_lane`: whether there is such a lane.
  bool has_lane(PortId output, std::uint32_t lane) const;
  std::uint64_t pauses_of(PortId output, std::uint32_t lane) const;
  double paused_share(PortId output, std::uint32_t lane) const;
  // Calls visit(output, lane) for all lanes.
  template <class Visit>
  void for_each_lane(Visit&& visit) const {
    for (PortId output = 0; output < network_.graph.ports(); ++output)
      for (std::uint32_t lane = 0; lane < network_.lanes; ++lane)
        if (has_lane(output, lane)) visit(output, lane);
  }
  double accepted_load(NodeId destination, std::size_t reading) const;
  // The pairs that received data in the bin that ends with a reading, by source and destination (needs
  // pairs_over_time), and their accepted load as a fraction of the capacity of the destination's link.
  const std::vector<PairBytes>& pairs(std::size_t reading) const { return pairs_at_[reading]; }
  double accepted_load(const PairBytes& pair, std::size_t reading) const;
  // The limited flows at the end of a bin, at most kMostRatesOfABin, the slowest; by source and destination
  // (needs rates_over_time).
  const std::vector<LimitedFlowView>& rates(std::size_t reading) const { return rates_at_[reading]; }
  // The accepted load of a pair in the whole window, if the simulation counts pairs.
  double accepted_load_of_pair(NodeId source, NodeId destination) const;
  double bytes_per_tick_of_sources() const { return source_capacity_; }
  double bytes_per_tick_of_nodes() const { return node_capacity_; }
  double bytes_per_tick_of_flow(std::size_t flow) const { return flow_capacity_[flow]; }
  double utilisation(PortId output) const;  // fraction of the window in which the link carried data
  Traffic all() const { return {*this}; }
  // For batch means: at most kBatches parts of the window, each of whole bins.
  static constexpr int kBatches = 20;
  struct Batch {
    std::size_t from, to;  // in readings()
  };
  std::vector<Batch> batches() const;
  double mean_of(std::uint64_t Reading::* number) const;  // over the ends of the bins

 private:
  // [node] its rate if it is a source, among the generators that are counted, otherwise 0: that of a load of
  // 1. A node with several links is the first of them.
  template <class IsCounted>
  std::vector<double> senders(IsCounted&& is_counted) const;
  // [port] time for which its output has carried data since the start. A transfer is booked whole when it
  // begins; the part that is still to come does not count.
  std::vector<double> ticks_busy(Tick now) const;
  // Bytes delivered to a destination during `time`, divided by the capacity of its link.
  double load_of(NodeId destination, std::uint64_t bytes, Tick time) const;
  void keep_pairs();
  static std::vector<PairBytes> joined(const std::vector<PairBytes>& before,
                                       const std::vector<PairBytes>& after);
  std::size_t place_behind(PortId output, std::uint32_t lane) const;
  void read_rates();

  const Network& network_;
  const Workload& workload_;
  Simulation& simulation_;
  double source_capacity_ = 0;
  double node_capacity_ = 0;
  std::vector<double> flow_capacity_;           // [flow]
  std::vector<Reading> readings_;               // at the start, and at the end of each bin
  std::vector<double> ticks_busy_before_;       // [port]
  mutable std::vector<double> ticks_busy_now_;  // [port] at the last reading, when first needed
  std::vector<std::uint64_t> bytes_to_before_;  // [destination]
  std::vector<std::uint64_t> marks_at_before_;  // [port of the graph], or empty
  struct PausesOfLane {
    std::uint64_t pauses, ticks;
  };
  std::vector<PausesOfLane> pauses_before_;          // [Network::lane_place], or empty
  std::vector<std::uint64_t> bytes_between_before_;  // [source * nodes + destination]
  Options options_;
  std::vector<std::vector<std::uint64_t>> bytes_to_at_;  // [reading][destination], if enabled
  std::vector<std::vector<PairBytes>> pairs_at_;         // [reading], if enabled
  std::vector<std::uint64_t> bytes_between_now_;         // at the last reading, for pairs_at_
  std::vector<std::vector<LimitedFlowView>> rates_at_;   // [reading], if enabled
};

// Standard error of the mean of all batches, from the mean of each batch. NaN means are ignored.
double standard_error_of_batches(std::span<const double> means);

// A metric of all packets, or one that every flow has, too.
struct WindowMetric {
  constexpr WindowMetric(const Metric& defined, double (*value)(const Window&))
      : metric(defined), of_window(value) {}
  constexpr WindowMetric(const Metric& defined, double (*value)(const Traffic&))
      : metric(defined), of_traffic(value) {}

  double value(const Window& window) const {
    return of_traffic != nullptr ? of_traffic(window.all()) : of_window(window);
  }

  Metric metric;
  double (*of_window)(const Window&) = nullptr;
  double (*of_traffic)(const Traffic&) = nullptr;
};
std::span<const WindowMetric> window_metrics();
std::vector<WindowMetric> traffic_metrics();  // of these, the metrics that flows and classes have, too

}  // namespace headway
