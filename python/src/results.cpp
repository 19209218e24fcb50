// SPDX-License-Identifier: Apache-2.0
// Results in memory. A column of a table is an object with the buffer protocol, from which every version of
// NumPy makes an array that shares the memory of the column and keeps the result alive. (The array class of
// pybind11 reads the insides of NumPy, which differ between its versions: pybind11 before 2.12 finds every
// stride 0 in NumPy 2.)
#include "headway/run/results.h"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "apart.h"
#include "bound_results.h"
#include "headway/metrics/metric.h"
#include "headway/metrics/result.h"
#include "headway/metrics/tables.h"
#include "headway/run/results_dir.h"
#include "module.h"

namespace headway::python {
namespace {

using SharedResult = std::shared_ptr<Result>;

struct BoundColumn {
  std::shared_ptr<const std::vector<double>> values;  // shares the ownership of its result
};

py::buffer_info buffer_of(const BoundColumn& column) {
  static constexpr double kNone = 0;
  const std::vector<double>& values = *column.values;
  return {values.empty() ? &kNone : values.data(), static_cast<py::ssize_t>(values.size())};
}

py::dict table_of(const SharedResult& result, const std::string& name) {
  if (find_table(name) == nullptr) throw py::key_error(name);
  py::dict columns;
  for (const Column& column : result->table(name)) {
    const Metric* const metric = find_metric(column.name, name);
    const bool has_names = metric != nullptr && metric->unit == kName;
    columns[py::str(column.name)] =
        has_names ? py::object(py::cast(column.words)) : py::cast(BoundColumn{{result, &column.values}});
  }
  return columns;
}

std::vector<std::string> tables_of(const Result& result) {
  std::vector<std::string> names;
  for (const auto& [name, table] : result.tables) names.push_back(name);
  return names;
}

py::dict dict_of(const std::vector<std::pair<std::string, double>>& numbers) {
  py::dict all;
  for (const auto& [name, value] : numbers) all[py::str(name)] = value;
  return all;
}

py::bytes stored_result(const Result& result) { return write_result(result); }

SharedResult restored_result(const py::bytes& text) {
  return std::make_shared<Result>(read_result(std::string_view(text)));
}

py::object stored_search(const std::optional<SaturationSearch>& search) {
  if (!search) return py::none();
  return py::make_tuple(search->precision, search->share, search->times,
                        search->latency ? py::object(py::str(to_string(*search->latency))) : py::none(),
                        search->lowest);
}

std::optional<SaturationSearch> restored_search(const py::object& state) {
  if (state.is_none()) return std::nullopt;
  const auto [precision, share, times, latency, lowest] =
      state.cast<std::tuple<double, double, double, std::optional<std::string>, double>>();
  return SaturationSearch{.precision = precision,
                          .share = share,
                          .times = times,
                          .latency = latency ? parse_duration(*latency) : std::nullopt,
                          .lowest = lowest};
}

// Stores also what write_result leaves out: the point's parameters, its runs and the names of its network.
py::tuple stored_point(const SharedPoint& point) {
  std::vector<py::bytes> runs;
  for (const Result& run : point->runs) runs.push_back(stored_result(run));
  return py::make_tuple(point->params, point->seed, runs, stored_result(point->result), point->names.nodes,
                        point->names.switches, point->narrow_enough, stored_search(point->search));
}

SharedPoint restored_point(const py::tuple& state) try {
  if (state.size() != 8) throw NoResult("not a point of results");
  auto point = std::make_shared<PointResult>();
  point->params = state[0].cast<std::vector<std::pair<std::string, std::string>>>();
  point->seed = state[1].cast<std::uint64_t>();
  for (const std::string& run : state[2].cast<std::vector<std::string>>())
    point->runs.push_back(read_result(run));
  point->result = read_result(state[3].cast<std::string>());
  point->names = {state[4].cast<std::vector<std::string>>(), state[5].cast<std::vector<std::string>>()};
  point->narrow_enough = state[6].cast<std::optional<bool>>();
  point->search = restored_search(state[7]);
  return point;
} catch (const py::cast_error&) {
  throw NoResult("not a point of results");
}

// The runs share the memory of their point.
std::vector<SharedResult> runs_of(const SharedPoint& point) {
  std::vector<SharedResult> runs;
  for (Result& run : point->runs) runs.emplace_back(point, &run);
  return runs;
}

}  // namespace

std::vector<SharedPoint> shared(std::vector<PointResult> points) {
  std::vector<SharedPoint> all;
  for (PointResult& point : points) all.push_back(std::make_shared<PointResult>(std::move(point)));
  return all;
}

void bind_results(py::module_& module) {
  py::class_<BoundColumn>(module, "Column", py::buffer_protocol()).def_buffer(&buffer_of);
  py::class_<Result, SharedResult>(module, "Result")
      .def_property_readonly("status",
                             [](const Result& result) { return std::string(name_of(result.status)); })
      .def_readonly("detail", &Result::detail)
      .def_readonly("limited_by", &Result::limited_by)
      .def_readonly("cpu_s", &Result::cpu_s)
      .def_readonly("trace_hash", &Result::trace_hash)
      .def_property_readonly("metrics", [](const Result& result) { return dict_of(result.metrics); })
      .def_property_readonly("intervals", [](const Result& result) { return dict_of(result.intervals); })
      .def("metric", &Result::metric, py::arg("name"))
      .def_property_readonly("tables", &tables_of)
      .def("table", &table_of, py::arg("name"))
      .def("__reduce_ex__",
           [](const Result& result, const py::object&) { return pickled("Result", stored_result(result)); })
      .def_static("_restored", &restored_result);
  py::class_<PointResult, SharedPoint>(module, "Point")
      .def_readonly("params", &PointResult::params)
      .def_readonly("seed", &PointResult::seed)
      .def_readonly("narrow_enough", &PointResult::narrow_enough)
      .def_property_readonly("result",
                             [](const SharedPoint& point) { return SharedResult(point, &point->result); })
      .def_property_readonly("runs", &runs_of)
      .def_property_readonly("nodes", [](const PointResult& point) { return point.names.nodes; })
      .def_property_readonly("switches", [](const PointResult& point) { return point.names.switches; })
      .def("__reduce_ex__",
           [](const SharedPoint& point, const py::object&) { return pickled("Point", stored_point(point)); })
      .def_static("_restored", &restored_point);
  module.def(
      "results_in",
      [](const std::filesystem::path& directory) {
        const Released released;
        return shared(results_in(directory));
      },
      py::arg("directory"));
}

}  // namespace headway::python
