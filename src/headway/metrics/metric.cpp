// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/metric.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "headway/kernel/kernel.h"
#include "headway/metrics/cut_off.h"
#include "headway/metrics/fairness.h"
#include "headway/metrics/isolation.h"
#include "headway/metrics/jobs.h"
#include "headway/metrics/messages.h"
#include "headway/metrics/metric_names.h"
#include "headway/metrics/overflow.h"
#include "headway/metrics/stalls.h"
#include "headway/metrics/tables.h"
#include "headway/metrics/waiting.h"
#include "headway/metrics/window.h"

namespace headway {
namespace {

// Metrics of the network's structure (compile/structure.h).
constexpr Metric kStructure[] = {
    {"nodes", "nodes", "number of end nodes"},
    {"switches", "switches", "number of switches"},
    {"radix", "ports", "maximum number of ports of a switch"},
    {"stages", "stages", "number of stages of switches; 0 in networks without stages"},
    {"switch_links", "links", "links between switches; the two directions of a link count once"},
    {"diameter", "links",
     "number of links between switches on the longest of the shortest paths between two nodes"},
    {"bisection_links", "links",
     "minimum number of links, in one direction, between two halves of the nodes: halves of the subtrees of "
     "a tree, of a dimension of a grid, or of the groups of a dragonfly; empty if the network has no such "
     "halves"},
    {"bisection_share", "1",
     "bisection_links over half of the nodes: 1 if all nodes of one half can send to the other at their full "
     "rate"},
};

// Metrics of the queueing scheme (compile/cost.h).
constexpr Metric kCost[] = {
    {metrics::queues_per_port, "queues", "number of queues per input port", OverSeeds::same},
    {metrics::cam_lines_per_port, "lines",
     "CAM lines per input port: one per congested-flow queue of fbicm and recn-iq; otherwise 0",
     OverSeeds::same},
    {metrics::port_memory_bytes, "bytes", "data memory (RAM) of an input port, as given in the spec",
     OverSeeds::same},
    {metrics::lanes, "lanes",
     "virtual lanes that the routing needs; every port has the scheme's queues in each", OverSeeds::same},
    {"packets_per_queue", "packets",
     "packets of full size that each queue of an input port can hold; with pooled memory, that the port can "
     "hold",
     OverSeeds::same},
    {"switch_memory_bytes", "bytes",
     "data memory of all ports of the largest switch, at the inputs and at the outputs: output queues of "
     "CIOQ switches, places at outputs with slow links",
     OverSeeds::same},
    {"network_memory_bytes", "bytes", "data memory of all switches", OverSeeds::same},
    {"place_memory_bytes", "bytes",
     "of it: a full packet at every output whose link is slower than a link into its switch; none if links "
     "have one rate",
     OverSeeds::same},
    {"minimum_memory_bytes", "bytes",
     "memory of an input port with two packets per queue (OBQA, section 4.5)", OverSeeds::same},
    {"routing_table_bits", "bits",
     "size of the routing table of one switch, including the lists of destinations of fbicm and recn-iq",
     OverSeeds::same},
    {"published_area_mm2", "mm2",
     "area of an input port's minimum memory, for schemes and numbers of queues with a published value "
     "(OBQA, Table 3)",
     OverSeeds::same},
};

// Metrics that a saturation search adds to those of its final run (run/saturation.h).
constexpr Metric kSaturationMetrics[] = {
    more_is_better(
        {metrics::saturation_load, "fraction of link rate",
         "largest simulated load that the network sustained; empty if there was none. The other metrics are "
         "those of its run"}),
    more_is_better({metrics::saturation_load_low, "fraction of link rate",
                    "lower end of the final interval; equal to saturation_load"}),
    more_is_better(
        {metrics::saturation_load_high, "fraction of link rate",
         "smallest simulated load that the network did not sustain; 1 if it sustained the full load"}),
    {metrics::saturation_limit, "share or ns",
     "the number behind limited_by, which says what the load saturation_load_high did not meet: of share, "
     "the "
     "required part of the offered load; of latency, the highest mean latency (with the slotted kernel, the "
     "normalised delay); empty for verdicts",
     OverSeeds::same},
    {"saturation_runs", "runs", "number of runs in the search"},
};

constexpr Metric of_snapshot(std::string_view name, std::string_view unit, std::string_view help) {
  Metric metric(name, unit, help);
  metric.table = kSnapshotTable;
  return metric;
}

constexpr Metric kSnapshotMetrics[] = {
    of_snapshot(
        "occupancy", "fraction of memory",
        "packets in the queues of the port's input side, divided by the packets of full size that fit "
        "in their memory; at most 1"),
    of_snapshot("queue_packets", "packets", "packets in the queues of the port's input side"),
    of_snapshot("lane_packets", "packets",
                "packets in the queues of this lane of the port: the routing needs lanes, and each has all "
                "queues of the queueing scheme"),
    of_snapshot("capacity", "packets", "packets of full size that fit in this memory"),
    of_snapshot("room_packets", "packets",
                "packets in queues of the port whose heads wait for room in the queue behind their output"),
    of_snapshot("port_hol_packets", "packets",
                "packets in the queues of the port that are behind a head that needs something else: "
                "head-of-line blocking"),
    of_snapshot(
        "port_victim_packets", "packets",
        "packets in the queues of the port that wait for a root of congestion that they do not cross"),
    of_snapshot("link_state", kNumber, "what the link that leaves the port did at this instant"),
    of_snapshot("lines", "lines",
                "lines of isolation in use at the port: queues for congested flows (CFQs or SAQs)"),
    of_snapshot("node_backlog_packets", "packets",
                "packets that the node has generated and that are not yet in an injection queue"),
    of_snapshot("sent_load", kLoad, "bytes that the node has sent since the previous snapshot"),
    of_snapshot("received_load", kLoad, "bytes that the node has received since the previous snapshot"),
};

constexpr Metric kColumnsOfSeeds[] = {
    {kSeed, kNumber, "seed of the run that the row is of; in tables whose rows are those of every run",
     OverSeeds::key},
    {kSeeds, "seeds",
     "number of seeds whose runs have the row; a table in which all seeds have all rows has no such column"},
};

std::vector<Metric> metrics_of_kernels() {
  std::vector<Metric> all;
  for (const Entry<Kernel>& kernel : kernels())
    for (Metric& metric : metrics_of(kernel.make()->own_metrics(), Needs::other_kernel))
      all.push_back(metric);
  return all;
}

std::vector<Metric> collect() {
  std::vector<Metric> all = joined({
      metrics_of(window_metrics()),
      metrics_of(message_metrics(), Needs::messages),
      metrics_of(job_metrics()),
      metrics_of(fairness_metrics()),
      metrics_of(waiting_metrics(), Needs::waiting),
      metrics_of(stall_metrics(), Needs::waiting),
      metrics_of(kSaturationMetrics, Needs::saturation_search),
      metrics_of(cut_off_metrics(), Needs::cut_off),
      metrics_of(isolation_metrics(), Needs::isolation),
      metrics_of(overflow_metrics(), Needs::overflow),
      metrics_of_kernels(),
      metrics_of(kCost, Needs::cost),
      metrics_of(kStructure, Needs::structure),
  });
  for (const TableKind& table : result_tables())
    all.insert(all.end(), table.columns.begin(), table.columns.end());
  return all;
}

bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool take_word(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}
bool take_number(std::string_view& text) {
  const auto end = std::ranges::find_if_not(text, is_digit);
  const bool any = end != text.begin();
  text.remove_prefix(static_cast<std::size_t>(end - text.begin()));
  return any;
}

std::string_view meaning_of(OverSeeds how) {
  constexpr std::string_view kMeanings[] = {
      "the mean over the seeds that have a value",
      "the mean over all seeds, with 0 for a seed without the row",
      "the largest value of a seed",
      "the smallest value of a seed",
      "the value that all seeds have; empty if they differ",
      "identifies the row: rows of several seeds with the same keys are one",
      "the standard error of the mean over the seeds, from their scatter",
      "not combined: the rows of all seeds are listed, each with its seed",
  };
  static_assert(std::size(kMeanings) == std::size(kNames<OverSeeds>));
  return kMeanings[static_cast<std::size_t>(how)];
}

std::vector<Metric> joined(std::initializer_list<std::vector<Metric>> lists) {
  std::vector<Metric> all;
  for (const std::vector<Metric>& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

std::span<const Metric> cost_metrics() { return kCost; }
std::span<const Metric> saturation_metrics() { return kSaturationMetrics; }
std::span<const Metric> snapshot_metrics() { return kSnapshotMetrics; }
std::span<const Metric> columns_of_seeds() { return kColumnsOfSeeds; }

std::span<const Metric> all_metrics() {
  static const std::vector<Metric> all = collect();
  return all;
}

bool covers(const Metric& metric, std::string_view name) {
  std::string_view pattern = metric.name;
  while (!pattern.empty()) {
    if (metric.placeholder != nullptr && take_word(pattern, metric.placeholder->word)) {
      if (!metric.placeholder->take(name)) return false;
    } else if (is_capital(pattern.front())) {
      pattern.remove_prefix(1);
      if (!take_number(name)) return false;
    } else {
      if (name.empty() || name.front() != pattern.front()) return false;
      pattern.remove_prefix(1);
      name.remove_prefix(1);
    }
  }
  return name.empty();
}

const Metric* find_metric(std::string_view name, std::string_view table) {
  if (const auto dot = name.rfind('.'); dot != name.npos && dot > 0 && table.empty()) {
    for (const TableKind& kind : result_tables())
      if (const Metric* const column = column_of_rows(kind, name.substr(dot + 1)); column != nullptr)
        return column;
    return nullptr;
  }
  const auto found = std::ranges::find_if(all_metrics(), [&](const Metric& metric) {
    return metric.table == table && (metric.name == name || covers(metric, name));
  });
  if (found != all_metrics().end()) return &*found;
  const auto of_seeds = std::ranges::find(columns_of_seeds(), name, &Metric::name);
  return table.empty() || of_seeds == columns_of_seeds().end() ? nullptr : &*of_seeds;
}

}  // namespace headway
