// SPDX-License-Identifier: Apache-2.0
// Edge lists: a row for each link, with two names and perhaps a rate and a delay, between blanks or commas.
// The first row can name the columns; otherwise the first two are the ends, and a column of words such as
// 100Gbps or 500ns is a rate or a delay.
//
// Choice: a column of plain numbers without a name is left out, because weights of other tools are
// capacities, costs, lengths or counts.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "headway/base/small_letters.h"
#include "headway/imports/formats.h"
#include "headway/imports/plain_graph.h"
#include "headway/imports/text_rows.h"

namespace headway::imports {
namespace {

constexpr std::size_t kMostUnnamedColumns = 6;

struct EdgeColumns {
  std::size_t from = 0, to = 1, first_row = 0;
  std::vector<EdgeKey> values;     // [column]
  std::vector<std::string> names;  // [column]
};

bool is_quantity(std::string_view word) { return rate_word(word) || delay_word(word); }

std::optional<std::size_t> column_of(const TextRow& head, std::initializer_list<std::string_view> names) {
  for (std::size_t i = 0; i < head.words.size(); ++i)
    if (std::ranges::find(names, in_small_letters(head.words[i])) != names.end()) return i;
  return std::nullopt;
}

std::optional<EdgeColumns> named_columns(const TextRow& head) {
  const auto from = column_of(head, {"source", "src", "from", "node1", "node_a", "switch1", "id1"});
  const auto to =
      column_of(head, {"target", "dst", "to", "node2", "node_b", "switch2", "id2", "destination", "dest"});
  if (!from || !to) return std::nullopt;
  EdgeColumns columns{*from, *to, 1, {}, {}};
  for (const std::string_view word : head.words) {
    columns.values.push_back(edge_key(word));
    columns.names.emplace_back(word);
  }
  return columns;
}

// By the longest row, because rows can lack a rate or delay.
EdgeColumns columns_by_content(const TextRows& rows) {
  const std::vector<std::string_view>& longest =
      std::ranges::max_element(rows.rows, {}, [](const TextRow& row) { return row.words.size(); })->words;
  EdgeColumns columns;
  for (std::size_t i = 0; i < longest.size(); ++i) {
    EdgeKey key;
    const std::string_view word = longest[i];
    if (i >= 2 && rate_word(word)) key.value = EdgeValue::rate;
    if (i >= 2 && key.value == EdgeValue::none && delay_word(word)) key.value = EdgeValue::delay;
    columns.values.push_back(key);
    columns.names.push_back(fmt::format("column {}", i + 1));
  }
  return columns;
}

// The dictionaries of attributes behind the ends of edges, as NetworkX writes them.
class Dictionaries {
 public:
  explicit Dictionaries(PlainGraph& graph) : graph_(graph) {}

  void read(const TextRow& row, PlainGraph::Edge& edge) {
    if (row.dictionary.empty()) return;
    const auto entries = entries_of(row.dictionary);
    if (!entries)
      return graph_.wrong(row.line, "FILE", "the dictionary behind the ends has another form",
                          "write for example {'rate': '100Gbps', 'delay': '500ns'}");
    for (const auto& [name, value] : *entries) {
      const EdgeKey key = edge_key(name);
      if (key.value != EdgeValue::none)
        set_value(graph_, edge, key, name, value, row.line);
      else if (const auto meant = nearest_edge_key(name); others_.emplace(name).second && meant)
        graph_.wrong(row.line, std::string(name), std::string(kUnknownKey),
                     fmt::format("did you mean \"{}\"?", *meant));
    }
  }
  void tell_others() {
    for (const std::string& name : others_) graph_.spec().without(name, "no rate or delay of a link");
  }

 private:
  PlainGraph& graph_;
  std::set<std::string> others_;
};

bool recognises_edges(std::string_view text) {
  const TextRows rows = rows_of(text);
  if (rows.rows.empty() || rows.rows.front().words.size() < 2) return false;
  if (named_columns(rows.rows.front())) return true;
  if (have_same_length(rows)) return rows.rows.front().words.size() <= kMostUnnamedColumns;
  return std::ranges::all_of(rows.rows, [](const TextRow& row) {
    return row.words.size() >= 2 && std::all_of(row.words.begin() + 2, row.words.end(), is_quantity);
  });
}

Import import_edges(const Request& request, Mistakes& mistakes) {
  const TextRows rows = rows_of(request.first().text);
  PlainGraph graph(request, mistakes);
  if (rows.rows.empty()) {
    graph.wrong(0, "FILE", "has no row");
    return {};
  }
  for (const TextRow& row : rows.rows)
    if (std::ranges::any_of(row.words, [](std::string_view word) { return word.starts_with('{'); })) {
      graph.wrong(
          row.line, "FILE", "a dictionary stands where the second end of a link is expected",
          "NetworkX writes a row for each link with write_edgelist, not with write_multiline_adjlist");
      return {};
    }
  const auto named = named_columns(rows.rows.front());
  const EdgeColumns columns = named ? *named : columns_by_content(rows);
  for (std::size_t i = 0; i < columns.values.size(); ++i) {
    if (i == columns.from || i == columns.to || columns.values[i].value != EdgeValue::none) continue;
    if (!named) {
      graph.spec().without(columns.names[i],
                           "words without a unit; a first row such as \"source target rate_gbps delay_ns\" "
                           "says what columns are");
      graph.spec().say(columns.names[i] + " is left out: no first row says what it is");
      continue;
    }
    const auto meant = nearest_edge_key(columns.names[i]);
    graph.wrong(rows.rows.front().line, columns.names[i], std::string(kUnknownKey),
                meant ? fmt::format("did you mean \"{}\"?", *meant) : "columns are rate and delay");
  }
  Dictionaries dictionaries(graph);
  const std::size_t length = columns.values.size();
  for (std::size_t r = columns.first_row; r < rows.rows.size(); ++r) {
    const TextRow& row = rows.rows[r];
    if (row.words.size() < 2 || row.words.size() > length || (named && row.words.size() != length)) {
      graph.wrong(row.line, "FILE",
                  fmt::format("this row has {} words, others have {}", row.words.size(), length),
                  "a row is: SOURCE TARGET [RATE] [DELAY]");
      continue;
    }
    PlainGraph::Edge edge{{}, {}, row.line};
    for (std::size_t i = 0; i < row.words.size(); ++i) {
      if (i == columns.from || i == columns.to || row.words[i] == "-") continue;
      EdgeKey key = columns.values[i];
      if (key.value == EdgeValue::none) continue;
      // A row without a rate can have its delay in the place of the rate.
      if (!named && key.value == EdgeValue::rate && row.words.size() < length && delay_word(row.words[i]))
        key.value = EdgeValue::delay;
      set_value(graph, edge, key, columns.names[i], row.words[i], row.line);
    }
    dictionaries.read(row, edge);
    graph.edge(graph.vertex(row.words[columns.from], row.line), graph.vertex(row.words[columns.to], row.line),
               std::move(edge));
  }
  dictionaries.tell_others();
  return graph.import("an edge list");
}

}  // namespace

Format edge_list() {
  return {"edge-list", "a row for each link: two names, and columns of rates and delays", recognises_edges,
          import_edges};
}

}  // namespace headway::imports
