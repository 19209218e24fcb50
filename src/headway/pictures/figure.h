// SPDX-License-Identifier: Apache-2.0
// A figure as files: data.csv, figure.gp (a gnuplot script with the same numbers), figure.svg and figure.pdf,
// or table.md for a table. The script is self-contained, so a user can change the style without new runs.
// Pictures fit into one column of a paper. Colours are those of Okabe and Ito, which colour-blind readers can
// distinguish; markers and dashes differ too. A point whose run was not steady is hollow. A bar that exceeds
// the axis has a gap and is labelled with its value. Identical curves are named together: "FF = SSP".
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "headway/pictures/figure_spec.h"

namespace headway {

// Columns: curve, x, y, half width of the 95 % confidence interval if there is one, upper edges of stacked
// areas, status. For a table: its columns.
std::string figure_data(const FigureSpec& figure, std::span<const Curve> curves);

// Whether pictures have a title; in a paper the caption replaces it.
enum class Titles { shown, left_out };

// The curves that are not hidden, which come first.
std::span<const Curve> drawn(std::span<const Curve> curves);

// The parts of a figure, from below: one, or several with the same x and curves and an axis of y each.
struct Panel {
  FigureSpec figure;
  std::vector<Curve> curves;
};
std::vector<Panel> panels_of(const FigureSpec& figure, std::span<const Curve> curves);

// For areas: the sum of the curve and all curves below it, row by row; curves below it come later in the
// legend.
std::vector<std::vector<double>> stacked(std::span<const Curve> curves);

// The gnuplot script. Curves with the same name have the same style in all figures of a set.
std::string figure_script(const FigureSet& set, const FigureSpec& figure, std::span<const Curve> curves,
                          Titles titles = Titles::shown);

// A table in Markdown, one row per curve and row.
std::string figure_table(const FigureSpec& figure, std::span<const Curve> curves);

struct FigureFiles {
  std::filesystem::path data;
  std::filesystem::path picture;  // figure.svg or table.md; empty if it could not be drawn
  std::filesystem::path print;    // figure.pdf; empty for a table, and if this gnuplot cannot write PDF
  std::string problem;
};
// Writes the files to `directory`, which must exist, and runs gnuplot. Returns the paths of the written
// files; if gnuplot is missing or fails, the pictures are missing and `problem` gives the reason. Throws
// std::system_error if a file cannot be written.
FigureFiles write_picture(const std::filesystem::path& directory, const std::string& data,
                          const std::string& script);
// Writes a figure: a table is written as Markdown.
FigureFiles write_figure(const std::filesystem::path& directory, const FigureSet& set,
                         const FigureSpec& figure, std::span<const Curve> curves,
                         Titles titles = Titles::shown);

}  // namespace headway
