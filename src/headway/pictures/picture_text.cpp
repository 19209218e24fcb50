// SPDX-License-Identifier: Apache-2.0
// Widths are those of Helvetica, by groups of similar letters.
#include "headway/pictures/picture_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "headway/base/visible.h"

namespace headway {
namespace {

// Approximate width of a letter in Helvetica, in points; continuation bytes of UTF-8 have width 0.
double width_of_letter(char letter) {
  const auto is_one_of = [&](std::string_view letters) {
    return letters.find(letter) != std::string_view::npos;
  };
  if ((letter & 0xC0) == 0x80) return 0;
  if (is_one_of("ijl.,:;'|! ft()[]-/r")) return 0.31 * kFont;
  if (is_one_of("mwMW%@")) return 0.88 * kFont;
  return (letter >= 'A' && letter <= 'Z' ? 0.70 : 0.56) * kFont;
}

// The longest prefix of a text that fits into this width in points.
std::string_view fitting(std::string_view text, double points) {
  std::size_t end = 0;
  for (double width = 0; end < text.size(); ++end) {
    width += width_of_letter(text[end]);
    if (width > points && (text[end] & 0xC0) != 0x80) break;
  }
  return text.substr(0, end);
}

std::vector<std::string> broken(std::string_view text, double points) {
  constexpr std::size_t kMostLines = 4;
  std::vector<std::string> lines;
  while (!text.empty() && lines.size() < kMostLines) {
    std::string_view line = fitting(text, points);
    if (line.size() < text.size() && text[line.size()] != ' ')
      if (const std::size_t space = line.rfind(' '); space != std::string_view::npos && space > 0)
        line = line.substr(0, space);
    lines.emplace_back(line);
    text.remove_prefix(line.size());
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  }
  if (!text.empty()) lines.back() = fmt::format("{}…", fitting(lines.back(), points - kFont));
  return lines;
}

}  // namespace

double width_of(std::string_view text) {
  double width = 0;
  for (const char letter : text) width += width_of_letter(letter);
  return width;
}

// As few lines as possible, with lengths as equal as possible.
std::vector<std::string> wrapped(std::string_view text, double points) {
  const std::string shown = visible(text);
  std::vector<std::string> lines = broken(shown, points);
  const double even = width_of(shown) / static_cast<double>(lines.size());
  for (double narrower = points - kFont; narrower > even; narrower -= kFont) {
    std::vector<std::string> tried = broken(shown, narrower);
    if (tried.size() > lines.size()) break;
    lines = std::move(tried);
  }
  return lines;
}

}  // namespace headway
