// SPDX-License-Identifier: Apache-2.0
#include "headway/spec/spec_files.h"

#include "headway/config/parameters.h"

namespace headway {
namespace {

struct Files final : PathVisitor<Files> {
  std::vector<FileKey> found;

  void visit(const Parameter&, const auto&) {}
  void visit(const Parameter& parameter, const InputFile& value) {
    if (value.named()) found.push_back({path(parameter), value});
  }
};

}  // namespace

std::vector<FileKey> file_keys_of(const Spec& spec) {
  Spec visited = spec;  // describe needs a mutable spec
  return file_keys_of([&](SpecFields& fields) { describe(visited, fields); });
}

std::vector<FileKey> file_keys_of(const SpecFields::Describe& describe) {
  Files files;
  describe(files);
  return std::move(files.found);
}

}  // namespace headway
