// SPDX-License-Identifier: Apache-2.0
// The repository's own files, for tests of its documentation.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "test_paths.h"

namespace headway::test {

inline std::string repository_file(std::string_view path) {
  std::ostringstream content;
  content << std::ifstream(kSourceDir + ("/" + std::string(path))).rdbuf();
  return content.str();
}

}  // namespace headway::test
