// SPDX-License-Identifier: Apache-2.0
// The results of an experiment as text: one JSON document, or tables of comma-separated values. Doubles are
// written with the fewest digits that read back as the same double. A missing number is null or an empty
// cell. Both forms depend only on the spec and the seeds; they do not contain the cost of a run on this
// machine.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/compile/experiment.h"
#include "headway/metrics/result.h"
#include "headway/spec/saturation_search.h"

namespace headway {

// What was read is not a valid result, or it lacks what was asked for.
class NoResult : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A finished point.
struct PointResult {
  std::vector<std::pair<std::string, std::string>> params;  // as in Point
  std::uint64_t seed = 1;                                   // of the first run
  std::vector<Result> runs;                                 // with seed, seed + 1, ...; never empty
  Result result;                                            // of all runs (combine)
  NetworkNames names;                                       // of its network, if it is read from a file
  std::optional<bool> narrow_enough = {};  // with SeedsUntil: whether its interval is narrow enough
  // As in Experiment; not in a document of results. What stores the point again needs it for the key.
  std::optional<SaturationSearch> search = {};
};

PointResult make_point_result(const Point& point, std::vector<Result> runs);

// {"headway": version, "spec": resolved, "points": [...]}; `resolved_spec` is a JSON value.
std::string results_json(std::string_view resolved_spec, const std::vector<PointResult>& points);

// One row per point: params, seed, status, metrics, and with several seeds the half width of each 95 %
// interval.
std::string results_csv(const std::vector<PointResult>& points);

// The points of such a document with their combined results. With several seeds, `runs` has the result of
// each seed, without tables; with one seed it is empty. Throws NoResult if the document is not valid.
std::vector<PointResult> read_results(std::string_view json);

// The rows of a table of all points, with the params first. Empty if no point has this table. If a network
// has names, a column NAME_name follows a column NAME with numbers of nodes or switches.
std::string table_csv(const std::vector<PointResult>& points, std::string_view table);

// Writes a complete result as one line of JSON: read_result(write_result(r)) == r, with every bit of every
// double.
std::string write_result(const Result& result);
// Throws NoResult if the text is not valid: if a member is missing or unknown, a value is not a number, this
// version does not have a metric, or the columns of a table differ in length.
Result read_result(std::string_view json);

}  // namespace headway
