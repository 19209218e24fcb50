// SPDX-License-Identifier: Apache-2.0
// The version of Headway. Every result contains these values, so that it can be traced to the code that
// computed it.
#pragma once

#include <string_view>

namespace headway {

// Incremented by every change that alters a simulated number for the same spec and seed; see CHANGELOG.md,
// "Changes results".
inline constexpr int kModelVersion = 8;

// The release, as in "1.0.0".
std::string_view version();

// The commit of this build, with "-dirty" appended if the working tree differed; "unknown" outside a
// checkout.
std::string_view git_id();

// The compiler and its version, as in "gcc 12.2.0".
std::string_view compiler();

// The kind of build, without paths: "Release build for Linux on x86_64, 14 instances of the engine".
std::string_view build();

}  // namespace headway
