// SPDX-License-Identifier: Apache-2.0
// The rows of tables that the program itself reads: what a run fills in, `headway why`, pages, figures and
// the terminal read. The columns are in the file of the table (metrics/tables/).
//
// A row can be read from results of earlier versions. A column that they lack leaves its member as it is by
// default: NaN, or an empty name, unless a comment says more.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "headway/metrics/result.h"
#include "headway/metrics/tables.h"
#include "headway/metrics/units.h"

namespace headway {

// The names are those of the table, which must outlive the rows.
template <class Row>
std::vector<Row> rows_in(const Table& table) {
  std::vector<Row> rows(rows_of(table));
  const auto fill = [&](const auto& cells, auto member) {
    for (std::size_t row = 0; row < std::min(rows.size(), cells.size()); ++row)
      rows[row].*member = cells[row];
  };
  const auto read = [&](std::string_view name, const auto& member) {
    const Column* const column = find_column(table, name);
    if (column == nullptr) return;
    if (const auto* const number = std::get_if<double Row::*>(&member)) fill(column->values, *number);
    if (const auto* const word = std::get_if<std::string_view Row::*>(&member)) fill(column->words, *word);
  };
  for (const ColumnOf<Row>& column : Row::columns()) read(column.metric.name, column.cell);
  using Member = decltype(ColumnOf<Row>::cell);
  if constexpr (requires { &Row::seed; }) read(kSeed, Member(&Row::seed));
  if constexpr (requires { &Row::seeds; }) read(kSeeds, Member(&Row::seeds));
  return rows;
}

template <class Row>
const Table& table_in(const Result& result) {
  return result.table(Row::kTable);
}
template <class Row>
std::vector<Row> rows_in(const Result& result) {
  return rows_in<Row>(table_in<Row>(result));
}
// The name of the column that this member is read from.
template <class Row>
std::string_view name_of_column(double Row::* member) {
  const auto found = std::ranges::find_if(Row::columns(), [&](const ColumnOf<Row>& column) {
    const auto* const number = std::get_if<double Row::*>(&column.cell);
    return number != nullptr && *number == member;
  });
  return found == Row::columns().end() ? std::string_view() : found->metric.name;
}
template <class Row>
bool has_column(const Result& result, double Row::* member) {
  return find_column(table_in<Row>(result), name_of_column<Row>(member)) != nullptr;
}

// Where a root of congestion, or a link, is: a part of the rows of several tables.
struct PlaceRow {
  static std::span<const ColumnOf<PlaceRow>> columns();

  std::string_view kind = {};  // of a root (RootKind); empty for a link
  double port = kNaN;          // among all ports of the network
  double from_switch = kNaN, from_node = kNaN, from_port = kNaN, to_switch = kNaN, to_node = kNaN;
  double to_port = kNaN;  // only where two links of a switch must differ
};

struct RootRow : PlaceRow {
  static constexpr std::string_view kTable = "roots";
  static std::span<const ColumnOf<RootRow>> columns();

  double from_stage = kNaN, to_stage = kNaN;
  double share = kNaN, packets = kNaN, admittance_packets = kNaN, victim_packets = kNaN;
  double tree_share = kNaN, tree_queues = kNaN, tree_depth = kNaN;
  double round_trip_ns = kNaN, window_load = kNaN;
};

struct CulpritRow {
  static constexpr std::string_view kTable = "culprits";
  static std::span<const ColumnOf<CulpritRow>> columns();

  std::string_view kind = {};
  double port = kNaN, destination = kNaN, packets = kNaN;
};

struct FlowRootRow {
  static constexpr std::string_view kTable = "flow_roots";
  static std::span<const ColumnOf<FlowRootRow>> columns();

  std::string_view flow = {}, kind = {};
  double port = kNaN, packets = kNaN, victim_packets = kNaN;
};

struct FlowWaitRow : PlaceRow {
  static constexpr std::string_view kTable = "flow_waits";
  static std::span<const ColumnOf<FlowWaitRow>> columns();

  std::string_view flow = {}, waiting = {}, behind = {};  // waiting: Waiting
  double packets = kNaN, victim_packets = kNaN, wait_ns = kNaN, slow_ns = kNaN;
};

struct FlowTransitRow {
  static constexpr std::string_view kTable = "flow_transits";
  static std::span<const ColumnOf<FlowTransitRow>> columns();

