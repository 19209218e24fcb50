// SPDX-License-Identifier: Apache-2.0
#include "headway/spec/spec_files.h"

#include <fmt/format.h>

#include <concepts>
#include <utility>

#include "headway/config/parameters.h"
#include "headway/spec/spec_fields.h"

namespace headway {
namespace {

class Files final : public ParameterVisitor<Files, SpecFields> {
 public:
  template <class V>
  void visit(const Parameter& parameter, const V& value) {
    if constexpr (std::same_as<V, InputFile>)
      if (value.named()) found.push_back({path_ + std::string(parameter.name), value});
  }
  void choice(const Parameter&, ChoiceField& choice) override { choice.describe(*this); }
  void table(const Parameter& parameter, const Describe& describe) override {
    within(std::string(parameter.name), [&] { describe(*this); });
  }
  void list(const Parameter& parameter, const ListField& list) override {
    for (std::size_t i = 0; i < list.size(); ++i)
      within(fmt::format("{}[{}]", parameter.name, i), [&] { list.describe(i, *this); });
  }
  void load(const Parameter&, std::vector<LoadSpec::Point>&) override {}
  void name(const Parameter&, std::optional<std::string>&) override {}

  std::vector<FileKey> found;

 private:
  void within(const std::string& name, const auto& visit_inside) {
    const std::string outer = std::exchange(path_, path_ + name + '.');
    visit_inside();
    path_ = outer;
  }

  std::string path_;
};

std::vector<InputFile> files_alone(const std::vector<FileKey>& found) {
  std::vector<InputFile> files;
  for (const FileKey& named : found) files.push_back(named.file);
  return files;
}

}  // namespace

std::vector<FileKey> file_keys_of(const Spec& spec) {
  Files files;
  Spec visited = spec;  // describe needs a mutable spec
  describe(visited, files);
  return files.found;
}

std::vector<InputFile> files_of(const Spec& spec) { return files_alone(file_keys_of(spec)); }

std::vector<InputFile> network_files_of(const EventSpec& spec) {
  Files files;
  Choice<Topology> topology = spec.network.topology;
  Choice<Routing> algorithm = spec.routing.algorithm;
  topology->describe(files);
  algorithm->describe(files);
  return files_alone(files.found);
}

std::vector<InputFile> pattern_files_of(const EventSpec& spec) {
  Files files;
  for (const FlowSpec& flow : spec.traffic.flows) {
    Choice<Pattern> pattern = flow.pattern;
    pattern->describe(files);
  }
  return files_alone(files.found);
}

}  // namespace headway
