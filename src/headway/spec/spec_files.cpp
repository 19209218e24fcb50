// SPDX-License-Identifier: Apache-2.0
#include "headway/spec/spec_files.h"

#include "headway/config/parameters.h"
#include "headway/spec/spec_fields.h"

namespace headway {
namespace {

struct Files final : PathVisitor<Files> {
  std::vector<FileKey> found;

  void visit(const Parameter&, const auto&) {}
  void visit(const Parameter& parameter, const InputFile& value) {
    if (value.named()) found.push_back({path(parameter), value});
  }
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

std::vector<InputFile> program_files_of(const JobSpec& job) {
  Files files;
  Choice<ProgramKind> program = job.program;
  program->describe(files);
  for (Choice<ProgramKind> part : job.parts) part->describe(files);
  return files_alone(files.found);
}

}  // namespace headway
