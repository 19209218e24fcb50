// SPDX-License-Identifier: Apache-2.0
// Which Headway made a result: every result carries these, so that a number can be traced to the code that
// made it.
#pragma once

#include <string_view>

namespace headway {

// Raised by any change that alters a simulated number for the same spec and seed; CHANGELOG.md, "Changes
// results".
inline constexpr int kModelVersion = 2;

// The release, as in "0.1.0".
std::string_view version();

// The commit this was built from, with "-dirty" after it when the working tree differed; "unknown" outside a
// checkout.
std::string_view git_id();

// The compiler and its version, as in "gcc 12.2.0".
std::string_view compiler();

}  // namespace headway
