// SPDX-License-Identifier: Apache-2.0
#include "module.h"

#include "headway/base/version.h"

PYBIND11_MODULE(_headway, module) {
  using namespace headway;
  module.doc() = "The library behind the package headway; import headway instead.";
  module.attr("version") = std::string(version());
  module.attr("git_id") = std::string(git_id());
  python::bind_errors(module);
  python::bind_spec(module);
  python::bind_results(module);
  python::bind_run(module);
  python::bind_catalogue(module);
  python::bind_papers(module);
}
