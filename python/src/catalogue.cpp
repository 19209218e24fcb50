// SPDX-License-Identifier: Apache-2.0
// Keys, members of families, metrics, and styles of curves.
#include <pybind11/stl.h>

#include <string>
#include <vector>

#include "headway/catalogue/explain.h"
#include "headway/catalogue/names.h"
#include "headway/catalogue/reference.h"
#include "headway/config/nearest.h"
#include "headway/metrics/metric.h"
#include "headway/pictures/curve_plots.h"
#include "headway/pictures/plot.h"
#include "module.h"

namespace headway::python {
namespace {

std::vector<std::string_view> views_of(const std::vector<std::string>& names) {
  return {names.begin(), names.end()};
}

// (name, help) of the members of families with this name and of the values of keys with this name.
py::list members(const std::string& word) {
  py::list found;
  for (const catalogue::Family& family : catalogue::families())
    if (catalogue::is_called(family, word))
      for (const catalogue::Member& member : family.members)
        found.append(py::make_tuple(member.name, member.help));
  for (const catalogue::NamedValues& key : catalogue::named_values(word))
    for (const std::string_view name : key.names) found.append(py::make_tuple(name, ""));
  if (!found.empty()) return found;
  std::vector<std::string_view> valid = catalogue::family_names();
  throw UnknownName(unknown("family", word, valid));
}

std::string explain(const std::string& name) {
  const std::string text = catalogue::explained(name);
  if (text.empty()) throw UnknownName(unknown("name", name, catalogue::topics()));
  return text;
}

// (name, unit, help, what a run needs to have it, table)
py::list metrics() {
  py::list all;
  for (const Metric& metric : all_metrics())
    all.append(py::make_tuple(metric.name, metric.unit, metric.help, name_of(metric.needs), metric.table));
  return all;
}

// (path, type, facts, help, only with, names)
py::list keys() {
  py::list all;
  for (const catalogue::Key& key : catalogue::keys())
    all.append(py::make_tuple(key.path, key.row.type, catalogue::facts_of(key.row), key.row.help,
                              key.only_with, key.row.names));
  return all;
}

}  // namespace

void bind_catalogue(py::module_& module) {
  module.def("families", [] {
    std::vector<std::string> names;
    for (const std::string_view name : catalogue::family_names()) names.emplace_back(name);
    return names;
  });
  module.def("members", &members, py::arg("word"));
  module.def("explain", &explain, py::arg("name"));
  module.def("metrics", &metrics);
  module.def("keys", &keys);
  module.def(
      "nearest",
      [](const std::string& word, const std::vector<std::string>& names) {
        const std::vector<std::string_view> valid = views_of(names);
        const auto meant = nearest(word, valid);
        return std::string(meant.value_or(""));
      },
      py::arg("word"), py::arg("names"));
  module.def(
      "needs",
      [](const std::string& name, const std::string& table) -> py::object {
        const Metric* const metric = find_metric(name, table);
        return metric == nullptr ? py::none() : py::object(py::str(std::string(name_of(metric->needs))));
      },
      py::arg("name"), py::arg("table") = "");
  module.def("label_of", &label_of, py::arg("name"), py::arg("table"));
  module.def(
      "style",
      [](std::size_t index) {
        const Style look = style(index);
        return py::make_tuple(look.colour, look.filled, look.dash);
      },
      py::arg("index"));
}

}  // namespace headway::python
