// SPDX-License-Identifier: Apache-2.0
// Graphs that say which vertices are linked, in whatever form, and not how a network is made of them.
//
// Choice: vertices of degree one are hosts, the others are switches. If fewer than two vertices have degree
// one, the graph is one of switches only, and each gets a node. A file that says itself which vertices are
// hosts decides instead.
//
// Choice: what a directed graph or a list has once in each direction is one link. What it has k times in one
// direction is k links. Each edge of an undirected graph is a link. What has no link is left out, and named.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/imports/network_draft.h"

namespace headway::imports {

class PlainGraph {
 public:
  static constexpr std::size_t kMostParallelLinks = 1000;  // between two vertices
  PlainGraph(const Request& request, Mistakes& mistakes)
      : path_(request.first().path), request_(request), mistakes_(mistakes) {}

  // Names that occur for the first time are vertices from here on.
  std::size_t vertex(std::string_view name, std::uint32_t line);
  void declare(std::size_t vertex, bool is_host) { declared_[vertex] = is_host; }

  struct Edge {
    std::optional<std::string> rate = {}, delay = {};
    std::uint32_t line = 0;
  };
  void edge(std::size_t from, std::size_t to, Edge edge, bool directed = true);

  void wrong(std::uint32_t line, std::string key, std::string message, std::string hint = "");
  SpecText& spec() { return spec_; }

  Import import(std::string_view what);

 private:
  void pair_directions(NetworkDraft& draft);
  void leave_out_unlinked(NetworkDraft& draft);
  void choose_hosts(NetworkDraft& draft);

  std::string path_;
  const Request& request_;
  Mistakes& mistakes_;
  SpecText spec_;
  std::vector<DraftVertex> vertices_;
  std::map<std::string, std::size_t, std::less<>> number_of_;
  std::map<std::size_t, bool> declared_;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<Edge>> edges_;  // [from, to]
  std::vector<std::pair<std::size_t, std::size_t>> order_;                  // of the pairs in the file
  std::size_t edge_count_ = 0, wrong_ = 0;
};

// The names of attributes and columns, as other tools have them, and units that names contain: "rate_gbps".
enum class EdgeValue { rate, delay, none };
struct EdgeKey {
  EdgeValue value = EdgeValue::none;
  std::string unit;  // of numbers without one; can be empty
};
EdgeKey edge_key(std::string_view name);
// The usual name that a word is probably meant to be: "rate", "delay", "type"; none. Data of graphs have
// names of any kind, so only a name with one wrong letter is taken for another.
std::optional<std::string_view> nearest_edge_key(std::string_view name);

// Sets the rate or delay of an edge, or reports that the text is none.
void set_value(PlainGraph& graph, PlainGraph::Edge& edge, const EdgeKey& key, std::string_view name,
               std::string_view text, std::uint32_t line);

// Whether a word says that a vertex is a host or a switch; none: it says neither.
std::optional<bool> is_host_word(std::string_view word);

}  // namespace headway::imports
