// SPDX-License-Identifier: Apache-2.0
// Shared by the files that compute metrics: units and missing values.
#pragma once

#include <limits>
#include <string_view>

namespace headway {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();  // a missing value

// Units.
inline constexpr std::string_view kNumber = "–";   // identifies something
inline constexpr std::string_view kName = "name";  // identifies something by a name in each cell
inline constexpr std::string_view kMessages = "messages";
inline constexpr std::string_view kLoad = "fraction of link rate";
inline constexpr std::string_view kTime = "fraction of time";

}  // namespace headway
