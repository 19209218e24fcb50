// SPDX-License-Identifier: Apache-2.0
// The result of a run: plain numbers with names that include their unit (metrics/metric.h), without I/O.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/config/names.h"

namespace headway {

// Properties of the network, not errors (docs/verdicts.md). The worst of several statuses is the largest
// value.
enum class Status : std::uint8_t {
  ok,
  too_short,   // the window is too short to decide whether the network reaches a steady state
  not_steady,  // the loads change within the window, or no end of the warm-up was found within its limit
  saturated,   // the outstanding traffic grows: latencies depend on the length of the window
  unfinished,  // jobs were not done when the limit of the run was reached
  deadlock,    // packets in the network that can never move
};
constexpr auto names_in_specs(Status) {
  return name_list("ok", "too_short", "not_steady", "saturated", "unfinished", "deadlock");
}

// Has numbers, or names if its unit is kName (metrics/metric.h).
struct Column {
  std::string name;  // with its unit, as metric names are
  std::vector<double> values = {};
  std::vector<std::string> words = {};

  std::size_t rows() const { return values.size() + words.size(); }
};

// A table whose rows are identified by the first column: time, destination, port ...
using Table = std::vector<Column>;

// Null if the table has no such column.
const Column* find_column(const Table& table, std::string_view name);
std::size_t rows_of(const Table& table);
// NaN, or empty, if the table has no such column of numbers or of names.
double number_at(const Table& table, std::string_view column, std::size_t row);
std::string_view word_at(const Table& table, std::string_view column, std::size_t row);

struct Result {
  Status status = Status::ok;
  std::string detail;  // as text: the place of a deadlock, or what is not steady
  // In a saturation search, what the lowest load that was not sustained did not meet: "share", "latency",
  // "memory" or a status; "full load" if load 1 was sustained. Empty for other results.
  std::string limited_by;
  double longer = 1;  // too_short: factor by which a longer window is probably long enough
  std::vector<std::pair<std::string, double>> metrics;  // in the order of the definitions
  std::vector<std::pair<std::string, double>>
      intervals;  // half width of the 95 % interval over seeds; empty with one seed
  std::map<std::string, Table, std::less<>> tables;  // those that the run has, by name (metrics/tables.h)
  // Photographs kept by observe.keep (observe/snapshots.h). Saved as a separate file, not in the journal.
  std::string snapshots;
  // The most memory that messages took that waited for admission; only the first of a long backlog are in
  // memory. About the program and not about the network, so it is not written.
  std::uint64_t backlog_bytes = 0;
  std::string one_thread;  // why one thread was used although more were allowed; not written either
  // Packet-hops that were skipped because they repeat others, or why none can be (engine/skip.h), and whether
  // that costs much time; not written.
  std::uint64_t skipped_hops = 0, skips = 0;
  std::string no_skip;
  bool long_messages = false;
  double cpu_s = 0;  // processor time in seconds; the only number that can differ between equal runs
  std::uint64_t trace_hash = 0;  // over every delivery: source, destination, serial number, tick

  // The metric's value, or NaN if the run has no such metric.
  double metric(std::string_view name) const;
  // The table, without columns if the run does not have it.
  const Table& table(std::string_view name) const;
};

// Columns with numbers of nodes or of switches, in any table.
enum class Numbered : std::uint8_t { nothing, nodes, switches };
Numbered numbered_by(std::string_view column);

// Returns true if both have the same metrics and the same columns in each table, as results of one spec do.
bool alike(const Result& a, const Result& b);

}  // namespace headway