  std::string_view flow = {};
  double transit_ns = kNaN;
  double serialisation_ns = kNaN, narrow_ns = kNaN, slow_ns = kNaN;  // its parts
  double propagation_ns = kNaN, switch_ns = kNaN, rest_ns = kNaN;
};

struct TreeRow : PlaceRow {
  static constexpr std::string_view kTable = "trees";
  static std::span<const ColumnOf<TreeRow>> columns();

  double tree = kNaN, birth_ns = kNaN, death_ns = kNaN, photographs = kNaN;
  double packets = kNaN, victim_packets = kNaN, victim_share = kNaN;
  double most_packets = kNaN, most_victims = kNaN, most_queues = kNaN, most_ports = kNaN, most_depth = kNaN;
  double seed = kNaN;  // of its run, if there are several
};

struct StallRow {
  static constexpr std::string_view kTable = "stalls";
  static std::span<const ColumnOf<StallRow>> columns();

  std::string_view kind = {};  // StallKind
  double at_switch = kNaN, at_node = kNaN, at_port = kNaN, at_output = kNaN, queue = kNaN;
  double source = kNaN, destination = kNaN;
  std::string_view flow = {};
  double outranked = kNaN, output = kNaN, since_ns = kNaN, until_ns = kNaN;
  std::string_view root_kind = {};
  double root_port = kNaN, passed_packets = kNaN, rivals = kNaN, winner_port = kNaN, winner_share = kNaN;
  double seed = kNaN;  // of its run, if there are several
};

struct PauseRow {
  static constexpr std::string_view kTable = "pauses";
  static std::span<const ColumnOf<PauseRow>> columns();

  double port = kNaN, lane = kNaN, from_switch = kNaN, from_node = kNaN, to_switch = kNaN, to_node = kNaN;
  std::string_view traffic_class = {};
  double pauses = kNaN, paused = kNaN;
};

struct LinkRow : PlaceRow {
  static constexpr std::string_view kTable = "per_link";
  static std::span<const ColumnOf<LinkRow>> columns();

  double utilisation = kNaN, demand = kNaN, marks = kNaN, pauses = kNaN, paused = kNaN;
  double busy = kNaN, feedback = kNaN, unwanted = kNaN, starved = kNaN;
  double lost_hol = kNaN, lost_input = kNaN, lost_room = kNaN, throttled = kNaN, down = kNaN;
};

struct DestinationRow {
  static constexpr std::string_view kTable = "per_destination";
  static std::span<const ColumnOf<DestinationRow>> columns();

  double destination = kNaN, link = kNaN, accepted_load = kNaN, packets_delivered = kNaN;
  double latency_mean_ns = kNaN, network_latency_mean_ns = kNaN;
  double offered_load = kNaN, fair_share = kNaN, victim = kNaN;
  double hol_packets = kNaN, victim_packets = kNaN, hol_blocking_ns = kNaN, victim_wait_ns = kNaN;
};

struct FlowRow {
  static constexpr std::string_view kTable = "per_flow";
  static std::span<const ColumnOf<FlowRow>> columns();  // those that the program reads

  std::string_view flow = {};
  double offered_load = kNaN, accepted_load = kNaN, packets_delivered = kNaN, latency_mean_ns = kNaN;
  double waiting_packets = kNaN, hol_packets = kNaN, victim_packets = kNaN;
  double waiting_ns = kNaN, hol_blocking_ns = kNaN, victim_wait_ns = kNaN;
  double closed_loop = kNaN;
};

// A bin of the series, and what packets wait for in its photographs.
struct BinRow {
  static constexpr std::string_view kTable = "series";
  static std::span<const ColumnOf<BinRow>> columns();  // those that the program reads

  double time_ns = kNaN;
  // Packets by their waiting; 0 if runs of the spec have no such waiting.
  double transit = 0, admittance = 0, room = 0, output = 0, serial = 0, input = 0, hol = 0;
  double limited = 0, paused = 0;
  double hol_movable_packets = kNaN, victim_packets = kNaN;
  double trees = kNaN, tree_queues = kNaN, tree_packets = kNaN, tree_ports = kNaN, tree_depth = kNaN;
  double culprit_packets = kNaN;
  double seeds = kNaN;  // whose runs have the bin, if they have not all the same bins
};

struct CutOffRow {
  static constexpr std::string_view kTable = "cut_off";
  static std::span<const ColumnOf<CutOffRow>> columns();

