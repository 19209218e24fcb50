// SPDX-License-Identifier: Apache-2.0
// The parts of the page that are equal for all runs. The build generates them from view/viewer/
// (cmake/viewer.cmake).
#pragma once

#include <span>
#include <string_view>

namespace headway::bundle {

extern const std::string_view kTemplate, kStyle;
extern const std::span<const std::string_view> kScript;  // in parts
// SHA-256 as hexadecimal digits, for the Content-Security-Policy.
extern const std::string_view kStyleHash, kScriptHash;

}  // namespace headway::bundle
