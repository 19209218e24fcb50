// SPDX-License-Identifier: Apache-2.0
#include "module.h"

#include "apart.h"
#include "headway/base/version.h"

PYBIND11_MODULE(_headway, module) {
  using namespace headway;
  namespace py = pybind11;
  module.doc() = "The library behind the package headway; import headway instead.";
  module.attr("version") = std::string(version());
  module.attr("git_id") = std::string(git_id());
  py::module_::import("atexit").attr("register")(py::cpp_function(&python::wait_for_work_left_behind));
  python::bind_errors(module);
  python::bind_files(module);
  python::bind_spec(module);
  python::bind_results(module);
  python::bind_run(module);
  python::bind_catalogue(module);
  python::bind_papers(module);
  python::bind_pages(module);
}
