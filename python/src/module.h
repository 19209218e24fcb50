// SPDX-License-Identifier: Apache-2.0
// The module headway._headway: bindings of the parts of the library that the package headway needs, with as
// little logic as possible. The public interface is in Python (python/headway).
#pragma once

#include <pybind11/pybind11.h>

#include "headway/base/input_file.h"
#include "headway/config/document.h"

namespace headway::python {

namespace py = pybind11;

void bind_errors(py::module_& module);
void bind_files(py::module_& module);
void bind_spec(py::module_& module);
void bind_results(py::module_& module);
void bind_run(py::module_& module);
void bind_catalogue(py::module_& module);
void bind_papers(py::module_& module);
void bind_pages(py::module_& module);
void bind_remedies(py::module_& module);

// What __reduce_ex__ of a class returns: its static method _restored makes the object from the state.
py::tuple pickled(const char* name, const py::object& state);

// A value of a spec from Python: dict, list, tuple, NumPy array, bool, int, float, str, or a path. `key` is
// its dotted key, for errors. Throws TypeError for other types, and SpecError for numbers and names that a
// spec cannot hold. If the key names a file and the value is not a name, the value becomes a file in memory
// (python/headway/files.py), which is added to `files`.
Document document_of(py::handle value, const std::string& key, MemoryFiles& files);
// The reverse: gives dict, list, bool, int, float, str, and File for the names in `files`.
py::object object_of(const Document& document, const MemoryFiles& files);

}  // namespace headway::python
