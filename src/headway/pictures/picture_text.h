// SPDX-License-Identifier: Apache-2.0
// Estimates the width of text in a picture. Only the drawing program knows the exact width; an estimate is
// enough to break lines and to reserve space.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headway {

inline constexpr double kFont = 8;  // the size of letters in pictures, in points

double width_of(std::string_view text);  // in points

// Breaks text into lines of about equal length and at most this width in points, at spaces and within longer
// words. The lines are printable (base/visible.h); text that is too long for a picture ends in dots.
std::vector<std::string> wrapped(std::string_view text, double points);

}  // namespace headway
