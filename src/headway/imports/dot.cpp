// SPDX-License-Identifier: Apache-2.0
// Graphs in DOT, the language of Graphviz (graphviz.org/doc/info/lang.html): statements of nodes and edges,
// chains, subgraphs as ends, attributes and their defaults. Attributes named rate, bandwidth, delay and the
// like of edges are read, and type of nodes that says host or switch; those that draw are named in the spec.
//
// Choice: directed edges are links in both directions. Ports of nodes ("a:p1") have no counterpart.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "headway/base/small_letters.h"
#include "headway/imports/dot_scanner.h"
#include "headway/imports/formats.h"
#include "headway/imports/plain_graph.h"
#include "headway/imports/text_rows.h"

namespace headway::imports {
namespace {

constexpr std::size_t kDeepestDot = 64;

struct DotAttribute {
  std::string name, value;
  std::uint32_t line = 0;
};
using DotAttributes = std::vector<DotAttribute>;

class DotReader {
 public:
  DotReader(const Request& request, Mistakes& mistakes)
      : scanner_(request.first().text, request.first().path),
        graph_(request, mistakes),
        token_(scanner_.next()) {}

  Import import() {
    take_word("strict");
    directed_ = is_keyword("digraph");
    if (!take_word("graph") && !take_word("digraph"))
      scanner_.wrong(token_.line, "graph or digraph is missing");
    if (token_.is_id) advance();
    expect("{");
    statements({}, {}, 1);
    expect("}");
    if (!has_ended()) scanner_.wrong(token_.line, "a second graph is not read", "a network is one");
    for (const std::string& name : other_)
      graph_.spec().without(name, "an attribute that a network does not need");
    return graph_.import("a graph in DOT");
  }

 private:
  void advance() { token_ = scanner_.next(); }
  bool has_ended() const { return !token_.is_id && token_.text.empty(); }
  bool is(std::string_view symbol) const { return !token_.is_id && token_.text == symbol; }
  bool take(std::string_view symbol) {
    if (!is(symbol)) return false;
    advance();
    return true;
  }
  bool is_keyword(std::string_view word) const {
    return token_.is_id && !token_.is_quoted && in_small_letters(token_.text) == word;
  }
  bool take_word(std::string_view word) {
    if (!is_keyword(word)) return false;
    advance();
    return true;
  }
  void expect(std::string_view symbol) {
    if (!take(symbol))
      scanner_.wrong(token_.line,
                     has_ended() ? fmt::format("the file ends before {}", symbol)
                                 : fmt::format("\"{}\" stands where {} is expected", token_.text, symbol));
  }
  std::string id(std::string_view what) {
    if (!token_.is_id)
      scanner_.wrong(token_.line, fmt::format("{} is missing before \"{}\"", what, token_.text));
    std::string text = token_.text;
    bool is_quoted = token_.is_quoted;
    for (advance(); is_quoted && is("+"); advance()) {  // texts in quotes can be joined
      advance();
      is_quoted = token_.is_quoted;
      if (!is_quoted) scanner_.wrong(token_.line, "a text in quotes is missing behind +");
      text += token_.text;
    }
    return text;
  }

  using Ends = std::vector<std::size_t>;

  // Up to the brace that closes them. The vertices that they name.
  Ends statements(DotAttributes of_nodes, DotAttributes of_edges, std::size_t depth) {
    if (depth > kDeepestDot)
      scanner_.wrong(token_.line, "subgraphs are nested too deep", fmt::format("at most {}", kDeepestDot));
    Ends named;
    while (!is("}") && !has_ended()) {
      if (take(";") || take(",")) continue;
      if (is_keyword("graph") || is_keyword("node") || is_keyword("edge")) {
        const std::string of = in_small_letters(token_.text);
        advance();
        DotAttributes defaults = attributes();
        if (of == "graph") name_all(defaults);
        DotAttributes& into = of == "node" ? of_nodes : of_edges;
        if (of != "graph") into.insert(into.end(), defaults.begin(), defaults.end());
        continue;
      }
      statement(of_nodes, of_edges, depth, named);
    }
    return named;
  }

