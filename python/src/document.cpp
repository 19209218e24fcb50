// SPDX-License-Identifier: Apache-2.0
// Converts values of a spec to and from Python.
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "headway/base/error.h"
#include "headway/base/visible.h"
#include "headway/spec/spec_files.h"
#include "module.h"

namespace headway::python {
namespace {

constexpr int kMostLevels = 32;  // as in a spec file

[[noreturn]] void refuse(const std::string& key, std::string message, std::string hint = "") {
  throw SpecError({{key, std::move(message), std::move(hint), ""}});
}

std::string text_of(py::handle value, const std::string& key) {
  Py_ssize_t size = 0;
  const char* const text = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
  if (text == nullptr) {
    PyErr_Clear();
    refuse(key, "is not valid text", "a spec can only contain text that UTF-8 can encode");
  }
  return {text, static_cast<std::size_t>(size)};
}

// Takes the result of a C function of Python, which is null if the function raised.
py::object result_of(PyObject* object) {
  if (object == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(object);
}

Document whole_number(py::handle value, const std::string& key) {
  const py::object number = result_of(PyNumber_Index(value.ptr()));
  int overflow = 0;
  const long long small = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow != 0) refuse(key, "is too large", "a whole number has 64 bits");
  return Document(static_cast<std::int64_t>(small));
}

// An element of a list is a value of an axis of a sweep.
bool takes_files(std::string_view key) {
  if (key.ends_with(']')) key = key.substr(0, key.rfind('['));
  return is_key_of_file(key);
}

class Converter {
 public:
  explicit Converter(MemoryFiles& files) : files_(files) {}

  Document document(py::handle value, const std::string& key) {
    if (level_ >= kMostLevels) refuse(key.substr(0, 80), "tables and lists are nested more than 32 deep");
    ++level_;
    Document converted = convert(value, key);
    --level_;
    return converted;
  }

 private:
  Document convert(py::handle value, const std::string& key) {
    PyObject* const object = value.ptr();
    if (PyBool_Check(object)) return Document(object == Py_True);
    if (PyUnicode_Check(object)) return Document(text_of(value, key));
    if (PyFloat_Check(object)) return Document(PyFloat_AS_DOUBLE(object));
    if (PyLong_Check(object)) return whole_number(value, key);
    if (PyDict_Check(object)) return table(py::reinterpret_borrow<py::dict>(value), key);
    if (PyList_Check(object) || PyTuple_Check(object) || PyRange_Check(object)) return list(value, key);
    if (takes_files(key))
      if (auto file = content(value, key)) return std::move(*file);
    if (py::hasattr(value, "tolist") && py::hasattr(value, "dtype"))  // an array or a number of NumPy
      return document(value.attr("tolist")(), key);
    if (py::hasattr(value, "__fspath__")) return document(result_of(PyOS_FSPath(object)), key);
    if (PyIndex_Check(object)) return whole_number(value, key);
    throw py::type_error((key.empty() ? "a spec" : visible(key)) +
                         " must be a dict, a list, a text, a number or a bool, not " +
                         std::string(py::str(py::type::of(value).attr("__name__"))) +
                         instead_of_function(value, key));
  }

  // A function cannot be a pattern, a routing or a scheme; these members take what it would return.
  static std::string instead_of_function(py::handle value, const std::string& key) {
    if (PyCallable_Check(value.ptr()) == 0) return "";
    if (key.ends_with("pattern")) return "; pattern = \"matrix\" takes an array of loads as its file";
    if (key.ends_with("algorithm")) return "; algorithm = \"table\" takes an array of ports as its file";
    if (key.ends_with("scheme")) return "; scheme = \"table\" takes an array of queues as its file";
    return "";
  }

  // Empty if the value is not the content of a file.
  std::optional<Document> content(py::handle value, const std::string& key) {
    const py::object file = py::module_::import("headway.files").attr("file_of")(value, key);
    if (file.is_none()) return std::nullopt;
    const auto& in_memory = file.cast<const InputFile&>();
    files_.emplace(in_memory.path(), in_memory);
    return Document(in_memory.path());
  }

  Document table(const py::dict& given, const std::string& key) {
    Document::Table table;
    // a copy, because the conversion of a value can run user code that changes the dict
    const auto members = py::dict(result_of(PyDict_Copy(given.ptr())));
    for (const auto& [name, value] : members) {
      if (!PyUnicode_Check(name.ptr()))
        throw py::type_error("the keys of " + (key.empty() ? "a spec" : visible(key)) + " must be texts");
      std::string member = text_of(name, key);
      Document content = document(value, key.empty() ? member : key + '.' + member);
      table.push_back({std::move(member), "", std::move(content)});
    }
    return Document(std::move(table));
  }

  Document list(py::handle values, const std::string& key) {
    Document::Array elements;
    std::size_t number = 0;
    for (const py::handle value : values)
      elements.push_back(document(value, key + '[' + std::to_string(number++) + ']'));
    return Document(std::move(elements));
  }

  MemoryFiles& files_;
  int level_ = 0;
};

}  // namespace

Document document_of(py::handle value, const std::string& key, MemoryFiles& files) {
  return Converter(files).document(value, key);
}

py::object object_of(const Document& document, const MemoryFiles& files) {
  if (const auto* table = document.get<Document::Table>()) {
    py::dict members;
    for (const Document::Member& member : *table)
      members[py::str(member.name)] = object_of(member.value, files);
    return members;
  }
  if (const auto* array = document.get<Document::Array>()) {
    py::list elements;
    for (const Document& element : *array) elements.append(object_of(element, files));
    return elements;
  }
  if (const auto* flag = document.get<bool>()) return py::bool_(*flag);
  if (const auto* number = document.get<std::int64_t>()) return py::int_(*number);
  if (const auto* number = document.get<double>()) return py::float_(*number);
  const auto& text = std::get<std::string>(document.value);
  if (const auto file = files.find(text); file != files.end())
    return py::module_::import("headway.files").attr("File")(file->second);
  return py::str(text);
}

}  // namespace headway::python
