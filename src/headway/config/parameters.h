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
#include <vector>

#include "headway/base/units.h"
#include "headway/config/names.h"
#include "headway/config/node_set.h"

namespace headway {

class InputFile;  // input_file.h

// The description of one parameter. Its default is the value of the field in a default-constructed struct.
struct Parameter {
  std::string_view name;
  std::string_view help;
  std::optional<double> at_least = {};  // inclusive bounds, for numbers and quantities (bytes, ns, bytes/ns)
  std::optional<double> at_most = {};
  std::optional<double> above = {};  // exclusive lower bound
  // For strings: the valid values; empty if any text is valid.
  std::span<const std::string_view> choices = {};
};

// Visits the parameters of a struct in order. Readers set the fields from a document; writers and documenters
// read them. There are no other field types.
class Parameters {
 public:
  virtual ~Parameters() = default;
  virtual void field(const Parameter& parameter, bool& value) = 0;
  virtual void field(const Parameter& parameter, std::int64_t& value) = 0;
  virtual void field(const Parameter& parameter, double& value) = 0;
  virtual void field(const Parameter& parameter, std::string& value) = 0;
  // a relative path is relative to the file that names it
  virtual void field(const Parameter& parameter, InputFile& value) = 0;
  virtual void field(const Parameter& parameter, Bytes& value) = 0;
  virtual void field(const Parameter& parameter, Duration& value) = 0;
  virtual void field(const Parameter& parameter, Rate& value) = 0;
  virtual void field(const Parameter& parameter, std::optional<std::int64_t>& value) = 0;
  virtual void field(const Parameter& parameter, std::optional<double>& value) = 0;
  virtual void field(const Parameter& parameter, std::optional<Bytes>& value) = 0;
  virtual void field(const Parameter& parameter, std::optional<Duration>& value) = 0;
  virtual void field(const Parameter& parameter, std::vector<std::int64_t>& value) = 0;
  virtual void field(const Parameter& parameter, std::vector<double>& value) = 0;
  virtual void field(const Parameter& parameter, NodeSet& value) = 0;
  // a set of the choices, without duplicates
  virtual void field(const Parameter& parameter, std::vector<std::string>& value) = 0;

  // An enumeration is read and written by the names of its values.
  template <class E>
    requires std::is_enum_v<E>
  void field(Parameter parameter, E& value) {
    parameter.choices = Names<E>::kList;
    std::string text(name_of(value));
    field(parameter, text);
    value = value_of<E>(text).value_or(value);
  }
};

}  // namespace headway
