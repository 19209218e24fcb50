// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headway/base/error.h"
#include "headway/imports/caminos_text.h"
#include "headway/imports/spec_text.h"

namespace headway::imports {

// A number of a configuration as a whole number; the nearest one that a double holds exactly, if it is too
// large.
inline std::int64_t whole_number(double number) {
  constexpr double kMost = 9'007'199'254'740'992;  // 2^53
  return std::isnan(number) ? 0 : static_cast<std::int64_t>(std::clamp(number, -kMost, kMost));
}

// The fields of an object of a configuration of CAMINOS. Those that are not taken are named in the spec, or
// are mistakes.
class CaminosFields {
 public:
  CaminosFields(const CaminosValue& object, Mistakes& mistakes) : object_(object), mistakes_(mistakes) {
    take("legend_name");
  }

  const CaminosValue* take(std::string_view key);  // null if there is none
  double number(std::string_view key, double otherwise);
  std::int64_t whole(std::string_view key, std::int64_t otherwise);
  std::vector<std::int64_t> wholes(std::string_view key);  // a list of numbers, which must be there
  // The values of a key that must be there, one of each experiment.
  std::vector<CaminosValue> experiments(std::string_view key);
  std::optional<double> number_of(std::string_view key, const CaminosValue& value);
  void wrong(std::string_view key, const std::string& where, std::string message, std::string hint);

  // Names keys that begin so in the spec.
  void without(std::initializer_list<std::string_view> starts, std::string_view why, SpecText& spec);
  // Names in the spec what it does not say; reports keys that are not known.
  void name_others(SpecText& spec);

 private:
  const CaminosValue& object_;
  Mistakes& mistakes_;
  std::vector<std::string_view> known_;
};

}  // namespace headway::imports
