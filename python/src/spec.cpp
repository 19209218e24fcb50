// SPDX-License-Identifier: Apache-2.0
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <string>

#include "apart.h"
#include "headway/compile/draft.h"
#include "headway/compile/load.h"
#include "headway/config/toml.h"
#include "module.h"

namespace headway::python {
namespace {

using WithoutPython = py::call_guard<Released>;

SpecDraft from_tables(const py::dict& tables) {
  MemoryFiles files;
  Document document = document_of(tables, "", files);
  return SpecDraft(std::move(document), std::move(files));
}

SpecDraft from_toml(const std::string& text, const std::string& name, const std::vector<InputFile>& files) {
  MemoryFiles in_memory;
  for (const InputFile& file : files) in_memory.emplace(file.path(), file);
  return SpecDraft(parse_toml(text, name), std::move(in_memory));
}

void set(SpecDraft& draft, const std::string& key, py::handle value) {
  MemoryFiles files;
  Document document = document_of(value, key, files);
  draft.set(key, std::move(document), files);
}

std::vector<InputFile> files_of(const SpecDraft& draft) {
  std::vector<InputFile> files;
  for (const auto& [name, file] : draft.files()) files.push_back(file);
  return files;
}

SpecDraft read(const std::filesystem::path& path) { return SpecDraft(read_toml(path)); }

struct Checked {
  std::string resolved;  // as TOML
  std::size_t points;
  int seeds;
};

Checked check(const SpecDraft& draft) {
  return run_apart(py::none(), [copy = draft](Work& work) -> Checked {  // other threads may change it
    const Experiment experiment =
        check_experiment(copy.document(), {}, {.files = copy.files(), .cancelled = work.stopped()});
    return {write_toml(experiment.document), experiment.points.size(), experiment.seeds};
  });
}

}  // namespace

void bind_spec(py::module_& module) {
  py::class_<Checked>(module, "Checked")
      .def_readonly("resolved", &Checked::resolved)
      .def_readonly("points", &Checked::points)
      .def_readonly("seeds", &Checked::seeds);
  py::class_<SpecDraft>(module, "Draft")
      .def(py::init(&from_tables), py::arg("tables"))
      .def_static("from_toml", &from_toml, py::arg("text"), py::arg("name"),
                  py::arg("files") = std::vector<InputFile>(), WithoutPython())
      .def_static("read", &read, py::arg("path"), WithoutPython())
      .def("copy", [](const SpecDraft& draft) { return draft; })
      .def("set", &set, py::arg("key"), py::arg("value"))
      .def("erase", &SpecDraft::erase, py::arg("key"))
      .def("has", &SpecDraft::has, py::arg("key"))
      .def(
          "value",
          [](const SpecDraft& draft, const std::string& key) -> py::object {
            const auto value = draft.value(key);
            return value ? object_of(*value, draft.files()) : py::none();
          },
          py::arg("key"))
      .def("tables", [](const SpecDraft& draft) { return object_of(draft.document(), draft.files()); })
      .def_property_readonly("files", &files_of)
      .def("to_toml", [](const SpecDraft& draft) { return write_toml(draft.document()); })
      .def("check", &check)
      .def("equals", [](const SpecDraft& a, const SpecDraft& b) { return a == b; }, py::arg("other"));
}

}  // namespace headway::python
