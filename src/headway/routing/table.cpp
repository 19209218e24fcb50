// SPDX-License-Identifier: Apache-2.0
// Forwarding tables as dumped from real fabrics: per switch, the output port, or ports, for each destination.
//
//     switch leaf0            # by the name or number of the topology file; lines below belong to it
//     host3   3               # destination, by name or number, and port
//     8-15    18              # destinations by number
//     16      18,19           # each of these ports
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
#include "headway/routing/port_sets.h"
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

  // With several ports, source and destination determine one of them, or it is drawn.
  RouteTable routes(bool per_pair) const {
    if (sets_.ports().empty()) return RouteTable::from_table(graph_.nodes(), candidates_);
    return RouteTable::from_sets(graph_.nodes(), candidates_, sets_.ports(), per_pair);
  }

  // Follows all traffic; needs a table without mistakes.
  void check_routes() {
    const RouteTable table = routes(true);
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
      Successors next;
      for (const SwitchId sw : reached) {
        const PortRange route = table.at(sw, destination);
        if (route.count == 0) {
          fault({"routing.file", switch_name(sw) + " has no port for destination " + node_name(destination),
                 "traffic for this destination reaches the switch", place_of_switch(sw)});
          continue;
        }
        for (std::uint32_t number = 0; number < route.count; ++number) {
          const std::uint32_t port = table.port(route, number);
          const PortId peer = graph_.peer_of(graph_.port(sw, port));
          if (graph_.is_node_port(peer) && graph_.node_of(peer) != destination)
            fault({"routing.file",
                   "port " + std::to_string(port) + " of " + switch_name(sw) + " leads to node " +
                       node_name(graph_.node_of(peer)) + ", not to " + node_name(destination),
                   "", place(sw, destination)});
          else if (!graph_.is_node_port(peer))
            next[sw].push_back(graph_.switch_of(peer));
        }
      }
      report_loop(destination, next, fault);
    }
    if (more > kMostShown)
      mistakes_.add({"routing.file",
                     "and " + std::to_string(more - kMostShown) + " more mistakes of this kind", "", file_});
  }

  void check_cycles() {
    const std::vector<Channel> cycle = find_dependency_cycle(graph_, routes(true));
    if (cycle.empty()) return;
    mistakes_.add({"routing.file",
                   "links can wait for each other in a cycle, so the network can deadlock: " +
                       to_text(cycle, graph_, LaneRules()),
                   "cycles = \"allow\" permits such routes", place_of_route(cycle)});
  }

 private:
  using Successors = std::map<SwitchId, std::vector<SwitchId>>;  // of the switches on the way to a node

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
        if (has_port(candidates_[index(sw, node)], graph_.local(output))) return place(sw, node);
    }
    return file_;
  }
  bool has_port(PortRange route, std::uint32_t port) const {
    if (route.count == 1) return route.first == port;
    const auto first = sets_.ports().begin() + route.first;
    return std::find(first, first + route.count, port) != first + route.count;
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

  // The ports of a list such as "4,5,6"; none if one of them is wrong.
  std::optional<PortRange> ports_of(SwitchId sw, std::string_view list) {
    std::vector<std::uint16_t> ports;
    for (bool last = false; !last;) {
      const std::size_t comma = list.find(',');
      last = comma == std::string_view::npos;
      const std::string text(list.substr(0, comma));
      if (!last) list.remove_prefix(comma + 1);
      const auto port = number(text);
      if (!port || *port >= graph_.radix(sw))
        wrong(switch_name(sw) + " has no port \"" + text + "\"",
              "ports 0 to " + std::to_string(graph_.radix(sw) - 1));
      else if (graph_.peer_of(graph_.port(sw, *port)) == kNone)
        wrong("port " + text + " of " + switch_name(sw) + " is not connected");
      else if (std::ranges::find(ports, *port) != ports.end())
        wrong("port " + text + " is given twice");
      else {
        ports.push_back(static_cast<std::uint16_t>(*port));
        continue;
      }
      return std::nullopt;
    }
    const std::optional<PortRange> range = sets_.range_of(std::move(ports));
    if (!range) wrong("the file has too many different sets of ports");
    return range;
  }

  void add_route(SwitchId sw, const std::string& destinations, const std::string& port_text) {
    const std::optional<PortRange> ports = ports_of(sw, port_text);
    if (!ports) return;
    const PortRange route = *ports;
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

  // Goes on from every switch until there is no step left, and then back.
  template <class Fault>
  void report_loop(NodeId destination, Successors next, Fault&& fault) {
    while (!next.empty()) {
      std::vector<SwitchId> path = {next.begin()->first};
      while (!path.empty()) {
        const auto step = next.find(path.back());
        if (step == next.end() || step->second.empty()) {
          next.erase(path.back());
          path.pop_back();
          continue;
        }
        const SwitchId to = step->second.front();
        step->second.erase(step->second.begin());
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
  PortSets sets_;
  std::map<SwitchId, std::pair<PortRange, std::uint32_t>> default_of_;  // and its line
  std::map<SwitchId, std::uint32_t> header_of_;                         // line
  std::map<std::string, SwitchId> switch_of_;
  std::map<std::string, NodeId> node_of_;
};

enum class Cycles { refuse, allow };
enum class PortChoice { pair, packet };

}  // namespace

template <>
struct Names<Cycles> {
  static constexpr std::string_view kList[] = {"refuse", "allow"};
};
template <>
struct Names<PortChoice> {
  static constexpr std::string_view kList[] = {"pair", "packet"};
};

namespace {

class Table final : public Routing {
 public:
  void describe(Parameters& parameters) override {
    parameters.field({.name = "file",
                      .help = "file with an output port, or several, per switch and destination "
                              "(docs/files.md); a relative path is relative to the spec"},
                     file_);
    parameters.field({.name = "choice",
                      .help = "who chooses among several ports: source and destination, by a hash (pair), or "
                              "every packet, at random (packet)"},
                     choice_);
    parameters.field({.name = "cycles",
                      .help = "treatment of routes that can deadlock: report an error, or run them (a run "
                              "detects a deadlock)"},
                     cycles_);
  }
  bool single_path() const override { return choice_ == PortChoice::pair || !has_several_ports(); }
  bool by_destination() const override { return !has_several_ports(); }

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
    return reader.routes(choice_ == PortChoice::pair);
  }
  // Is there a list of ports in the file?
  bool has_several_ports() const {
    Mistakes none;  // a reader reports them
    const std::string* const text = file_.named() ? file_.text("", none) : nullptr;
    if (text == nullptr || text->find(',') == std::string::npos) return false;
    std::string line, destinations, ports;
    for (std::istringstream lines(*text); std::getline(lines, line);) {
      std::istringstream words(line.substr(0, line.find('#')));
      if (words >> destinations >> ports && destinations != "switch" && ports.find(',') != std::string::npos)
        return true;
    }
    return false;
  }

  InputFile file_;
  Cycles cycles_ = Cycles::refuse;
  PortChoice choice_ = PortChoice::pair;
};

}  // namespace

Entry<Routing> table() {
  return {"table", "forwarding tables read from a file, such as one dumped from a fabric", "Headway",
          make_entry<Routing, Table>};
}

}  // namespace headway
