// SPDX-License-Identifier: Apache-2.0
// Forwarding tables as dumped from real fabrics: per switch, the output port for each destination.
//
//     switch leaf0            # by the name or number of the topology file; lines below belong to it
//     host3   3               # destination, by name or number, and port
//     8-15    18              # destinations by number
//     *       19              # all that have no line of their own
//
// A '#' begins a comment. The reader follows the traffic from every node. It reports a destination without a
// port, a port that is not connected or leads to another node, a loop, and a cycle of links that wait for
// each other.
#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>
#include <utility>

#include "headway/base/input_file.h"
#include "headway/base/paths.h"
#include "headway/config/nearest.h"
#include "headway/routing/dependencies.h"
#include "headway/routing/reach.h"
#include "headway/routing/routing.h"

namespace headway {
namespace {

constexpr std::size_t kMostShown = 20;  // mistakes of the routes, beyond those of the text

class TableReader {
 public:
  TableReader(const Graph& graph, const InputFile& file, Mistakes& mistakes)
      : graph_(graph),
        file_(short_path(file.path())),
        text_(file.text("routing.file", mistakes)),
        mistakes_(mistakes),
        line_of_(std::size_t{graph.switches()} * graph.nodes()),
        candidates_(line_of_.size()) {
    if (const auto* names = std::get_if<IrregularShape>(&graph.shape())) {
      for (SwitchId sw = 0; sw < names->switch_names.size(); ++sw)
        switch_of_.emplace(names->switch_names[sw], sw);
      for (NodeId node = 0; node < names->node_names.size(); ++node)
        node_of_.emplace(names->node_names[node], node);
    }
    for (SwitchId sw = 0; sw < graph.switches(); ++sw) switch_of_.emplace(std::to_string(sw), sw);
  }

  void read() {
    if (text_ == nullptr) return;
    SwitchId sw = kNone;
    bool known = false;
    line_ = 1;
    for (std::string_view rest = *text_; !rest.empty(); ++line_) {
      const std::string line(rest.substr(0, rest.find('\n')));
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
      std::istringstream words(line.substr(0, line.find('#')));
      std::string first, second, more;
      if (!(words >> first)) continue;
      words >> second >> more;
      if (second.empty() || !more.empty()) {
        wrong("\"" + line + "\" is not a route", "\"switch NAME\", or a destination and a port");
      } else if (first == "switch") {
        const auto found = switch_of_.find(second);
        known = found != switch_of_.end();
        if (known) header_of_.emplace(found->second, line_);
        if (known)
          sw = found->second;
        else
          wrong("there is no switch \"" + second + "\"", meant(second, switch_of_));
      } else if (!known) {
        if (sw == kNone) wrong("a line with a switch must precede the first route", "\"switch NAME\"");
        sw = 0;
      } else {
        add_route(sw, first, second);
      }
    }
    fill_defaults();
  }

  RouteTable routes() const { return RouteTable::from_table(graph_.nodes(), candidates_); }

  // Follows all traffic; needs a table without mistakes.
  void check_routes() {
    const RouteTable table = routes();
    std::size_t more = 0;
    const auto fault = [&](Mistake mistake) {
      if (++more <= kMostShown) mistakes_.add(std::move(mistake));
    };
    Reach reach(graph_, table);
    for (NodeId destination = 0; destination < graph_.nodes(); ++destination) {
      std::vector<SwitchId> reached;
      reach.follow(destination, [&](PortId, PortId input) { reached.push_back(graph_.switch_of(input)); });
      std::ranges::sort(reached);
      reached.erase(std::unique(reached.begin(), reached.end()), reached.end());
      std::map<SwitchId, SwitchId> next;
      for (const SwitchId sw : reached) {
        const PortRange route = table.at(sw, destination);
        if (route.count == 0) {
          fault({"routing.file", switch_name(sw) + " has no port for destination " + node_name(destination),
                 "traffic for this destination reaches the switch", place_of_switch(sw)});
          continue;
        }
        const PortId peer = graph_.peer_of(graph_.port(sw, route.first));
        if (graph_.is_node_port(peer) && graph_.node_of(peer) != destination)
          fault({"routing.file",
                 "port " + std::to_string(route.first) + " of " + switch_name(sw) + " leads to node " +
                     node_name(graph_.node_of(peer)) + ", not to " + node_name(destination),
                 "", place(sw, destination)});
        else if (!graph_.is_node_port(peer))
          next[sw] = graph_.switch_of(peer);
      }
      report_loop(destination, next, fault);
    }
    if (more > kMostShown)
      mistakes_.add({"routing.file",
                     "and " + std::to_string(more - kMostShown) + " more mistakes of this kind", "", file_});
  }