  double at_node = kNaN, sends_to = kNaN, receives_from = kNaN;
};

struct JobRow {
  static constexpr std::string_view kTable = "per_job";
  static std::span<const ColumnOf<JobRow>> columns();

  std::string_view job = {};
  double submitted_ns = kNaN, node_wait_ns = kNaN;
  double start_ns = kNaN, finish_ns = kNaN, completion_ns = kNaN, alone_ns = kNaN, slowdown = kNaN;
  double iterations = kNaN, iteration_mean_ns = kNaN, iteration_max_ns = kNaN;
  double bus_bandwidth_gb_per_s = kNaN;
  double spans = kNaN, span_mean_ns = kNaN, span_p50_ns = kNaN, span_p99_ns = kNaN, span_max_ns = kNaN;
  double operations = kNaN, messages = kNaN, message_bytes = kNaN;
  double computing = kNaN, overhead = kNaN, idle = kNaN;
  double path_compute_ns = kNaN, path_overhead_ns = kNaN, path_transfer_ns = kNaN;
  double path_serialisation_ns = kNaN, path_narrow_ns = kNaN, path_slow_ns = kNaN;
  double path_propagation_ns = kNaN, path_switch_ns = kNaN, path_rest_ns = kNaN;
  double path_wait_ns = kNaN, path_hol_ns = kNaN, path_victim_ns = kNaN;
  double busiest_node_ns = kNaN;
};

struct OperationRow {
  static constexpr std::string_view kTable = "per_operation";
  static std::span<const ColumnOf<OperationRow>> columns();
  static constexpr std::string_view kCompute = "compute", kSend = "send", kReceive = "receive";

  std::string_view job = {};
  double rank = kNaN, operation = kNaN;
  std::string_view kind = {};
  double peer = kNaN, message_bytes = kNaN, start_ns = kNaN, finish_ns = kNaN, turn_ns = kNaN;
};

struct StepRow {
  static constexpr std::string_view kTable = "critical_path";
  static std::span<const ColumnOf<StepRow>> columns();
  static constexpr std::string_view kDeparture = "departure";  // a kind

  double end_ns() const { return start_ns + length_ns; }

  std::string_view job = {};
  double step = kNaN;
  std::string_view step_kind = {};
  double rank = kNaN, peer = kNaN, operation = kNaN, iteration = kNaN;
  double start_ns = kNaN, length_ns = kNaN, wait_ns = kNaN, hol_ns = kNaN, victim_ns = kNaN;
  double longest_wait_ns = kNaN, at_switch = kNaN, at_node = kNaN, at_port = kNaN;
  std::string_view root_kind = {};
  double root_port = kNaN;
};

struct WaitRow : PlaceRow {
  static constexpr std::string_view kTable = "critical_waits";
  static std::span<const ColumnOf<WaitRow>> columns();

  std::string_view job = {}, waiting = {};  // Waiting
  double at_switch = kNaN, at_node = kNaN, at_port = kNaN, victim = kNaN;
  std::string_view behind = {};
  double behind_destination = kNaN, wait_ns = kNaN, slow_ns = kNaN;
};

// A link on the critical path of a job: what crossed it, and what waited for it behind a flow.
struct CriticalLinkRow : PlaceRow {
  static constexpr std::string_view kTable = "critical_links";
  static std::span<const ColumnOf<CriticalLinkRow>> columns();

  std::string_view job = {}, behind = {};
  double rate_gb_per_s = kNaN, usual_rate_gb_per_s = kNaN;
  double messages = kNaN, message_bytes = kNaN, slow_ns = kNaN, wait_ns = kNaN, wait_slow_ns = kNaN;
};

// A change of the spec that was run, or why it was not (docs/remedies.md).
struct RemedyRow {
  static constexpr std::string_view kTable = "remedies";
  static std::span<const ColumnOf<RemedyRow>> columns();

  std::string_view change = {}, kind = {}, group = {}, settings = {};
  std::string_view metric = {};
  double value = kNaN, base = kNaN, effect = kNaN, gain = kNaN, gain_low = kNaN, gain_high = kNaN,
         seeds = kNaN;
  std::string_view status = {};
  double others_worst = kNaN, accepted_load = kNaN, queues_per_port = kNaN, cam_lines_per_port = kNaN;
  double port_memory_bytes = kNaN, lanes = kNaN, out_of_order_packets = kNaN, most_gain = kNaN, events = kNaN;
  std::string_view skipped = {};
};
Table remedies_of_rows(std::span<const RemedyRow> rows);

}  // namespace headway
