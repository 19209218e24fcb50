// SPDX-License-Identifier: Apache-2.0
// The files that a spec names: networks, routes, permutations, traces. Their contents determine the results
// of a run as much as the spec does.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "headway/base/input_file.h"
#include "headway/spec/spec.h"
#include "headway/spec/spec_fields.h"

namespace headway {

// A file, and the dotted key that names it.
struct FileKey {
  std::string key;
  InputFile file;
};
// In the order of the keys; keys without a file are omitted.
std::vector<FileKey> file_keys_of(const Spec& spec);
std::vector<FileKey> file_keys_of(const SpecFields::Describe& describe);
// Returns true if the value of this key is a file name. Exactly the keys of files end in "file".
inline bool is_key_of_file(std::string_view key) { return key.ends_with("file"); }

}  // namespace headway
