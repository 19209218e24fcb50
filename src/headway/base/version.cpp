// SPDX-License-Identifier: Apache-2.0
// The only file that sees what the build writes (cmake/version.cmake), so a new commit recompiles this file
// alone.
#include "headway/base/version.h"

#include "git_id.h"

namespace headway {

std::string_view version() { return HEADWAY_VERSION; }

std::string_view git_id() { return kGitId; }

std::string_view compiler() {
#ifdef __clang__
  return "clang " __clang_version__;
#else
  return "gcc " __VERSION__;
#endif
}

}  // namespace headway