  void check_cycles() {
    const std::vector<Channel> cycle = find_dependency_cycle(graph_, routes());
    if (cycle.empty()) return;
    mistakes_.add({"routing.file",
                   "links can wait for each other in a cycle, so the network can deadlock: " +
                       to_text(cycle, graph_, LaneRules()),
                   "cycles = \"allow\" permits such routes", place_of_route(cycle)});
  }

 private:
  void wrong(std::string message, std::string hint = "") {
    mistakes_.add({"routing.file", std::move(message), std::move(hint), place_of_line(line_)});
  }
  std::string place_of_line(std::uint32_t line) const { return file_ + ':' + std::to_string(line) + ":1"; }
  std::string place(SwitchId sw, NodeId node) const { return place_of_line(line_of_[index(sw, node)]); }
  std::string place_of_switch(SwitchId sw) const {
    const auto found = header_of_.find(sw);
    return found == header_of_.end() ? file_ : place_of_line(found->second);
  }
  // The place of the first route that uses one of the outputs.
  std::string place_of_route(const std::vector<Channel>& channels) const {
    for (const auto& [output, lane] : channels) {
      if (graph_.is_node_port(output)) continue;
      const SwitchId sw = graph_.switch_of(output);
      for (NodeId node = 0; node < graph_.nodes(); ++node)
        if (candidates_[index(sw, node)] == PortRange{static_cast<std::uint16_t>(graph_.local(output)), 1})
          return place(sw, node);
    }
    return file_;
  }
  std::size_t index(SwitchId sw, NodeId node) const { return std::size_t{sw} * graph_.nodes() + node; }

  template <class Names>
  static std::string meant(const std::string& word, const Names& names) {
    std::vector<std::string_view> known;
    if (number(word)) return "";
    for (const auto& [name, id] : names) known.push_back(name);
    const auto found = nearest(word, known);
    return found ? "did you mean \"" + std::string(*found) + "\"?" : "";
  }

  static std::optional<std::uint32_t> number(std::string_view text) {
    std::uint32_t value = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || end.ec != std::errc() || end.ptr != text.data() + text.size()) return std::nullopt;
    return value;
  }

  // The destinations that a word names: a node, or a range of numbers.
  std::optional<std::pair<NodeId, NodeId>> nodes_of(const std::string& word) const {
    if (const auto found = node_of_.find(word); found != node_of_.end())
      return std::pair{found->second, found->second};
    const std::size_t dash = word.find('-');
    const auto first = number(word.substr(0, dash));
    const auto last = dash == std::string::npos ? first : number(word.substr(dash + 1));
    if (!first || !last || *first > *last || *last >= graph_.nodes()) return std::nullopt;
    return std::pair{*first, *last};
  }

  void add_route(SwitchId sw, const std::string& destinations, const std::string& port_text) {
    const auto port = number(port_text);
    if (!port || *port >= graph_.radix(sw))
      return wrong(switch_name(sw) + " has no port \"" + port_text + "\"",
                   "ports 0 to " + std::to_string(graph_.radix(sw) - 1));
    if (graph_.peer_of(graph_.port(sw, *port)) == kNone)
      return wrong("port " + port_text + " of " + switch_name(sw) + " is not connected");
    const PortRange route{static_cast<std::uint16_t>(*port), 1};
    if (destinations == "*") {
      const auto [first, fresh] = default_of_.emplace(sw, std::pair{route, line_});
      if (!fresh)
        wrong(switch_name(sw) + " already has a port for all other destinations",
              "at " + place_of_line(first->second.second));
      return;
    }
    const auto range = nodes_of(destinations);
    if (!range) return wrong("there is no node \"" + destinations + "\"", meant(destinations, node_of_));
    for (NodeId node = range->first; node <= range->second; ++node) {
      if (line_of_[index(sw, node)] != 0)
        return wrong(switch_name(sw) + " has a port for node " + node_name(node), "at " + place(sw, node));
      line_of_[index(sw, node)] = line_;
      candidates_[index(sw, node)] = route;
    }
  }

