// SPDX-License-Identifier: Apache-2.0
// Pages of runs in directories (python/headway/pages.py).
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "apart.h"
#include "headway/view/stored_run.h"
#include "module.h"

namespace headway::python {
namespace {

// `runs` has the directory of each run and the number of its point, from 0.
py::bytes page(const std::vector<std::pair<std::filesystem::path, std::size_t>>& runs) {
  return run_apart(py::none(), [runs](Work& work) {
    std::vector<StoredRun> stored;
    for (const auto& [directory, point] : runs) {
      stored.push_back(stored_run(directory, point));
      work.look();
    }
    return view_page(std::move(stored));
  });
}

}  // namespace

void bind_pages(py::module_& module) { module.def("page", &page, py::arg("runs")); }

}  // namespace headway::python
