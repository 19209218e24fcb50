// SPDX-License-Identifier: Apache-2.0
// All families of extension points in one list, independent of their types: for `list`, `explain`,
// docs/families.md and the shell completions.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headway/catalogue/parameter_row.h"
#include "headway/config/parameters.h"

namespace headway::catalogue {

struct Member {
  std::string_view name;
  std::string_view help;
  std::string_view source;
  std::function<void(Parameters&)> describe;  // visits its parameters with default values
};

struct Family {
  std::string_view name;   // "schemes"
  std::string_view title;  // "Queueing schemes"
  std::string_view key;    // key of the spec that chooses a member: "switch.scheme"
  std::string_view help;
  std::vector<Member> members;
};

std::span<const Family> families();
std::vector<std::string_view> family_names();

// "routings", "routing", "algorithm" and "routing.algorithm" are the same family.
bool is_called(const Family& family, std::string_view word);

std::vector<ParameterRow> parameter_rows(const std::function<void(Parameters&)>& describe);

}  // namespace headway::catalogue
