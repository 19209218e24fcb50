// SPDX-License-Identifier: Apache-2.0
// A picture as a gnuplot script. Its size is that of one column of a paper: 84 mm wide, with letters of 8 pt,
// or of two; the picture for a screen is twice as large.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/io/gnuplot.h"
#include "headway/pictures/picture_text.h"

namespace headway {

// In points (72 per inch).
inline constexpr double kWidth = 238;       // 84 mm
inline constexpr double kTwoColumns = 504;  // 178 mm
inline constexpr double kLine = 1.3 * kFont;
inline constexpr double kTicks = 19;   // height of the numbers below the axis
inline constexpr double kEdge = 4;     // margin
inline constexpr double kGap = 3;      // gap between separate items
inline constexpr double kRight = 10;   // half a number extends beyond the right end of the axes
inline constexpr double kSample = 18;  // width of a curve's sample in the legend
inline constexpr double kAcross = kWidth - 2 * kEdge;

// Places text in a picture from its lower edge up, in points.
class Sheet {
 public:
  explicit Sheet(double height, double width = kWidth) : width_(width), height_(height) {}

  std::string at(double x, double y) const {
    return fmt::format("screen {:.4f}, screen {:.4f}", x / width_, y / height_);
  }
  // The ends of the axes.
  void axes(double left, double right, double bottom, double top) {
    add("lmargin at screen {:.4f}", left / width_);
    add("rmargin at screen {:.4f}", right / width_);
    add("bmargin at screen {:.4f}", bottom / height_);
    add("tmargin at screen {:.4f}", top / height_);
  }
  // Lines of text below each other, centred at x; the first is highest.
  void lines(const std::vector<std::string>& text, double x, double top, std::string_view how = {}) {
    for (std::size_t i = 0; i < text.size(); ++i)
      add("label {} at {} center{}", gnuplot_text(text[i]),
          at(x, top - (static_cast<double>(i) + 0.5) * kLine), how);
  }
  // Lines of rotated text, from left to right.
  void rotated_lines(const std::vector<std::string>& text, double left, double y) {
    for (std::size_t i = 0; i < text.size(); ++i)
      add("label {} at {} center rotate", gnuplot_text(text[i]),
          at(left + (static_cast<double>(i) + 0.5) * kLine, y));
  }
  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += fmt::format("set {}\n", fmt::format(format, std::forward<Arguments>(arguments)...));
  }
  const std::string& text() const { return text_; }

 private:
  double width_, height_;
  std::string text_;
};

// The beginning of a script. `source`: where the picture comes from. `height` is in points.
std::string svg_terminal(std::string_view source, double height, double width = kWidth);
// The end of a script: draws the picture again, as PDF where gnuplot can.
std::string pdf_terminal(double height, std::string_view draw = "replot\n", double width = kWidth);

}  // namespace headway
