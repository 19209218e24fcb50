// SPDX-License-Identifier: Apache-2.0
#include "headway/spec/list_keys.h"

#include <algorithm>
#include <set>
#include <vector>

#include "headway/config/parameters.h"
#include "headway/spec/key_paths.h"
#include "headway/spec/spec_fields.h"

namespace headway {
namespace {

// Collects the paths of the keys that hold lists, without indices, for all members of all families.
class ListKeys final : public PathVisitor<ListKeys> {
 public:
  std::set<std::string> lists;
  std::set<std::string> loads;  // hold lists of pairs of a time and a load

  void visit(const Parameter&, const auto&) {}
  template <class Element>
  void visit(const Parameter& parameter, const std::vector<Element>&) {
    lists.insert(path(parameter));
  }
  void visit(const Parameter& parameter, const NodeSet&) {
    table(parameter, [](SpecFields& fields) { NodeSetKeys().describe(fields); });
  }
  void choice(const Parameter&, ChoiceField& choice) override {
    for (const std::string_view member : choice.names()) choice.describe_default(member, *this);
  }
  void list(const Parameter& parameter, const ListField& list) override {
    lists.insert(path(parameter));
    if (list.size() == 0) list.resize(1);
    table(parameter, [&](SpecFields& fields) { list.describe(0, fields); });
  }
  void load(const Parameter& parameter, std::vector<LoadSpec::Point>&) override {
    loads.insert(path(parameter));
  }
};

ListKeys list_keys() {
  ListKeys keys;
  Spec spec;
  describe(spec, keys);
  spec = SlottedSpec{};
  describe(spec, keys);
  return keys;
}

bool is_array(const Document& value) { return value.get<Document::Array>() != nullptr; }

// [["0 us", 0.1], ["3 ms", 1.0]]
bool is_load_over_time(const Document::Array& values) {
  return std::ranges::all_of(values, [](const Document& value) {
    const auto* pair = value.get<Document::Array>();
    return pair != nullptr && !pair->empty() && !is_array(pair->front());
  });
}

}  // namespace

bool is_list_of_values(const std::string& key, const Document& value) {
  const auto* values = value.get<Document::Array>();
  if (values == nullptr) return false;
  static const ListKeys keys = list_keys();
  const std::string path = without_indices(key);
  if (keys.loads.contains(path)) return !is_load_over_time(*values);
  if (!keys.lists.contains(path) || key.ends_with(']')) return true;
  return !values->empty() && std::ranges::all_of(*values, is_array);
}

}  // namespace headway
