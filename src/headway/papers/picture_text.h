// SPDX-License-Identifier: Apache-2.0
// How wide text is in a picture. Whoever draws it knows exactly, and later; a good guess is enough to break
// lines and to make room.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headway {

inline constexpr double kFont = 8;  // the size of letters in pictures, in points

double width_of(std::string_view text);  // in points

// Lines of at most so many points, broken at spaces and in words that are longer, and about as long as each
// other. They are printable (base/visible.h); what is too long for a picture ends in dots.
std::vector<std::string> wrapped(std::string_view text, double points);

}  // namespace headway
