// SPDX-License-Identifier: Apache-2.0
// The results of an experiment as text: one JSON document, or tables of comma-separated values. Doubles are
// written with the fewest digits that read back as the same double. A missing number is null or an empty
// cell. Both forms depend only on the spec and the seeds; they do not contain the cost of a run on this
// machine.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
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
  Params params;                           // as in Point
  std::uint64_t seed = 1;                  // of the first run
  std::vector<Result> runs;                // with seed, seed + 1, ...; never empty
  Result result;                           // of all runs (combine)
  NetworkNames names;                      // of its network, if it is read from a file
  std::optional<bool> narrow_enough = {};  // with SeedsUntil: whether its interval is narrow enough
  // As in Experiment; not in a document of results. What stores the point again needs it for the key.
  std::optional<SaturationSearch> search = {};
};

PointResult make_point_result(const Point& point, std::vector<Result> runs);

// The points of an experiment that are written together.
using Points = std::span<const PointResult* const>;
// Receives a text in parts, each at most that of a point or of a table of a point.
using Sink = std::function<void(std::string_view part)>;

// {"headway": version, "spec": resolved, "points": [...]}; `resolved_spec` is a JSON value.
void results_json(std::string_view resolved_spec, Points points, const Sink& to);

// One row per point: params, seed, status, metrics, and with several seeds the half width of each 95 %
// interval.
void results_csv(Points points, const Sink& to);

// The rows of a table of all points, with the params first. Writes nothing if no point has this table. If a
// network has names, a column NAME_name follows a column NAME with numbers of nodes or switches.
void table_csv(Points points, std::string_view table, const Sink& to);

// The points of a document of results_json with their combined results. With several seeds, `runs` has the
// result of each seed, without tables; with one seed it is empty. Throws NoResult if the document is not
// valid.
std::vector<PointResult> read_results(std::string_view json);

// Writes a complete result as one line of JSON: read_result(write_result(r)) == r, with every bit of every
// double.
std::string write_result(const Result& result);
void append_result(std::string& text, const Result& result);  // the same at the end of a text
// Throws NoResult if the text is not valid: if a member is missing or unknown, a value is not a number, this
// version does not have a metric, or the columns of a table differ in length.
Result read_result(std::string_view json);

}  // namespace headway
