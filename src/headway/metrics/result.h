// SPDX-License-Identifier: Apache-2.0
// What a run gives back: plain numbers under names that carry their unit (metrics/metric.h), no I/O.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headway {

// Facts about the network, not errors (docs/verdicts.md). The worst of several is the largest.
enum class Status : std::uint8_t {
  ok,
  too_short,   // the window does not tell whether the network settles
  not_steady,  // the loads change within the window, or no end of the warm-up was found within its limit
  saturated,   // what is outstanding grows: latencies depend on how long one looks
  deadlock,    // packets in the network and nothing that can ever move
};
std::span<const Status> statuses();
std::string_view to_string(Status status);

struct Column {
  std::string name;  // with its unit, as metric names are
  std::vector<double> values;
};

// A table whose rows are given by its first column: time, destination, port ...
using Table = std::vector<Column>;

struct Result {
  Status status = Status::ok;
  std::string detail;  // in words: where a deadlock is, what has not settled
  double longer = 1;   // too_short: how many times as long a window would probably do
  std::vector<std::pair<std::string, double>> metrics;  // in the order of the definitions
  std::vector<std::pair<std::string, double>>
      intervals;             // half width of the 95 % interval over seeds; empty for one
  Table series;              // first column time_ns (end of the bin)
  Table per_destination;     // first column destination; empty unless asked for
  Table destination_series;  // first column time_ns, then one per destination; empty unless asked for
  Table port_series;         // first column time_ns, then CFQs, one per port; empty unless asked for
  Table per_pair;            // first column pair, source * nodes + destination; empty unless asked for
  Table pair_series;         // time_ns, source, destination: those that got something; empty unless asked for
  Table per_link;            // first column port; empty unless asked for
  Table per_stage;           // link utilisation per stage and direction, by the link's place on a path
  double cpu_s = 0;          // processor seconds spent; the one number that may differ between equal runs
  std::uint64_t trace_hash = 0;  // over every delivery: source, destination, serial number, tick

  // The metric's value, or NaN if the run has none of that name.
  double metric(std::string_view name) const;
};

// Every table of a result, under the name it is written with.
struct NamedTable {
  std::string_view name;
  Table Result::* table;
  std::size_t keys = 0;  // of a sparse one: columns that say what a row is about; a row that is missing is 0
};
std::span<const NamedTable> result_tables();

// Columns that hold the number of a node or of a switch, in whichever table they stand.
enum class Numbered : std::uint8_t { nothing, nodes, switches };
Numbered numbered_by(std::string_view column);

// Do both have the same metrics, and the same columns in each table? Results of one spec have.
bool alike(const Result& a, const Result& b);

}  // namespace headway
