// SPDX-License-Identifier: Apache-2.0
#include "headway/spec/spec_files.h"

#include <concepts>

#include "headway/config/parameter_visitor.h"
#include "headway/spec/spec_fields.h"

namespace headway {
namespace {

class Files final : public ParameterVisitor<Files, SpecFields> {
 public:
  template <class V>
  void visit(const Parameter&, const V& value) {
    if constexpr (std::same_as<V, InputFile>)
      if (value.named()) found.push_back(value);
  }
  void choice(const Parameter&, ChoiceField& choice) override { choice.describe(*this); }
  void table(const Parameter&, const Describe& describe) override { describe(*this); }
  void list(const Parameter&, const ListField& list) override {
    for (std::size_t i = 0; i < list.size(); ++i) list.describe(i, *this);
  }
  void load(const Parameter&, std::vector<LoadSpec::Point>&) override {}

  std::vector<InputFile> found;
};

}  // namespace

std::vector<InputFile> files_of(const Spec& spec) {
  Files files;
  Spec visited = spec;  // describe needs a mutable spec
  describe(visited, files);
  return files.found;
}

std::vector<InputFile> network_files_of(const EventSpec& spec) {
  Files files;
  Choice<Topology> topology = spec.network.topology;
  Choice<Routing> algorithm = spec.routing.algorithm;
  topology->describe(files);
  algorithm->describe(files);
  return files.found;
}

}  // namespace headway
