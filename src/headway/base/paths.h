// SPDX-License-Identifier: Apache-2.0
// Paths that one file names in another.
#pragma once

#include <string>

namespace headway {

// A path named at a place of a file ("dir/my.toml:3:8"): a relative one is relative to that file's folder. In
// full, so that a resolved spec can be run from anywhere.
std::string path_named_at(const std::string& where, const std::string& named);

// The same file as a user would call it: relative to the working directory where it lies below it.
std::string short_path(const std::string& path);

}  // namespace headway
