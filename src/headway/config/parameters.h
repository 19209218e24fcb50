// SPDX-License-Identifier: Apache-2.0
// The description of parameters: one `describe` per parameter struct drives parsing, validation, the resolved
// spec, `headway explain` and the generated docs, so that these stay consistent (as in ripgrep's flags and
// Stim's gates).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "headway/base/units.h"
#include "headway/config/names.h"
#include "headway/config/node_set.h"

namespace headway {

class InputFile;  // input_file.h

// The bounds of numbers and quantities (bytes, ns, bytes/ns).
struct Bounds {
  std::optional<double> at_least = {};
  std::optional<double> above = {};  // exclusive
  std::optional<double> at_most = {};

  static constexpr Bounds from(double least, double most) { return {.at_least = least, .at_most = most}; }
  static constexpr Bounds over(double lower, double most) { return {.above = lower, .at_most = most}; }
};

// The description of one parameter. Its default is the value of the field in a default-constructed struct.
struct Parameter {
  std::string_view name;
  std::string_view help;
  Bounds bounds = {};
  // For strings: the valid values; empty if any text is valid.
  std::span<const std::string_view> choices = {};
};

// The field of a parameter; there are no other types of fields. A vector of texts is a set of the choices,
// without duplicates. An optional text is the name of an element of a list. A relative path of a file is
// relative to the file that names it.
using FieldRef =
    std::variant<bool*, std::int64_t*, double*, std::string*, InputFile*, Bytes*, Duration*, Rate*,
                 std::optional<std::int64_t>*, std::optional<double>*, std::optional<Bytes>*,
                 std::optional<Duration>*, std::optional<std::string>*, std::vector<std::int64_t>*,
                 std::vector<double>*, NodeSet*, std::vector<std::string>*>;

// Visits the parameters of a struct in order. Readers set the fields from a document; writers and documenters
// read them.
class Parameters {
 public:
  virtual ~Parameters() = default;

  template <class V>
  void field(const Parameter& parameter, V& value) {
    take(parameter, &value);
  }
  // An enumeration is read and written by the names of its values.
  template <class E>
    requires std::is_enum_v<E>
  void field(const Parameter& parameter, E& value) {
    std::string text(name_of(value));
    take(with_choices<E>(parameter), &text);
    value = value_of<E>(text).value_or(value);
  }

 private:
  virtual void take(const Parameter& parameter, FieldRef field) = 0;

  template <class E>
  static Parameter with_choices(Parameter parameter) {
    parameter.choices = kNames<E>;
    return parameter;
  }
};

// A visitor with a function per type: Derived has functions or templates visit(const Parameter&, V&). Base is
// Parameters or an interface derived from it.
template <class Derived, class Base = Parameters>
class ParameterVisitor : public Base {
  void take(const Parameter& parameter, FieldRef field) final {
    std::visit([&](auto* value) { static_cast<Derived&>(*this).visit(parameter, *value); }, field);
  }
};

// Calls visit(parameter, value) for each parameter.
template <class Visit>
class EachParameter final : public ParameterVisitor<EachParameter<Visit>> {
 public:
  explicit EachParameter(Visit visit) : visit_(std::move(visit)) {}
  void visit(const Parameter& parameter, auto& value) { visit_(parameter, value); }

 private:
  Visit visit_;
};

}  // namespace headway
