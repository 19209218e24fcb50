// SPDX-License-Identifier: Apache-2.0
#include "module.h"

#include "apart.h"
#include "headway/base/version.h"

namespace headway::python {
namespace {

py::object refusal(std::string text) {
  return py::cpp_function(
      [text = std::move(text)](const py::args&, const py::kwargs&) { throw py::type_error(text); });
}

// An object of pybind11 without its C++ value is not safe: a method allocates memory for a value, and reads
// it uninitialised. Only Python's __new__, which copy and pickle use, makes such objects; calling the class
// does not use it. pybind11 also cannot do what pickle does by default under the protocols 0 and 1.
void protect_classes(const py::module_& module) {
  const auto is_static = py::module_::import("builtins").attr("staticmethod");
  for (const auto& [name, value] : py::dict(module.attr("__dict__"))) {
    if (!PyType_Check(value.ptr())) continue;
    auto* const type = reinterpret_cast<PyTypeObject*>(value.ptr());
    const std::string text = py::str(name);
    const newfunc of_call = type->tp_new;
    py::setattr(value, "__new__", is_static(refusal(text + ".__new__ cannot be used")));
    type->tp_new = of_call;
    if (!py::dict(value.attr("__dict__")).contains("__reduce_ex__"))
      py::setattr(value, "__reduce_ex__", refusal("an object of " + text + " cannot be copied or pickled"));
  }
}

}  // namespace

py::tuple pickled(const char* name, const py::object& state) {
  return py::make_tuple(py::module_::import("headway._restored").attr("restored"),
                        py::make_tuple(name, state));
}

}  // namespace headway::python

PYBIND11_MODULE(_headway, module) {
  using namespace headway;
  namespace py = pybind11;
  module.doc() = "The library behind the package headway; import headway instead.";
  module.attr("version") = std::string(version());
  module.attr("git_id") = std::string(git_id());
  python::watch_the_interpreter();
  python::bind_errors(module);
  python::bind_files(module);
  python::bind_spec(module);
  python::bind_results(module);
  python::bind_run(module);
  python::bind_catalogue(module);
  python::bind_papers(module);
  python::bind_pages(module);
  python::bind_remedies(module);
  python::protect_classes(module);
}
