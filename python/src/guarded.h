// SPDX-License-Identifier: Apache-2.0
// Long work without the interpreter, which can call back into it.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>

#include "headway/base/cancel.h"
#include "module.h"

namespace headway::python {

// The functions other than `run` are for the thread that runs, and throw Cancelled if Python raises. `run`
// then raises what Python raised.
class Guarded {
 public:
  template <class Work>
  void run(Work&& work) {
    try {
      const py::gil_scoped_release released;
      work();
    } catch (const Cancelled&) {
      if (!raised_) throw;
    }
    if (raised_) throw py::error_already_set(*raised_);
  }

  // Ctrl-C is an exception of Python, in its main thread.
  void look_at_signals() {
    const py::gil_scoped_acquire acquired;
    check_signals();
  }

  // Calls a function of Python unless it is None.
  template <class... Arguments>
  void call(const py::object& function, Arguments... arguments) {
    const py::gil_scoped_acquire acquired;
    check_signals();
    if (function.is_none()) return;
    try {
      function(arguments...);
    } catch (const py::error_already_set& error) {
      raised_.emplace(error);
      throw Cancelled{};
    }
  }

 private:
  void check_signals() {
    if (PyErr_CheckSignals() == 0) return;
    raised_.emplace();
    throw Cancelled{};
  }

  std::optional<py::error_already_set> raised_;  // made and destroyed with the interpreter
};

}  // namespace headway::python
