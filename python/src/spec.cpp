// SPDX-License-Identifier: Apache-2.0
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <string>

#include "headway/compile/draft.h"
#include "headway/compile/load.h"
#include "headway/config/toml.h"
#include "module.h"

namespace headway::python {
namespace {

using Released = py::call_guard<py::gil_scoped_release>;

SpecDraft from_toml(const std::string& text, const std::string& name) {
  return SpecDraft(parse_toml(text, name));
}

SpecDraft read(const std::filesystem::path& path) { return SpecDraft(read_toml(path)); }

struct Checked {
  std::string resolved;  // as TOML
  std::size_t points;
  int seeds;
};

Checked check(const SpecDraft& draft) {
  Document document = draft.document();  // another thread can change the draft
  const py::gil_scoped_release released;
  const Experiment experiment = check_experiment(std::move(document));
  return {write_toml(experiment.document), experiment.points.size(), experiment.seeds};
}

}  // namespace

void bind_spec(py::module_& module) {
  py::class_<Checked>(module, "Checked")
      .def_readonly("resolved", &Checked::resolved)
      .def_readonly("points", &Checked::points)
      .def_readonly("seeds", &Checked::seeds);
  py::class_<SpecDraft>(module, "Draft")
      .def(py::init([](const py::dict& tables) { return SpecDraft(document_of(tables, "")); }),
           py::arg("tables"))
      .def_static("from_toml", &from_toml, py::arg("text"), py::arg("name"), Released())
      .def_static("read", &read, py::arg("path"), Released())
      .def("copy", [](const SpecDraft& draft) { return draft; })
      .def(
          "set",
          [](SpecDraft& draft, const std::string& key, py::handle value) {
            draft.set(key, document_of(value, key));
          },
          py::arg("key"), py::arg("value"))
      .def("erase", &SpecDraft::erase, py::arg("key"))
      .def("has", &SpecDraft::has, py::arg("key"))
      .def(
          "value",
          [](const SpecDraft& draft, const std::string& key) -> py::object {
            const auto value = draft.value(key);
            return value ? object_of(*value) : py::none();
          },
          py::arg("key"))
      .def("tables", [](const SpecDraft& draft) { return object_of(draft.document()); })
      .def("to_toml", [](const SpecDraft& draft) { return write_toml(draft.document()); })
      .def("check", &check)
      .def_property_readonly("note", &SpecDraft::note)
      .def("equals", [](const SpecDraft& a, const SpecDraft& b) { return a == b; }, py::arg("other"));
}

}  // namespace headway::python
