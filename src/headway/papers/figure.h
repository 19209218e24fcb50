// SPDX-License-Identifier: Apache-2.0
// A figure as files: data.csv, figure.gp (a gnuplot script over it), figure.svg and figure.pdf, or table.md
// for a table. The script stands on its own, so a user can restyle the picture without running anything
// again. Pictures fit one column of a paper. Colours are Okabe and Ito's, which are told apart by
// colour-blind readers; markers and dashes differ too. A point whose run was not steady is hollow, a bar that
// the axis cuts has a gap and its value beside it, and curves that lie on each other are named together: "FF
// = SSP".
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "headway/papers/paper.h"

namespace headway {

// Columns: curve, x, y, half width of the 95 % interval where there is one, status. Of a table: its columns.
std::string figure_data(const FigureSpec& figure, std::span<const Curve> curves);

// Whether pictures say above what they show; in a paper the caption says it.
enum class Titles { shown, left_out };

// The gnuplot script. A curve of one name looks the same in all figures of a paper.
std::string figure_script(const Paper& paper, const FigureSpec& figure, std::span<const Curve> curves,
                          Titles titles = Titles::shown);

// A table in Markdown, one row per curve and row.
std::string figure_table(const FigureSpec& figure, std::span<const Curve> curves);

// Writes the files into `directory`, which exists, and has gnuplot draw. Returns the paths of what now
// exists; if gnuplot is missing or fails, the pictures are not among them and `problem` says why. Throws
// std::system_error if a file cannot be written.
struct FigureFiles {
  std::filesystem::path data;
  std::filesystem::path picture;  // figure.svg or table.md; empty if it could not be drawn
  std::filesystem::path print;    // figure.pdf; empty for a table, and if this gnuplot makes none
  std::string problem;
};
FigureFiles write_figure(const std::filesystem::path& directory, const Paper& paper, const FigureSpec& figure,
                         std::span<const Curve> curves, Titles titles = Titles::shown);

}  // namespace headway
