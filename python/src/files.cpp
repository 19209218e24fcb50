// SPDX-License-Identifier: Apache-2.0
// Files in memory, made by Python (python/headway/files.py).
#include "headway/base/input_file.h"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <string>

#include "apart.h"
#include "headway/io/atomic_file.h"
#include "module.h"

namespace headway::python {
namespace {

InputFile file(const std::string& stem, const std::string& suffix, const py::bytes& content) {
  std::string copy(content);
  const Released released;
  return InputFile::in_memory(stem, suffix, std::move(copy));
}

// The name is STEM-HASH.SUFFIX.
py::tuple stored_file(const InputFile& file) {
  const std::string& name = file.path();
  return py::make_tuple(name.substr(0, name.rfind('-')), name.substr(name.rfind('.') + 1),
                        py::bytes(*file.content()));
}

InputFile restored_file(const py::tuple& state) {
  if (state.size() != 3) throw py::value_error("not a file in memory");
  return file(state[0].cast<std::string>(), state[1].cast<std::string>(), state[2].cast<py::bytes>());
}

void write(const std::filesystem::path& path, const py::bytes& content) {
  const std::string copy(content);
  const Released released;
  write_file(path, copy);
}

}  // namespace

void bind_files(py::module_& module) {
  py::class_<InputFile>(module, "File")
      .def(py::init(&file), py::arg("stem"), py::arg("suffix"), py::arg("content"))
      .def_property_readonly("name", &InputFile::path)
      .def_property_readonly("content", [](const InputFile& file) { return py::bytes(*file.content()); })
      .def("__reduce_ex__",
           [](const InputFile& file, const py::object&) { return pickled("File", stored_file(file)); })
      .def_static("_restored", &restored_file);
  module.def("write_file", &write, py::arg("path"), py::arg("content"));
}

}  // namespace headway::python
