// SPDX-License-Identifier: Apache-2.0
#include "headway/spec/key_paths.h"

#include <algorithm>

#include "headway/spec/spec_fields.h"

namespace headway {
namespace {

class KeyPaths final : public PathVisitor<KeyPaths> {
 public:
  std::vector<std::string> paths;

  void visit(const Parameter& parameter, auto&) { add(parameter); }
  void choice(const Parameter& parameter, ChoiceField& choice) override {
    add(parameter);
    for (const std::string_view member : choice.names()) choice.describe_default(member, *this);
  }
  void table(const Parameter& parameter, const Describe& describe) override {
    add(parameter);
    PathVisitor::table(parameter, describe);
  }
  void list(const Parameter& parameter, const ListField& list) override {
    add(parameter);
    if (list.size() == 0) list.resize(1);
    within(path(parameter), [&](SpecFields& fields) { list.describe(0, fields); });
  }
  void load(const Parameter& parameter, std::vector<LoadSpec::Point>&) override { add(parameter); }

 private:
  // Members can share a parameter.
  void add(const Parameter& parameter) {
    std::string added = path(parameter);
    if (std::ranges::find(paths, added) == paths.end()) paths.push_back(std::move(added));
  }
};

}  // namespace

std::vector<std::string> keys_called(std::string_view name) {
  for (Spec spec : {Spec(EventSpec{}), Spec(SlottedSpec{})}) {
    KeyPaths visitor;
    describe(spec, visitor);
    std::erase_if(visitor.paths, [&](const std::string& path) {
      return std::string_view(path).substr(path.rfind('.') + 1) != name;
    });
    if (!visitor.paths.empty()) return std::move(visitor.paths);
  }
  return {};
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
