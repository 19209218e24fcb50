// SPDX-License-Identifier: Apache-2.0
// Adjacency matrices: as many rows as columns, between blanks or commas. An element is the number of links
// between the vertices of its row and its column, which are called by their numbers.
//
// Choice: the matrix is symmetric, or one of its triangles is empty. Up to six rows it is a matrix only if it
// is symmetric with an empty diagonal, because it could be an edge list otherwise.
#include <fmt/format.h>

#include <algorithm>

#include "headway/base/parse_number.h"
#include "headway/imports/formats.h"
#include "headway/imports/plain_graph.h"
#include "headway/imports/text_rows.h"

namespace headway::imports {
namespace {

constexpr std::size_t kMostLikeEdges = 6;  // rows of an edge list can be so long

std::optional<double> element(const TextRows& rows, std::size_t row, std::size_t column) {
  return parse_number<double>(rows.rows[row].words[column]);
}

bool recognises_matrix(std::string_view text) {
  const TextRows rows = rows_of(text);
  const std::size_t size = rows.rows.size();
  if (size < 3 || !all_have(rows, size)) return false;
  bool numbers = true, symmetric = true, empty_diagonal = true;
  for (std::size_t i = 0; i < size && numbers; ++i)
    for (std::size_t j = 0; j < size && numbers; ++j) {
      const auto here = element(rows, i, j);
      numbers = here.has_value();
      if (size > kMostLikeEdges) continue;
      symmetric &= here == element(rows, j, i);
      empty_diagonal &= i != j || here == 0.0;
    }
  return numbers && symmetric && empty_diagonal;
}

Import import_matrix(const Request& request, Mistakes& mistakes) {
  const TextRows rows = rows_of(request.first().text);
  PlainGraph graph(request, mistakes);
  const std::size_t size = rows.rows.size();
  bool whole = true;
  for (const TextRow& row : rows.rows)
    if (row.words.size() != size) {
      whole = false;
      graph.wrong(
          row.line, "FILE",
          fmt::format("this row has {} elements, and the matrix has {} rows", row.words.size(), size));
    }
  const auto links = [&](std::size_t i, std::size_t j) -> std::uint32_t {
    const auto value = element(rows, i, j);
    if (value && *value >= 0 && *value <= PlainGraph::kMostParallelLinks &&
        *value == static_cast<std::uint32_t>(*value))
      return static_cast<std::uint32_t>(*value);
    graph.wrong(rows.rows[i].line, "FILE",
                fmt::format("\"{}\" is not a number of links", rows.rows[i].words[j]),
                fmt::format("0 to {}; an edge list can have rates", PlainGraph::kMostParallelLinks));
    return 0;
  };
  for (std::size_t i = 0; whole && i < size; ++i) graph.vertex(std::to_string(i), rows.rows[i].line);
  bool below = false, above = false;
  std::vector<std::vector<std::uint32_t>> of(whole ? size : 0);
  for (std::size_t i = 0; i < of.size(); ++i)
    for (std::size_t j = 0; j < size; ++j) {
      of[i].push_back(links(i, j));
      (j < i ? below : above) |= i != j && of[i][j] > 0;
    }
  for (std::size_t i = 0; i < of.size(); ++i)
    for (std::size_t j = 0; j < size; ++j) {
      if (j < i && below && above && of[i][j] != of[j][i])
        graph.wrong(
            rows.rows[i].line, "FILE",
            fmt::format("row {} has {} at {}, and row {} has {} at {}", i, of[i][j], j, j, of[j][i], i),
            "a link leads both ways");
      for (std::uint32_t k = 0; k < of[i][j]; ++k) graph.edge(i, j, {{}, {}, rows.rows[i].line});
    }
  return graph.import("an adjacency matrix");
}

}  // namespace

Format adjacency_matrix() {
  return {"adjacency-matrix", "a square of numbers of links", recognises_matrix, import_matrix};
}

}  // namespace headway::imports
