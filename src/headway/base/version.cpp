// SPDX-License-Identifier: Apache-2.0
// Only this file includes the version that the build writes (cmake/version.cmake), so a new commit recompiles
// only this file.
#include "headway/base/version.h"

#include "git_id.h"

namespace headway {

std::string_view version() { return HEADWAY_VERSION; }

std::string_view git_id() { return kGitId; }

std::string_view build() { return HEADWAY_BUILD; }

std::string_view compiler() {
#ifdef __clang__
  return "clang " __clang_version__;
#else
  return "gcc " __VERSION__;
#endif
}

}  // namespace headway
