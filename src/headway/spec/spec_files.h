// SPDX-License-Identifier: Apache-2.0
// The files that a spec names: networks, routes, permutations, traces. Their contents determine the results
// of a run as much as the spec does.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "headway/base/input_file.h"
#include "headway/spec/spec.h"

namespace headway {

// In the order of the keys that name them; keys without a file are omitted.
std::vector<InputFile> files_of(const Spec& spec);
// The same with the dotted keys that name them.
struct FileKey {
  std::string key;
  InputFile file;
};
std::vector<FileKey> file_keys_of(const Spec& spec);
// Returns true if the value of this key is a file name. Exactly the keys of files end in "file".
inline bool is_key_of_file(std::string_view key) { return key.ends_with("file"); }
// Only the files of the network and its routes.
std::vector<InputFile> network_files_of(const EventSpec& spec);
// Only the files of the patterns of flows.
std::vector<InputFile> pattern_files_of(const EventSpec& spec);
// Only the files of the program of a job.
std::vector<InputFile> program_files_of(const JobSpec& job);

}  // namespace headway
