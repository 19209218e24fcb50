// SPDX-License-Identifier: Apache-2.0
// Values over time: one row per bin of the warm-up and of the measurement.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "headway/metrics/measured_run.h"
#include "headway/metrics/metric_names.h"
#include "headway/metrics/overflow.h"
#include "headway/metrics/rows.h"

namespace headway {
namespace {

double between(const Bin& bin, std::uint64_t Counters::* counter) {
  return static_cast<double>(bin.to().counters.*counter - bin.from().counters.*counter);
}

double load_in(const Bin& bin, std::uint64_t TrafficCounters::* bytes) {
  return bin.window.all().load(bin.from(), bin.to(), bytes);
}
// The rate of bytes, as a fraction of the total link rate of all nodes.
double efficiency(const Bin& bin, std::uint64_t Counters::* bytes) {
  const double capacity =
      static_cast<double>(bin.to().tick - bin.from().tick) * bin.window.bytes_per_tick_of_nodes();
  return capacity == 0 ? kNaN : between(bin, bytes) / capacity;
}

double mean_ns_in(const Bin& bin, std::uint64_t TrafficCounters::* ticks) {
  return bin.window.all().mean_ns(bin.from(), bin.to(), ticks);
}

// Isolation is read at the start of the run, and at the end of every bin.
const IsolationReading& isolation(const Bin& bin) { return bin.run.isolation[bin.number + 1]; }

template <std::uint64_t IsolationCounts::* kCount>
Cell isolation_in(const Bin& bin) {
  return isolation(bin).counts.*kCount - bin.run.isolation[bin.number].counts.*kCount;
}

constexpr ColumnOf<Bin> kSeriesColumns[] = {
    {kEndOfBin, [](const Bin& bin) -> Cell { return bin.end_ns(); }},
    {{metrics::offered_load, kLoad,
      "rate of bytes generated in the bin, divided by the total link rate of the nodes that are sources"},
     [](const Bin& bin) -> Cell { return load_in(bin, &TrafficCounters::bytes_generated); }},
    {{metrics::accepted_load, kLoad,
      "rate of bytes delivered in the bin, divided by the total link rate of the nodes that are sources"},
     [](const Bin& bin) -> Cell { return load_in(bin, &TrafficCounters::bytes_delivered); }},
    {{"offered_efficiency", kLoad,
      "rate of bytes generated in the bin, divided by the total link rate of all nodes"},
     [](const Bin& bin) -> Cell { return efficiency(bin, &Counters::bytes_generated); }},
    {{metrics::network_efficiency, kLoad,
      "rate of bytes delivered in the bin, divided by the total link rate of all nodes"},
     [](const Bin& bin) -> Cell { return efficiency(bin, &Counters::bytes_delivered); }},
    {{metrics::latency_mean_ns, "ns", "mean latency of the packets delivered in the bin"},
     [](const Bin& bin) -> Cell { return mean_ns_in(bin, &TrafficCounters::latency_ticks); }},
    {{"network_latency_mean_ns", "ns", "mean network latency of the packets delivered in the bin"},
     [](const Bin& bin) -> Cell { return mean_ns_in(bin, &TrafficCounters::network_latency_ticks); }},
    {{"packets_in_network", "packets",
      "packets in injection queues, in switches and on links at the end of the bin"},
     [](const Bin& bin) -> Cell { return bin.to().packets_in_network; }},
    {{"backlog_packets", "packets", "packets that wait for admission at the end of the bin"},
     [](const Bin& bin) -> Cell { return bin.to().waiting_packets; }},
    {{"marks", "packets", "packets that switches marked in the bin", Needs::marking},
     [](const Bin& bin) -> Cell { return between(bin, &Counters::marks); }},
    {{"notifications", "notifications", "notifications that reached sources in the bin", Needs::reaction},
     [](const Bin& bin) -> Cell { return between(bin, &Counters::notifications); }},
    {{"limited_flows", "flows",
      "flows that have to send at less than full rate or, with the reaction window, have to wait, at the end "
      "of the bin",
      Needs::reaction},
     [](const Bin& bin) -> Cell { return bin.to().limited_flows; }},
    {{"pauses", "pauses", "pauses that senders began to obey in the bin", Needs::pauses},
     [](const Bin& bin) -> Cell { return between(bin, &Counters::pauses); }},
    {{"paused_lanes", "lanes", "lanes of links whose senders obey a pause, at the end of the bin",
      Needs::pauses},
     [](const Bin& bin) -> Cell { return bin.to().paused_lanes; }},
    {{"packets_lost", "packets",
      "packets that were lost in the bin, because a lane had no room or a link was down", Needs::losses},
     [](const Bin& bin) -> Cell { return between(bin, &Counters::packets_lost); }},
    {{"limited_rate_mean", kLoad, "mean rate of the limited flows at the end of the bin", Needs::rates},
     [](const Bin& bin) -> Cell { return bin.to().limited_rate_mean; }},
    {{"limited_rate_least", kLoad, "rate of the slowest of the limited flows at the end of the bin",
      OverSeeds::minimum, Needs::rates},
     [](const Bin& bin) -> Cell { return bin.to().limited_rate_least; }},
};

constexpr ColumnOf<Bin> kIsolationSeries[] = {
    {{"cfqs", "queues", "active congested-flow queues in all switches at the end of the bin"},
     [](const Bin& bin) -> Cell { return isolation(bin).counts.active_lines; }},
    {{"cfqs_of_nodes", "queues",
      "active congested-flow queues in the adapters of nodes at the end of the bin"},
     [](const Bin& bin) -> Cell { return isolation(bin).counts.adapter_lines; }},
    {{"watched_cfqs", "queues",
      "congested-flow queues in switches allocated for measure.watch_destination at the end of the bin",
      Needs::watched_destination},
     [](const Bin& bin) -> Cell { return isolation(bin).watched; }},
    {{"cfq_allocations", "queues", "allocations of congested-flow queues in the bin"},
     &isolation_in<&IsolationCounts::allocations>},
    {{"cfqs_freed", "queues", "congested-flow queues freed in the bin"},
     &isolation_in<&IsolationCounts::frees>},
    {{"cfq_allocations_refused", "packets",
      "head packets that found no free congested-flow queue in the bin"},
     &isolation_in<&IsolationCounts::refused_allocations>},
    {{"detections", "queues", "detected congestions in the bin"},
     &isolation_in<&IsolationCounts::detections>},
    {{"false_detections", "queues", "false detections whose queue was freed in the bin"},
     &isolation_in<&IsolationCounts::false_detections>},
    {{"stops", "signals", "Stop signals sent in the bin"}, &isolation_in<&IsolationCounts::stops>},
    {{"gos", "signals", "Go signals sent in the bin"}, &isolation_in<&IsolationCounts::gos>},
};

constexpr ColumnOf<BinRow> kWaitingSeries[] = {
    {{"transit_packets", "packets", "packets on links"}, &BinRow::transit},
    {{"wait_admittance_packets", "packets",
      "packets that wait at their nodes for room in an injection queue"},
     &BinRow::admittance},
    {{"wait_room_packets", "packets", "packets that wait for room behind their output"}, &BinRow::room},
    {{"wait_output_packets", "packets", "packets that wait for an output that another input sends by"},
     &BinRow::output},
    {{"wait_serial_packets", "packets", "packets that wait for an output that their own input sends by"},
     &BinRow::serial},
    {{"wait_input_packets", "packets", "packets that wait for their input, which sends by another output"},
     &BinRow::input},
    {{"hol_packets", "packets", "packets behind a head that needs something else: head-of-line blocking"},
     &BinRow::hol},
    {{"wait_limited_packets", "packets", "packets that wait at their nodes until their sources may send",
      Needs::waiting_reaction},
     &BinRow::limited},
    {{"wait_paused_packets", "packets", "packets that wait for room because a lane has paused its sender",
      Needs::waiting_pauses},
     &BinRow::paused},
    {{"hol_movable_packets", "packets", "of these, packets that lack nothing but the place at the head"},
     &BinRow::hol_movable_packets},
    {{"victim_packets", "packets",
      "packets, also at nodes, that wait for a root of congestion that they do not have to cross"},
     &BinRow::victim_packets},
    {{"trees", "trees", "congestion trees: roots for which queues wait for room in other queues"},
     &BinRow::trees},
    {{"tree_queues", "queues", "queues in congestion trees"}, &BinRow::tree_queues},
    {{"tree_packets", "packets", "packets in the queues of congestion trees"}, &BinRow::tree_packets},
    {{"tree_ports", "ports", "ports with queues in congestion trees, counted for each tree"},
     &BinRow::tree_ports},
    {{"tree_depth", "queues",
      "queues in the longest chain of queues that wait for room in the next one, over all trees"},
     &BinRow::tree_depth},
    {{"culprit_packets", "packets",
      "packets to measure.watch_destination that wait for a root of congestion that they will cross",
      Needs::watched_waiting},
     &BinRow::culprit_packets},
};
constexpr ColumnOf<BinRow> kEndOfBinColumn[] = {{kEndOfBin, &BinRow::time_ns}};
constexpr auto kColumnsOfBins = joined(kEndOfBinColumn, kWaitingSeries);

// Means over the photographs of the bin; NaN if there is none.
BinRow waiting_in(const Bin& bin) {
  const BinSums& sums = bin.photographs();
  const auto mean = [&](std::uint64_t sum) {
    return sums.photographs == 0 ? kNaN : static_cast<double>(sum) / static_cast<double>(sums.photographs);
  };
  const auto packets = [&](Waiting waiting) { return mean(sums.packets[static_cast<std::size_t>(waiting)]); };
  return {.transit = packets(Waiting::transit),
          .admittance = packets(Waiting::admittance),
          .room = packets(Waiting::room),
          .output = packets(Waiting::output),
          .serial = packets(Waiting::serial),
          .input = packets(Waiting::input),
          .hol = packets(Waiting::hol),
          .limited = packets(Waiting::limited),
          .paused = packets(Waiting::paused),
          .hol_movable_packets = mean(sums.movable),
          .victim_packets = mean(sums.victims),
          .trees = mean(sums.trees),
          .tree_queues = mean(sums.tree_queues),
          .tree_packets = mean(sums.tree_packets),
          .tree_ports = mean(sums.tree_ports),
          .tree_depth = mean(sums.tree_depth),
          .culprit_packets = mean(sums.watched)};
}

constexpr Metric kStageSeries[] = {
    {"cfqs_stage_S", "queues",
     "for every stage S: active congested-flow queues in its switches at the end of the bin"}};
void add_stages(const MeasuredRun& run, Table& table) {
  const std::size_t stages = run.isolation.front().of_stage.size();
  for (std::size_t stage = 0; stage < stages; ++stage) {
    Column& column = table.emplace_back(Column{fmt::format("cfqs_stage_{}", stage)});
    for (const IsolationReading& reading : run.isolation.subspan(1))
      column.values.push_back(reading.of_stage[stage]);
  }
}

void add_overflow(const MeasuredRun& run, Table& table) {
  for (const OverflowMetric& metric : overflow_metrics()) {
    Column& column = table.emplace_back(Column{std::string(metric.metric.name)});
    for (std::size_t i = 1; i < run.overflow.size(); ++i)
      column.values.push_back(metric.value(run.overflow.subspan(i - 1, 2)));
  }
}

void append(Table& table, Table columns) { std::ranges::move(columns, std::back_inserter(table)); }

Table make_series(const MeasuredRun& run) {
  const auto rows_of_bins = [&](std::span<const ColumnOf<Bin>> columns) {
    TableRows<Bin> rows(columns, run.scope);
    for_each_bin(run, [&](const Bin& bin) { rows.add(bin); });
    return rows.take();
  };
  Table table = rows_of_bins(kSeriesColumns);
  if (run.scope.meets(Needs::isolation)) {
    append(table, rows_of_bins(kIsolationSeries));
    add_stages(run, table);
  }
  if (run.scope.meets(Needs::overflow)) add_overflow(run, table);
  if (run.scope.meets(Needs::waiting)) {
    TableRows<BinRow> rows(kWaitingSeries, run.scope);
    for_each_bin(run, [&](const Bin& bin) { rows.add(waiting_in(bin)); });
    append(table, rows.take());
  }
  return table;
}

}  // namespace

std::span<const ColumnOf<BinRow>> BinRow::columns() { return kColumnsOfBins; }

TableKind series_table() {
  return {.name = BinRow::kTable,
          .rows = "time bins, `measure.bin` wide",
          .when = "always, except for slotted networks",
          .columns = joined({metrics_of(kSeriesColumns), metrics_of(kIsolationSeries, Needs::isolation),
                             metrics_of(kStageSeries, Needs::isolation),
                             metrics_of(overflow_metrics(), Needs::overflow),
                             metrics_of(kWaitingSeries, Needs::waiting)}),
          .made = make_series,
          .most_cells = [](const TableBounds& most, double count) { return most.bins * count; }};
}

}  // namespace headway
