// SPDX-License-Identifier: Apache-2.0
// The results of an experiment as text: one JSON document, or tables of comma-separated values.
// Doubles are written with the fewest digits that read back as the same double; a number that does not exist
// is null, or an empty cell. Both depend on the spec and the seeds alone: what a run cost on this machine is
// not among them.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/compile/experiment.h"
#include "headway/metrics/result.h"

namespace headway {

// What has been read is no result.
class NoResult : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A point that is done.
struct PointResult {
  std::vector<std::pair<std::string, std::string>> params;  // as in Point
  std::uint64_t seed = 1;                                   // of the first run
  std::vector<Result> runs;                                 // with seed, seed + 1, ...; never empty
  Result result;                                            // of all runs (combine)
  NetworkNames names;                                       // of its network, if that is from a file
};

PointResult make_point_result(const Point& point, std::vector<Result> runs);

// {"headway": version, "spec": resolved, "points": [...]}; `resolved_spec` is a JSON value.
std::string results_json(std::string_view resolved_spec, const std::vector<PointResult>& points);

// One row per point: params, seed, status, metrics, and with several seeds the half width of each 95 %
// interval.
std::string results_csv(const std::vector<PointResult>& points);

// The points of such a document, with their results over all seeds; `runs` and `names` stay empty. Throws
// NoResult if it is none.
std::vector<PointResult> read_results(std::string_view json);

// A table of every point below each other, params first. Empty if no point has one. Where a network has names
// a column NAME_name stands beside a column NAME of numbers of nodes or switches.
std::string table_csv(const std::vector<PointResult>& points, Table Result::* table);

// A whole result as one line of JSON, and back: read_result(write_result(r)) == r, with every bit of every
// double.
std::string write_result(const Result& result);
// Throws NoResult if it is not one: if anything is missing or unknown, a number is none, a metric is none
// that this version has, or the columns of a table differ in length.
Result read_result(std::string_view json);

}  // namespace headway
