// SPDX-License-Identifier: Apache-2.0
// The index of names: everything that has a name here, and what it is. `explain`, `list`, "did you mean", the
// shell completions, the JSON Schema and the generated pages ask it. What has a name is described where it is
// defined: keys and families in spec/, metrics and tables in metrics/, the words of other tools in
// other_names.cpp. Commands are above this folder (cli/command.h).
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "headway/catalogue/parameter_row.h"
#include "headway/config/parameters.h"
#include "headway/metrics/metric.h"
#include "headway/metrics/tables.h"
#include "headway/spec/spec_fields.h"

namespace headway::catalogue {

using Member = ChoiceField::Member;

struct Family {
  std::string_view name;   // "schemes"
  std::string_view title;  // "Queueing schemes"
  std::string key;         // key of the spec that chooses a member: "switch.scheme"
  std::string_view help;   // of the key
  std::vector<Member> members;
};

std::span<const Family> families();
std::vector<std::string_view> family_names();

// "routings", "routing", "algorithm" and "routing.algorithm" are the same family.
bool is_called(const Family& family, std::string_view word);

std::vector<ParameterRow> parameter_rows(const std::function<void(Parameters&)>& describe);

struct Key {
  std::string path;            // "switch.input_memory", "traffic.flow.load"
  ParameterRow row;            // row.name is the last part of the path
  std::string only_with = {};  // choice that the key needs: "switch.scheme = dbbm or obqa"; empty: none
};

// First the keys in the order of a spec file, then the parameters of the members of families.
std::span<const Key> keys();

// A key and its values that are names.
struct NamedValues {
  std::string key;
  std::vector<std::string_view> names;
};
// All keys for `--set KEY=`, which are not tables.
std::vector<NamedValues> settings();
// Keys whose values are names without parameters of their own: switch.arbiter, also called arbiter and
// arbiters. Without a word: all of them.
std::vector<NamedValues> named_values(const std::optional<std::string>& word);

// One meaning of a name.
struct MemberOf {
  const Family* family = nullptr;
  const Member* member = nullptr;
};
struct ValueOf {
  std::string key;
};
enum class Word { status, limited_by };  // what headway why, run and saturation say of a run
using Meaning = std::variant<const Key*, MemberOf, const Metric*, const TableKind*, Word, ValueOf>;

struct Name {
  std::string_view name;  // of a key: its path
  Meaning meaning;
};

// All names, in the order in which `headway explain` shows the meanings of a word.
std::span<const Name> names();

// The names, each once: what `headway explain` accepts and is ours.
std::vector<std::string_view> topics();

}  // namespace headway::catalogue
