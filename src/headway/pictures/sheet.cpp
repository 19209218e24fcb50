// SPDX-License-Identifier: Apache-2.0
#include "headway/pictures/sheet.h"

namespace headway {
namespace {

constexpr double kOnScreen = 2;             // factor by which an SVG is larger
constexpr double kMillimetres = 25.4 / 72;  // of a point
constexpr double kPdfFont = 0.75;           // pdfcairo interprets points as pixels, 96 per inch

}  // namespace

std::string svg_terminal(std::string_view source, double height, double width) {
  return fmt::format(
      "# Draws figure.svg, and figure.pdf where gnuplot can: gnuplot figure.gp\n"
      "# {} of a paper: {:.0f} mm wide, letters of 8 pt.\n"
      "source = {}\n"
      "set encoding utf8\n"
      "set terminal svg size {:.0f},{:.0f} fixed noenhanced font 'Helvetica,{}' lw 1.4 background rgb "
      "'white'\n"
      "set output 'figure.svg'\n"
      "set pointsize 0.6\n"
      "unset key\n"
      "set border 3 lc rgb '#404040' lw 0.7\n"
      "set tics nomirror out scale 0.5\n"
      "set grid lc rgb '#DDDDDD' dt 1 lw 0.7\n",
      width > kWidth ? "Two columns" : "One column", kMillimetres * width, gnuplot_text(source),
      kOnScreen * width, kOnScreen * height, kOnScreen * kFont);
}

std::string pdf_terminal(double height, std::string_view draw, double width) {
  return fmt::format(
      "if (strstrt(GPVAL_TERMINALS, 'pdfcairo') > 0) {{\n"
      "  set terminal pdfcairo size {:.2f}cm,{:.2f}cm noenhanced font 'Helvetica,{}' fontscale {} lw "
      "1.5\n"
      "  set output 'figure.pdf'\n"
      "  set pointsize 0.6\n"
      "  {}"
      "}}\n",
      kMillimetres / 10 * width, kMillimetres / 10 * height, kFont, kPdfFont, draw);
}

}  // namespace headway
