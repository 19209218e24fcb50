// SPDX-License-Identifier: Apache-2.0
// All that a run has measured, from which its tables are made.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>

#include "headway/congestion/overflow.h"
#include "headway/engine/simulation.h"
#include "headway/metrics/critical_path.h"
#include "headway/metrics/cut_off.h"
#include "headway/metrics/fairness.h"
#include "headway/metrics/isolation.h"
#include "headway/metrics/jobs.h"
#include "headway/metrics/messages.h"
#include "headway/metrics/metric_names.h"
#include "headway/metrics/tables.h"
#include "headway/metrics/window.h"
#include "headway/observe/observer.h"

namespace headway {

struct MeasuredRun {
  const RunScope& scope;
  std::array<const Window*, 2> windows;    // warm-up and measurement, which together give the series
  std::span<const std::string> flows;      // names: [flow of the spec], and after them the traces and jobs
  std::span<const std::string> classes;    // names, or empty
  const ClassNumbers& class_numbers;       // without meaning if there are none
  const MessageTimes* messages = nullptr;  // null: not measured
  Fairness* fairness = nullptr;            // null: not requested
  const Observer* observer = nullptr;      // null: takes no photographs
  const Stall& stall;                      // of the end
  const CutOff& cut_off;                   // by failed links
  std::span<const IsolationReading> isolation;  // at the start and at the end of each bin; empty: none
  std::span<const OverflowCounts> overflow;     // at the start and at the end of each bin; empty: none
  const JobsOfRun* jobs = nullptr;              // null: none
  std::span<const CriticalPath> paths;          // of jobs that are done, if requested
  std::span<const double>
      demand;  // [sending port] demand divided by capacity; empty: not requested, or not known

  const Window& window() const { return *windows.back(); }
  const Network& network() const { return window().network(); }
  std::string_view job_name(std::size_t job) const { return flows[flows.size() - jobs->jobs.size() + job]; }

  double ns(Tick ticks) const { return network().ns(static_cast<double>(ticks)); }

  // Where a port of the graph is: its switch or its node, the other is NaN. Both are, if it is kNone.
  double switch_at(PortId port) const {
    const Graph& graph = network().graph;
    return graph.is_node_port(port) ? kNaN : graph.switch_of(port);
  }
  double node_at(PortId port) const {
    const Graph& graph = network().graph;
    return port != kNone && graph.is_node_port(port) ? graph.node_of(port) : kNaN;
  }
  // Of its switch or node; of a node with several links, the number of the link.
  double port_number(PortId port) const {
    const Graph& graph = network().graph;
    if (network().has_hosts() && port < graph.ports() && graph.is_node_port(port))
      return graph.hosts().link_number(graph.node_of(port));
    return network().ports[port].local;
  }

  // The packets of a flow that the measurement has delivered.
  double delivered_by(std::size_t flow) const {
    const Traffic traffic{window(), flows.size() > 1 ? std::optional(flow) : std::nullopt};
    return traffic.between(window().first(), window().last(), &TrafficCounters::packets_delivered);
  }

  // Means over the photographs of the measurement.
  double photographs() const { return static_cast<double>(observer->sums().photographs); }
  double mean(std::uint64_t sum) const { return static_cast<double>(sum) / photographs(); }
  // Waiting per delivered packet, by Little's law, from a sum over the photographs; NaN without a delivery.
  double mean_ns(std::uint64_t sum, double delivered) const {
    const auto ticks = static_cast<double>(window().last().tick - window().first().tick);
    return delivered > 0 ? network().ns(mean(sum) * ticks / delivered) : kNaN;
  }
};

// A table with these columns, as far as a run has them, and the rows that `kAdd` adds. `kind` has the rest.
template <const auto& kColumns, auto kAdd>
TableKind table_of(TableKind kind) {
  using Row = typename std::remove_cvref_t<decltype(kColumns[0])>::RowType;
  if constexpr (requires { Row::kTable; }) kind.name = Row::kTable;
  kind.columns = metrics_of(kColumns);
  kind.made = [](const MeasuredRun& run) {
    TableRows<Row> rows(kColumns, run.scope);
    kAdd(run, rows);
    return rows.take();
  };
  return kind;
}

// The first column of every table over time.
inline constexpr Metric kEndOfBin = {metrics::time_ns, "ns", "end of the bin", OverSeeds::key};

// A bin of the time series, in the warm-up or in the measurement.
struct Bin {
  const MeasuredRun& run;
  const Window& window;
  std::size_t reading;  // at its end, in the window
  std::size_t number;   // since the start of the run

  const Reading& from() const { return window.readings()[reading - 1]; }
  const Reading& to() const { return window.readings()[reading]; }
  double end_ns() const { return run.ns(to().tick); }
  const BinSums& photographs() const { return run.observer->bins()[number]; }
};

template <class Visit>
void for_each_bin(const MeasuredRun& run, Visit&& visit) {
  std::size_t number = 0;
  for (const Window* window : run.windows)
    for (std::size_t reading = 1; reading < window->readings().size(); ++reading)
      visit(Bin{run, *window, reading, number++});
}

}  // namespace headway
