// SPDX-License-Identifier: Apache-2.0
// The result of a run: plain numbers with names that include their unit (metrics/metric.h), without I/O.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headway {

// Properties of the network, not errors (docs/verdicts.md). The worst of several statuses is the largest
// value.
enum class Status : std::uint8_t {
  ok,
  too_short,   // the window is too short to decide whether the network reaches a steady state
  not_steady,  // the loads change within the window, or no end of the warm-up was found within its limit
  saturated,   // the outstanding traffic grows: latencies depend on the length of the window
  deadlock,    // packets in the network that can never move
};
std::span<const Status> statuses();
std::string_view to_string(Status status);

struct Column {
  std::string name;  // with its unit, as metric names are
  std::vector<double> values;
};

// A table whose rows are identified by the first column: time, destination, port ...
using Table = std::vector<Column>;

// Null if the table has no such column.
const Column* find_column(const Table& table, std::string_view name);

struct Result {
  Status status = Status::ok;
  std::string detail;  // as text: the place of a deadlock, or what is not steady
  // Of a saturation search: what the lowest load that was not sustained did not meet: "share", "latency",
  // "memory" or a status; "full load" if load 1 was sustained. Empty for other results.
  std::string limited_by;
  double longer = 1;  // too_short: factor by which a longer window is probably long enough
  std::vector<std::pair<std::string, double>> metrics;  // in the order of the definitions
  std::vector<std::pair<std::string, double>>
      intervals;             // half width of the 95 % interval over seeds; empty with one seed
  Table series;              // first column time_ns (end of the bin)
  Table per_destination;     // first column destination; empty unless requested
  Table destination_series;  // first column time_ns, then one per destination; empty unless requested
  Table port_series;         // first column time_ns, then CFQs, one per port; empty unless requested
  Table per_pair;            // first column pair, source * nodes + destination; empty unless requested
  Table pair_series;         // time_ns, source, destination: pairs that received data; empty unless requested
  Table per_link;            // first column port; empty unless requested
  Table roots;               // kind and port: what packets waited for; empty unless observe.waiting
  Table culprits;            // kind, port, destination: packets that caused it; likewise
  Table per_flow;            // first column flow; empty unless observe.waiting and several flows
  Table flow_roots;          // flow, kind, port: what the packets of flows waited for; likewise
  Table trees;               // tree: congestion trees with their times; likewise
  Table tree_series;         // time_ns, tree: sizes of the largest of them over time; likewise
  Table stalls;              // kind: queues whose heads do not advance; likewise
  Table cut_off;             // at_node: nodes that failed links have cut off; empty unless these are reported
  Table per_stage;           // link utilisation per stage and direction, by the link's place on a path
  // Photographs kept by observe.keep (observe/snapshots.h). Saved as a separate file, not in the journal.
  std::string snapshots;
  double cpu_s = 0;  // processor time in seconds; the only number that can differ between equal runs
  std::uint64_t trace_hash = 0;  // over every delivery: source, destination, serial number, tick

  // The metric's value, or NaN if the run has no such metric.
  double metric(std::string_view name) const;
};

// All tables of a result, with the names of their files.
struct NamedTable {
  std::string_view name;
  Table Result::* table;
  std::size_t keys = 0;  // of a sparse table: number of columns that identify a row; missing rows are 0
  bool listed = false;   // rows describe one run; rows of several runs are listed, not averaged
};
std::span<const NamedTable> result_tables();

// The column of listed tables with the number of a congestion tree: its row in the table trees.
inline constexpr std::string_view kTreeNumber = "tree";

// Columns with numbers of nodes or of switches, in any table.
enum class Numbered : std::uint8_t { nothing, nodes, switches };
Numbered numbered_by(std::string_view column);

// Returns true if both have the same metrics and the same columns in each table, as results of one spec do.
bool alike(const Result& a, const Result& b);

}  // namespace headway
