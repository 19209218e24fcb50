// SPDX-License-Identifier: Apache-2.0
// Paths of files that are named in other files.
#pragma once

#include <string>

namespace headway {

// The absolute path of a file named at `where` ("dir/my.toml:3:8"). A relative path is relative to the
// directory of that file. The result is absolute so that a resolved spec can be run from any directory.
std::string path_named_at(const std::string& where, const std::string& named);

// A short name for the user: relative to the working directory if the file is below it.
std::string short_path(const std::string& path);

}  // namespace headway
