// SPDX-License-Identifier: Apache-2.0
// GraphML (graphml.graphdrawing.org): nodes and edges with data, whose keys have names. Data of edges named
// rate, bandwidth, delay and the like are read, and data of nodes named type that say host or switch; the
// others are named in the spec. Graphs in nodes and edges with several ends are refused.
//
// Choice: directed edges are links in both directions. LinkSpeed and LinkSpeedUnits of the Topology Zoo say
// the same as LinkSpeedRaw, which is read.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "headway/base/small_letters.h"
#include "headway/imports/formats.h"
#include "headway/imports/plain_graph.h"
#include "headway/imports/text_rows.h"
#include "headway/imports/xml.h"

namespace headway::imports {
namespace {

bool recognises_graphml(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  return first != std::string_view::npos && text[first] == '<' &&
         text.find("<graphml") != std::string_view::npos;
}

class GraphmlReader {
 public:
  GraphmlReader(const Request& request, Mistakes& mistakes) : graph_(request, mistakes) {}

  Import import(const XmlElement& root) {
    std::size_t graphs = 0;
    for (const XmlElement& child : root.children) {
      if (child.name == "key") read_key(child);
      if (child.name == "graph" && ++graphs == 1) read_graph(child);
      if (child.name == "graph" && graphs == 2)
        graph_.wrong(child.line, "graph", "is a second graph", "a network is one");
    }
    if (graphs == 0) graph_.wrong(root.line, "graph", "is missing");
    for (const std::string& name : other_)
      graph_.spec().without(name, "data of the file that a network does not need");
    return graph_.import("a graph in GraphML");
  }

 private:
  struct Key {
    std::string name;
    const std::string* otherwise = nullptr;  // the value of elements that have none
    bool of_edges = false, of_nodes = false;
    std::uint32_t line = 0;
  };

  void read_key(const XmlElement& element) {
    const std::string* const id = element.attribute("id");
    if (id == nullptr) return graph_.wrong(element.line, "key", "has no id");
    const std::string* const name = element.attribute("attr.name");
    const std::string* const of = element.attribute("for");
    Key key{name == nullptr ? *id : *name, nullptr, of == nullptr || *of == "edge" || *of == "all",
            of == nullptr || *of == "node" || *of == "all", element.line};
    for (const XmlElement& child : element.children)
      if (child.name == "default") key.otherwise = &child.text;
    keys_[*id] = key;
    const bool used =
        (key.of_edges && edge_key(key.name).value != EdgeValue::none) || (key.of_nodes && is_role(key.name));
    if (used || (!key.of_edges && !key.of_nodes)) return;  // of the graph
    const auto meant = nearest_edge_key(key.name);
    if (meant && (key.of_edges || *meant == "type"))
      graph_.wrong(element.line, key.name, std::string(kUnknownKey),
                   fmt::format("did you mean \"{}\"?", *meant));
    other_.insert(key.name);
  }
  static bool is_role(std::string_view name) {
    const std::string small = in_small_letters(name);
    return small == "type" || small == "role" || small == "kind";
  }

  void read_graph(const XmlElement& graph) {
    const std::string* const otherwise = graph.attribute("edgedefault");
    directed_ = otherwise != nullptr && *otherwise == "directed";
    for (const XmlElement& child : graph.children)
      if (child.name == "node") read_node(child);
    for (const XmlElement& child : graph.children) {
      if (child.name == "edge") read_edge(child);
      if (child.name == "hyperedge")
        graph_.wrong(child.line, "hyperedge", "an edge with several ends is not read");
    }
  }

  void read_node(const XmlElement& element) {
    const std::string* const id = element.attribute("id");
    if (id == nullptr || id->empty()) return graph_.wrong(element.line, "node", "has no id");
    if (!line_of_node_.emplace(*id, element.line).second)
      return graph_.wrong(element.line, "node", fmt::format("there is another node \"{}\"", *id),
                          fmt::format("in line {}", line_of_node_[*id]));
    const std::size_t vertex = graph_.vertex(*id, element.line);
    for (const XmlElement& child : element.children)
      if (child.name == "graph") graph_.wrong(child.line, "graph", "a graph in a node is not read");
    each_datum(element, /*of_edges=*/false, [&](const Key& key, const std::string& text, std::uint32_t) {
      if (!is_role(key.name)) return;
      if (const auto host = is_host_word(text)) graph_.declare(vertex, *host);
    });
  }

  void read_edge(const XmlElement& element) {
    const std::string *const from = element.attribute("source"), *const to = element.attribute("target");
    PlainGraph::Edge edge{{}, {}, element.line};
    for (const auto& [end, name] : {std::pair(from, "source"), {to, "target"}})
      if (end == nullptr)
        return graph_.wrong(element.line, "edge", fmt::format("has no {}", name));
      else if (!line_of_node_.contains(*end))
        return graph_.wrong(element.line, fmt::format("edge.{}", name),
                            fmt::format("there is no node \"{}\"", *end));
    each_datum(element, /*of_edges=*/true, [&](const Key& key, const std::string& text, std::uint32_t line) {
      const EdgeKey of = edge_key(key.name);
      if (of.value != EdgeValue::none && text.find_first_not_of(" \t\r\n") != std::string::npos)
        set_value(graph_, edge, of, key.name, text, line);
    });
    const std::string* const directed = element.attribute("directed");
    graph_.edge(graph_.vertex(*from, element.line), graph_.vertex(*to, element.line), std::move(edge),
                directed == nullptr ? directed_ : *directed == "true");
  }

  template <class Use>
  void each_datum(const XmlElement& element, bool of_edges, const Use& use) {
    std::set<std::string_view> given;
    for (const XmlElement& child : element.children) {
      if (child.name != "data") continue;
      const std::string* const id = child.attribute("key");
      const auto key = id == nullptr ? keys_.end() : keys_.find(*id);
      if (key == keys_.end()) {
        graph_.wrong(child.line, "data",
                     id == nullptr ? "has no key" : fmt::format("there is no key \"{}\"", *id));
        continue;
      }
      given.insert(key->first);
      use(key->second, child.text, child.line);
    }
    for (const auto& [id, key] : keys_)
      if (key.otherwise != nullptr && (of_edges ? key.of_edges : key.of_nodes) && !given.contains(id))
        use(key, *key.otherwise, key.line);
  }

  PlainGraph graph_;
  std::map<std::string, Key> keys_;
  std::map<std::string, std::uint32_t> line_of_node_;
  std::set<std::string> other_;
  bool directed_ = false;
};

Import import_graphml(const Request& request, Mistakes& mistakes) {
  const XmlElement root = read_xml(request.first().text, request.first().path);
  if (root.name != "graphml") {
    mistakes.add({"FILE", fmt::format("the root element is {}", root.name), "graphml",
                  place_in(request.first().path, root.line)});
    return {};
  }
  return GraphmlReader(request, mistakes).import(root);
}

}  // namespace

Format graphml() {
  return {"graphml", "GraphML: nodes, edges, and data named rate, delay or type", recognises_graphml,
          import_graphml};
}

}  // namespace headway::imports
