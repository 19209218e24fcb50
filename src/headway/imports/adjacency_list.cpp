// SPDX-License-Identifier: Apache-2.0
// Adjacency lists: a row for each vertex, "a: b c", with the vertices that it is linked to. Without a colon,
// as NetworkX writes them, vertices are numbers, and rows differ in length.
//
// Choice: rows of numbers that all have the same length, up to six, are an edge list; --from tells otherwise.
#include <fmt/format.h>

#include <algorithm>

#include "headway/base/parse_number.h"
#include "headway/imports/formats.h"
#include "headway/imports/plain_graph.h"
#include "headway/imports/text_rows.h"

namespace headway::imports {
namespace {

bool has_colon(const TextRow& row) {
  return row.words[0].size() > 1 && row.words[0].ends_with(':') ? true
                                                                : row.words.size() > 1 && row.words[1] == ":";
}

bool is_of_numbers(const TextRow& row) {
  return std::ranges::all_of(
      row.words, [](std::string_view word) { return parse_number<std::uint64_t>(word).has_value(); });
}

bool recognises_lists(std::string_view text) {
  const TextRows rows = rows_of(text);
  if (rows.rows.empty()) return false;
  if (std::ranges::all_of(rows.rows, has_colon)) return true;
  if (!std::ranges::all_of(rows.rows, is_of_numbers)) return false;
  std::vector<std::string_view> firsts;
  for (const TextRow& row : rows.rows) firsts.push_back(row.words[0]);
  std::ranges::sort(firsts);
  const bool once = std::ranges::adjacent_find(firsts) == firsts.end();
  return once && rows.rows.size() > 1 && (!have_same_length(rows) || rows.rows[0].words.size() > 6);
}

Import import_lists(const Request& request, Mistakes& mistakes) {
  const TextRows rows = rows_of(request.first().text);
  PlainGraph graph(request, mistakes);
  std::map<std::size_t, std::uint32_t> line_of_row;
  for (const TextRow& row : rows.rows) {
    const bool attached = row.words[0].size() > 1 && row.words[0].ends_with(':');
    const std::size_t from =
        graph.vertex(attached ? row.words[0].substr(0, row.words[0].size() - 1) : row.words[0], row.line);
    const auto [first, fresh] = line_of_row.emplace(from, row.line);
    if (!fresh)
      graph.wrong(row.line, "FILE", fmt::format("\"{}\" has a row already", row.words[0]),
                  "see " + place_in(request.first().path, first->second));
    for (std::size_t i = !attached && has_colon(row) ? 2 : 1; i < row.words.size(); ++i) {
      std::string_view word = row.words[i];
      if (word.size() > 1 && word.ends_with(',')) word.remove_suffix(1);
      graph.edge(from, graph.vertex(word, row.line), {{}, {}, row.line});
    }
  }
  return graph.import("an adjacency list");
}

}  // namespace

Format adjacency_list() {
  return {"adjacency-list", "a row for each vertex, with those that it is linked to: \"a: b c\"",
          recognises_lists, import_lists};
}

}  // namespace headway::imports
