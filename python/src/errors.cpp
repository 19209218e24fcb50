// SPDX-License-Identifier: Apache-2.0
// Translates exceptions of the library to Python. Their classes are in python/headway/errors.py.
#include <pybind11/stl.h>

#include <exception>
#include <system_error>

#include "headway/base/error.h"
#include "headway/base/visible.h"
#include "headway/run/results.h"
#include "module.h"

namespace headway::python {
namespace {

void set_spec_error(const SpecError& error) {
  const py::module_ errors = py::module_::import("headway.errors");
  py::list mistakes;
  for (const Mistake& mistake : error.mistakes())
    mistakes.append(errors.attr("Mistake")(visible(mistake.key), visible(mistake.message),
                                           visible(mistake.hint), visible(mistake.where),
                                           py::tuple(py::cast(mistake.valid)), mistake.nearest));
  const py::object type = errors.attr("SpecError");
  PyErr_SetObject(type.ptr(), type(mistakes).ptr());
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const SpecError& error) {
    set_spec_error(error);
  } catch (const InvariantError& error) {
    PyErr_SetString(py::module_::import("headway.errors").attr("InvariantError").ptr(), error.what());
  } catch (const NoResult& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const std::system_error& error) {
    const py::tuple arguments = py::make_tuple(error.code().value(), visible(error.what()));
    PyErr_SetObject(PyExc_OSError, arguments.ptr());
  }
}

}  // namespace

void bind_errors(py::module_&) { py::register_exception_translator(translate); }

}  // namespace headway::python