  void statement(const DotAttributes& of_nodes, const DotAttributes& of_edges, std::size_t depth,
                 Ends& named) {
    const std::uint32_t line = token_.line;
    bool is_subgraph = false;
    std::vector<Ends> chain{ends(of_nodes, of_edges, depth, is_subgraph)};
    if (!is_subgraph && is("=")) {  // an attribute of the graph, not a node
      advance();
      other_.insert(pending_);
      id("a value");
      return;
    }
    if (!is_subgraph) chain[0] = {node(pending_, of_nodes, line)};
    while (take("--") || take("->")) {
      const std::uint32_t here = token_.line;
      bool nested = false;
      Ends more = ends(of_nodes, of_edges, depth, nested);
      chain.push_back(nested ? std::move(more) : Ends{node(pending_, of_nodes, here)});
    }
    DotAttributes given = is("[") ? attributes() : DotAttributes{};
    for (const Ends& each : chain) named.insert(named.end(), each.begin(), each.end());
    if (chain.size() == 1) {
      if (!is_subgraph) describe(chain[0][0], given);
      return;
    }
    given.insert(given.begin(), of_edges.begin(), of_edges.end());
    const PlainGraph::Edge edge = edge_of(given, line);
    for (std::size_t k = 1; k < chain.size(); ++k) {
      if (chain[k - 1].size() * chain[k].size() > NetworkDraft::kMostDraftLinks)
        scanner_.wrong(line, "these subgraphs have too many edges");
      for (const std::size_t from : chain[k - 1])
        for (const std::size_t to : chain[k]) graph_.edge(from, to, edge, directed_);
    }
  }

  // One end of an edge: vertices of a subgraph, or `pending_`, a name that may become a vertex.
  Ends ends(const DotAttributes& of_nodes, const DotAttributes& of_edges, std::size_t depth,
            bool& is_subgraph) {
    is_subgraph = is("{") || is_keyword("subgraph");
    if (!is_subgraph) {
      pending_ = id("a node");
      while (take(":")) id("a port");
      return {};
    }
    if (take_word("subgraph") && token_.is_id) advance();
    expect("{");
    Ends inside = statements(of_nodes, of_edges, depth + 1);
    expect("}");
    std::ranges::sort(inside);
    inside.erase(std::unique(inside.begin(), inside.end()), inside.end());
    return inside;
  }

  std::size_t node(const std::string& name, const DotAttributes& of_nodes, std::uint32_t line) {
    const std::size_t vertex = graph_.vertex(name, line);
    if (known_.insert(vertex).second) describe(vertex, of_nodes);
    return vertex;
  }

  DotAttributes attributes() {
    DotAttributes all;
    while (take("[")) {
      while (!is("]")) {
        if (has_ended()) scanner_.wrong(token_.line, "the file ends before ]");
        if (take(";") || take(",")) continue;
        DotAttribute one{"", "true", token_.line};
        one.name = id("the name of an attribute");
        if (take("=")) one.value = id("a value");
        all.push_back(std::move(one));
      }
      expect("]");
    }
    return all;
  }

  void name_all(const DotAttributes& given) {
    for (const DotAttribute& one : given) other_.insert(one.name);
  }
  void describe(std::size_t vertex, const DotAttributes& given) {
    for (const DotAttribute& one : given)
      if (in_small_letters(one.name) != "type" && in_small_letters(one.name) != "role" &&
          in_small_letters(one.name) != "kind")
        not_used(one, /*of_edges=*/false);
      else if (const auto host = is_host_word(one.value))
        graph_.declare(vertex, *host);
  }
  PlainGraph::Edge edge_of(const DotAttributes& given, std::uint32_t line) {
    PlainGraph::Edge edge{{}, {}, line};
    for (const DotAttribute& one : given)
      if (const EdgeKey key = edge_key(one.name); key.value != EdgeValue::none)
        set_value(graph_, edge, key, one.name, one.value, one.line);
      else
        not_used(one, /*of_edges=*/true);
    return edge;
  }
  void not_used(const DotAttribute& one, bool of_edges) {
    const auto meant = nearest_edge_key(one.name);
    if (other_.insert(one.name).second && meant && of_edges == (*meant != "type"))
      graph_.wrong(one.line, one.name, std::string(kUnknownKey), fmt::format("did you mean \"{}\"?", *meant));
  }

  DotScanner scanner_;
  PlainGraph graph_;
  DotToken token_;
  std::string pending_;
  std::set<std::size_t> known_;
  std::set<std::string> other_;
  bool directed_ = false;
};

bool recognises_dot(std::string_view text) {
  if (text.find('{') == std::string_view::npos) return false;
  const std::string settings = without_comments_of_any(text);
  const std::size_t first = settings.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return false;
  const std::string word = in_small_letters(
      std::string_view(settings).substr(first, settings.find_first_of(" \t\r\n{", first) - first));
  return word == "graph" || word == "digraph" || word == "strict";
}

Import import_dot(const Request& request, Mistakes& mistakes) {
  return DotReader(request, mistakes).import();
}

}  // namespace

Format dot() {
  return {"dot", "a graph or digraph of Graphviz, with attributes named rate, delay or type", recognises_dot,
          import_dot};
}

}  // namespace headway::imports
