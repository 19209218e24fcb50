// SPDX-License-Identifier: Apache-2.0
// A network of any topology as files: the TOML file of topology "file", the routes of algorithm "table", the
// queues of scheme "table", and a spec that uses them and runs like the original (docs/files.md). A starting
// point for changes by hand or by a program.
#pragma once

#include <string>
#include <vector>

#include "headway/spec/spec.h"

namespace headway {

struct ExportedFile {
  std::string name;
  std::string content;
};

// The spec is "spec.toml", and names the others relative to itself. Throws SpecError with everything in the
// network that these files cannot represent; a network of another kernel has none.
std::vector<ExportedFile> export_files(const Spec& spec);

// Throws SpecError for a spec that asks what its network would be like with other links.
void refuse_changes(const EventSpec& spec);

}  // namespace headway
