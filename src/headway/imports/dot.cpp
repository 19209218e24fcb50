// SPDX-License-Identifier: Apache-2.0
// Graphs in DOT, the language of Graphviz (graphviz.org/doc/info/lang.html): statements of nodes and edges,
// chains, subgraphs as ends, attributes and their defaults. Attributes named rate, bandwidth, delay and the
// like of edges are read, and type of nodes that says host or switch; those that draw are named in the spec.
//
// Choice: directed edges are links in both directions. Ports of nodes ("a:p1") have no counterpart.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "headway/imports/formats.h"
#include "headway/imports/plain_graph.h"
#include "headway/imports/text_rows.h"

namespace headway::imports {
namespace {

constexpr std::size_t kDeepestDot = 64;

struct DotToken {
  std::string text;
  bool is_id = false;      // a name, a number, a text in quotes or HTML
  bool is_quoted = false;  // so it is no keyword
  std::uint32_t line = 0;
};

class DotScanner {
 public:
  DotScanner(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  DotToken next() {
    skip();
    DotToken token{"", false, false, line_};
    if (at_ >= text_.size()) return token;
    const char c = text_[at_];
    if (c == '"') return quoted(token);
    if (c == '<') return html(token);
    if (text_.substr(at_).starts_with("--") || text_.substr(at_).starts_with("->")) return symbol(token, 2);
    if (!is_word(c) && c != '-') return symbol(token, 1);
    const std::size_t begin = at_++;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    token.text = text_.substr(begin, at_ - begin);
    token.is_id = true;
    return token;
  }

  [[noreturn]] void wrong(std::uint32_t line, std::string message, std::string hint = "") const {
    throw SpecError("FILE", std::move(message), std::move(hint), place_in(path_, line));
  }

 private:
  static bool is_word(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::isalnum(byte) != 0 || c == '_' || c == '.' || byte >= 0x80;
  }

  DotToken symbol(DotToken token, std::size_t length) {
    token.text = text_.substr(at_, length);
    at_ += length;
    return token;
  }
  DotToken quoted(DotToken token) {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size() && (text_[at_ + 1] == '"' || text_[at_ + 1] == '\n'))
        ++at_;
      if (text_[at_] == '\n') ++line_;
      token.text += text_[at_];
    }
    if (at_ == text_.size()) wrong(token.line, "a text in quotes does not end");
    ++at_;
    token.is_id = token.is_quoted = true;
    return token;
  }
  DotToken html(DotToken token) {
    std::size_t depth = 0;
    do {
      if (at_ == text_.size()) wrong(token.line, "a text in < > does not end");
      if (text_[at_] == '<') ++depth;
      if (text_[at_] == '>') --depth;
      if (text_[at_] == '\n') ++line_;
      token.text += text_[at_++];
    } while (depth > 0);
    token.is_id = token.is_quoted = true;
    return token;
  }

  // Blanks, comments, and lines of a preprocessor.
  void skip() {
    while (at_ < text_.size()) {
      const std::string_view rest = text_.substr(at_);
      std::size_t end = 0;
      if (std::isspace(static_cast<unsigned char>(rest[0])) != 0)
        end = 1;
      else if (rest.starts_with("//") || (rest[0] == '#' && (at_ == 0 || text_[at_ - 1] == '\n')))
        end = std::min(rest.find('\n'), rest.size());
      else if (rest.starts_with("/*"))
        end = rest.find("*/") == std::string_view::npos ? rest.size() : rest.find("*/") + 2;
      else
        return;
      line_ += static_cast<std::uint32_t>(std::ranges::count(rest.substr(0, end), '\n'));
      at_ += end;
    }
  }

  std::string_view text_;
  const std::string& path_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
};

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
    if (!take_word("graph") && !take_word("digraph"))
      scanner_.wrong(token_.line, "graph or digraph is missing");
    if (token_.is_id) advance();
    expect("{");
    statements({}, {}, 1);
    expect("}");
    if (!token_.text.empty()) scanner_.wrong(token_.line, "a second graph is not read", "a network is one");
    for (const std::string& name : other_)
      graph_.spec().without(name, "an attribute that a network does not need");
    return graph_.import("a graph in DOT");
  }

 private:
  void advance() { token_ = scanner_.next(); }
  bool is(std::string_view symbol) const { return !token_.is_id && token_.text == symbol; }
  bool take(std::string_view symbol) {
    if (!is(symbol)) return false;
    advance();
    return true;
  }
  bool is_keyword(std::string_view word) const {
    return token_.is_id && !token_.is_quoted && lower_case(token_.text) == word;
  }
  bool take_word(std::string_view word) {
    if (!is_keyword(word)) return false;
    advance();
    return true;
  }
  void expect(std::string_view symbol) {
    if (!take(symbol))
      scanner_.wrong(token_.line, token_.text.empty() ? fmt::format("the file ends before {}", symbol)
                                                      : fmt::format("\"{}\" stands where {} is expected",
                                                                    token_.text, symbol));
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
    while (!is("}") && !token_.text.empty()) {
      if (take(";") || take(",")) continue;
      if (is_keyword("graph") || is_keyword("node") || is_keyword("edge")) {
        const std::string of = lower_case(token_.text);
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
        for (const std::size_t to : chain[k]) graph_.edge(from, to, edge);
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
        if (token_.text.empty()) scanner_.wrong(token_.line, "the file ends before ]");
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
      if (lower_case(one.name) != "type" && lower_case(one.name) != "role" && lower_case(one.name) != "kind")
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
};

bool recognises_dot(std::string_view text) {
  if (text.find('{') == std::string_view::npos) return false;
  const std::string settings = without_comments_of_any(text);
  const std::size_t first = settings.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return false;
  const std::string word =
      lower_case(std::string_view(settings).substr(first, settings.find_first_of(" \t\r\n{", first) - first));
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
