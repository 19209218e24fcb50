// SPDX-License-Identifier: Apache-2.0
#include "headway/spec/key_paths.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "headway/spec/spec_fields.h"

namespace headway {
namespace {

// The keys of a kernel, with the parameters of all members of all families.
class KeyPaths final : public PathVisitor<KeyPaths> {
 public:
  explicit KeyPaths(Spec spec) { describe(spec, *this); }

  std::vector<std::string> paths;
  std::set<std::string> lists;  // hold lists
  std::set<std::string> loads;  // hold lists of pairs of a time and a load

  void visit(const Parameter& parameter, const auto&) { add(parameter); }
  template <class Element>
  void visit(const Parameter& parameter, const std::vector<Element>&) {
    lists.insert(add(parameter));
  }
  void visit(const Parameter& parameter, const NodeSet&) { lists.insert(add(parameter) + ".nodes"); }
  void choice(const Parameter& parameter, ChoiceField& choice) override {
    add(parameter);
    for (const ChoiceField::Member& member : choice.members()) member.describe(*this);
  }
  void table(const Parameter& parameter, const Describe& describe) override {
    add(parameter);
    PathVisitor::table(parameter, describe);
  }
  void list(const Parameter& parameter, const ListField& list) override {
    lists.insert(add(parameter));
    if (list.size() == 0) list.resize(1);
    within(path(parameter), [&](SpecFields& fields) { list.describe(0, fields); });
  }
  void load(const Parameter& parameter, std::vector<LoadSpec::Point>&) override {
    loads.insert(add(parameter));
  }

 private:
  // Members can share a parameter.
  std::string add(const Parameter& parameter) {
    std::string added = path(parameter);
    if (std::ranges::find(paths, added) == paths.end()) paths.push_back(added);
    return added;
  }
};

// [kernel]
const std::vector<KeyPaths>& all_keys() {
  static const std::vector<Spec> specs = specs_of_kernels();
  static const std::vector<KeyPaths> keys(specs.begin(), specs.end());
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

std::vector<std::string> keys_called(std::string_view name) {
  std::vector<std::string> called;
  for (const KeyPaths& keys : all_keys()) {
    std::ranges::copy_if(keys.paths, std::back_inserter(called),
                         [&](std::string_view path) { return path.substr(path.rfind('.') + 1) == name; });
    if (!called.empty()) break;
  }
  return called;
}

bool is_key(std::string_view path) {
  const std::vector<std::string>& paths = all_keys().front().paths;
  return std::ranges::find(paths, path) != paths.end();
}

bool is_list_of_values(const std::string& key, const Document& value) {
  const auto* values = value.get<Document::Array>();
  if (values == nullptr) return false;
  const auto is_in = [path = without_indices(key)](std::set<std::string> KeyPaths::* keys) {
    return std::ranges::any_of(all_keys(), [&](const KeyPaths& all) { return (all.*keys).contains(path); });
  };
  if (is_in(&KeyPaths::loads)) return !is_load_over_time(*values);
  if (!is_in(&KeyPaths::lists) || key.ends_with(']')) return true;
  return !values->empty() && std::ranges::all_of(*values, is_array);
}

std::string without_indices(std::string_view path) {
  std::string text;
  for (bool inside = false; const char c : path) {
    inside = (inside || c == '[') && c != ']';
    if (!inside && c != ']') text += c;
  }
  return text;
}

}  // namespace headway