  void fill_defaults() {
    for (const auto& [sw, route] : default_of_)
      for (NodeId node = 0; node < graph_.nodes(); ++node) {
        if (line_of_[index(sw, node)] != 0) continue;
        candidates_[index(sw, node)] = route.first;
        line_of_[index(sw, node)] = route.second;
      }
  }

  template <class Fault>
  void report_loop(NodeId destination, std::map<SwitchId, SwitchId> next, Fault&& fault) {
    while (!next.empty()) {
      std::vector<SwitchId> path = {next.begin()->first};
      for (auto step = next.begin(); step != next.end(); step = next.find(path.back())) {
        const SwitchId to = step->second;
        next.erase(step);
        const auto met = std::ranges::find(path, to);
        if (met == path.end()) {
          path.push_back(to);
          continue;
        }
        std::string text;
        for (auto sw = met; sw != path.end(); ++sw) text += switch_name(*sw) + " -> ";
        fault({"routing.file",
               "traffic for " + node_name(destination) + " circulates in a loop: " + text + switch_name(to),
               "", place(to, destination)});
        break;
      }
    }
  }

  std::string switch_name(SwitchId sw) const { return "switch " + graph_.switch_name(sw); }
  std::string node_name(NodeId node) const { return graph_.node_name(node); }

  const Graph& graph_;
  std::string file_;         // its name
  const std::string* text_;  // its content; null if it cannot be read
  Mistakes& mistakes_;
  std::uint32_t line_ = 0;
  std::vector<std::uint32_t> line_of_;  // [switch * nodes + destination], 0: none
  std::vector<PortRange> candidates_;
  std::map<SwitchId, std::pair<PortRange, std::uint32_t>> default_of_;  // and its line
  std::map<SwitchId, std::uint32_t> header_of_;                         // line
  std::map<std::string, SwitchId> switch_of_;
  std::map<std::string, NodeId> node_of_;
};

enum class Cycles { refuse, allow };

}  // namespace

template <>
struct Names<Cycles> {
  static constexpr std::string_view kList[] = {"refuse", "allow"};
};

namespace {

class Table final : public Routing {
 public:
  void describe(Parameters& parameters) override {
    parameters.field({.name = "file",
                      .help = "file with an output port per switch and destination (docs/files.md); a "
                              "relative path is relative to the spec"},
                     file_);
    parameters.field({.name = "cycles",
                      .help = "treatment of routes that can deadlock: report an error, or run them (a run "
                              "detects a deadlock)"},
                     cycles_);
  }
  bool single_path() const override { return true; }

  bool routes(const Shape&) const override { return true; }

 private:
  Routes routes_of(const Graph& graph) const override {
    Mistakes mistakes;
    if (!file_.named()) mistakes.add("routing.file", "no file is given", "file = \"routes.txt\"");
    mistakes.throw_if_any();
    TableReader reader(graph, file_, mistakes);
    reader.read();
    mistakes.throw_if_any();
    reader.check_routes();
    mistakes.throw_if_any();
    if (cycles_ == Cycles::refuse) reader.check_cycles();
    mistakes.throw_if_any();
    return reader.routes();
  }

  InputFile file_;
  Cycles cycles_ = Cycles::refuse;
};

}  // namespace

Entry<Routing> table() {
  return {"table", "forwarding tables read from a file, such as one dumped from a fabric", "Headway",
          make_entry<Routing, Table>};
}

}  // namespace headway
