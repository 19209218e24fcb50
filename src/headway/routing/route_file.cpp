// SPDX-License-Identifier: Apache-2.0
// Forwarding tables as dumped from real fabrics: per switch, the output port, or ports, for each destination.
//
//     switch leaf0            # name or number in the topology file; the lines below belong to it
//     host3   3               # destination, by name or number, and port
//     8-15    18              # destinations by number
//     16      18,19           # several ports
//     *       19              # all destinations without a line of their own
//
// A '#' begins a comment. A NumPy array has the port of every switch and destination, or a list of ports that
// ends at a negative number. The output of ibroute, dump_lfts.sh and OpenSM for an InfiniBand network has a
// table for each switch with the port of each local identifier (infiniband-diags, ibroute(8)).
//
//     Unicast lids [0x0-0x14] of switch Lid 3 guid 0x0002c9020046c588 (leaf0):
//     0x0004 022 : (Channel Adapter portguid 0x0008f10403961355: 'host7 HCA-1')
//
// The reader follows the traffic from every node. It reports a destination without a port, a port that is not
// connected or leads to another node, a loop, and a cycle of links that wait for each other.
#include "headway/routing/route_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>

#include "headway/base/paths.h"
#include "headway/config/nearest.h"
#include "headway/config/row_reader.h"
#include "headway/routing/lanes.h"
#include "headway/routing/reach.h"

namespace headway {
namespace {

constexpr std::size_t kMostShown = 20;  // mistakes of the routes, beyond those of the text
constexpr std::string_view kDumpHead = "Unicast lids ";

template <class Names>
std::string meant(const std::string& word, const Names& names) {
  std::vector<std::string_view> known;
  if (whole_number(word)) return "";
  for (const auto& [name, id] : names) known.push_back(name);
  const auto found = nearest(word, known);
  return found ? "did you mean \"" + std::string(*found) + "\"?" : "";
}

// The number at the beginning of a text, in base 16.
std::optional<std::uint64_t> hex_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc()) return std::nullopt;
  return value;
}

// Returns true if a line of a dump has no route.
bool is_dump_note(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  if (first == std::string_view::npos || line[first] == '#') return true;
  const std::string_view words = line.substr(first);
  return words.starts_with("Lid ") || words.starts_with("Port ") ||
         words.find(" lids dumped") != std::string_view::npos;
}

}  // namespace

RouteFile::RouteFile(const Graph& graph, const InputFile& file, Mistakes& mistakes)
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
    for (SwitchId sw = 0; sw < names->switch_guids.size(); ++sw)
      switch_of_guid_.emplace(names->switch_guids[sw], sw);
    for (NodeId node = 0; node < names->node_lids.size(); ++node)
      if (names->node_lids[node] != 0) node_of_lid_.emplace(names->node_lids[node], node);
  }
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) switch_of_.emplace(std::to_string(sw), sw);
}

void RouteFile::read() {
  if (text_ == nullptr) return;
  if (is_npy(*text_)) return read_array(*text_);
  if (text_->starts_with(kDumpHead))
    read_dump(*text_);
  else
    read_text(*text_);
  fill_defaults();
}

void RouteFile::read_text(std::string_view text) {
  SwitchId sw = kNone;
  bool known = false;
  line_ = 1;
  for (std::string_view rest = text; !rest.empty(); ++line_) {
    const std::string line(rest.substr(0, rest.find('\n')));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    std::istringstream words(line.substr(0, line.find('#')));
    std::string first, second, more;
    if (!(words >> first)) continue;
    words >> second >> more;
    if (second.empty() || !more.empty()) {
      wrong("\"" + line + "\" is not a route", "write \"switch NAME\", or a destination and a port");
    } else if (first == "switch") {
      const auto found = switch_of_.find(second);
      known = found != switch_of_.end();
      if (known) header_of_.emplace(found->second, line_);
      if (known)
        sw = found->second;
      else
        wrong("there is no switch \"" + second + "\"", meant(second, switch_of_));
    } else if (!known) {
      if (sw == kNone) wrong("a line with a switch must precede the first route", "write \"switch NAME\"");
      sw = 0;
    } else {
      add_route(sw, first, second);
    }
  }
}

void RouteFile::read_dump(std::string_view text) {
  if (switch_of_guid_.empty()) {
    mistakes_.add({"routing.file", "a dump of forwarding tables needs the GUIDs of the network",
                   "use topology = \"file\" with the output of ibnetdiscover", file_});
    return;
  }
  std::optional<SwitchId> sw;
  line_ = 1;
  for (std::string_view rest = text; !rest.empty(); ++line_) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.starts_with(kDumpHead))
      sw = read_dump_head(line);
    else if (line.starts_with("0x") && sw)
      read_dump_route(*sw, line);
    else if (!line.starts_with("0x") && !is_dump_note(line))
      wrong("this line is not one of a dump of forwarding tables",
            "such a line is 0xLID PORT : (DESTINATION)");
  }
}

// Unicast lids [0x0-0x14] of switch Lid 3 guid 0x0002c9020046c588 (NAME):
std::optional<SwitchId> RouteFile::read_dump_head(std::string_view line) {
  constexpr std::string_view kGuid = " guid 0x";
  const std::size_t at = line.find(kGuid);
  const auto guid = at == std::string_view::npos ? std::nullopt : hex_number(line.substr(at + kGuid.size()));
  if (!guid) {
    wrong("this heading has no GUID of a switch", "a heading contains guid 0x and 16 digits");
    return std::nullopt;
  }
  const auto found = switch_of_guid_.find(*guid);
  if (found == switch_of_guid_.end()) {
    wrong(fmt::format("there is no switch with the GUID {:016x}", *guid));
    return std::nullopt;
  }
  const auto [first, fresh] = header_of_.emplace(found->second, line_);
  if (fresh) return found->second;
  wrong(switch_name(found->second) + " has a table already", "see " + place_of_line(first->second));
  return std::nullopt;
}

// 0x0014 001 : (Channel Adapter portguid 0x0021283a8620b0a0: 'NAME')
//
// Choice: unknown local identifiers are ignored; they belong to switches, or are additional ones of a node.
void RouteFile::read_dump_route(SwitchId sw, std::string_view line) {
  std::istringstream words{std::string(line.substr(2))};
  std::string lid_word, port_word;
  words >> lid_word >> port_word;
  const auto lid = hex_number(lid_word);
  const auto port = whole_number(port_word);
  if (!lid || !port) return wrong("\"" + std::string(line) + "\" is not a route", "a route is 0xLID PORT");
  const auto node = node_of_lid_.find(static_cast<std::uint32_t>(*lid));
  if (node == node_of_lid_.end()) return;
  if (const auto route = ports_of(sw, std::to_string(*port)))
    set_route(sw, node->second, node->second, *route);
}

RouteTable RouteFile::routes(bool per_pair) const {
  if (sets_.ports().empty()) return RouteTable::from_table(graph_.nodes(), candidates_);
  return RouteTable::from_sets(graph_.nodes(), candidates_, sets_.ports(), per_pair);
}

void RouteFile::check_routes() {
  const RouteTable table = routes(true);
  std::size_t more = 0;
  const auto fault = [&](Mistake mistake) {
    if (++more <= kMostShown) mistakes_.add(std::move(mistake));
  };
  Reach reach(graph_, table);
  for (NodeId destination = 0; destination < graph_.nodes(); ++destination) {
    std::vector<SwitchId> reached;
    std::set<SwitchId> reached_from_switches;
    reach.follow(destination, [&](PortId output, PortId input) {
      reached.push_back(graph_.switch_of(input));
      if (!graph_.is_node_port(output)) reached_from_switches.insert(reached.back());
    });
    std::ranges::sort(reached);
    reached.erase(std::unique(reached.begin(), reached.end()), reached.end());
    Successors next;
    for (const SwitchId sw : reached) {
      const PortRange route = table.at(sw, destination);
      if (route.count == 0) {
        // failures can leave nodes without a path; Routing::build judges this
        if (graph_.has_failures() && !reached_from_switches.contains(sw)) continue;
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
    mistakes_.add({"routing.file", "and " + std::to_string(more - kMostShown) + " more mistakes of this kind",
                   "", file_});
}

void RouteFile::check_cycles() {
  const std::vector<Channel> cycle = find_dependency_cycle(graph_, routes(true));
  if (cycle.empty()) return;
  mistakes_.add({"routing.file",
                 "links can wait for each other in a cycle, so the network can deadlock: " +
                     to_text(cycle, graph_, LaneRules()),
                 "cycles = \"allow\" permits such routes, and cycles = \"lanes\" those that "
                 "switch.lane_table_file breaks",
                 place_of_route(cycle)});
}

void RouteFile::wrong(std::string message, std::string hint) {
  mistakes_.add({"routing.file", std::move(message), std::move(hint), place_of_line(line_)});
}

std::string RouteFile::place_of_switch(SwitchId sw) const {
  const auto found = header_of_.find(sw);
  return found == header_of_.end() ? file_ : place_of_line(found->second);
}

std::string RouteFile::place_of_route(const std::vector<Channel>& channels) const {
  for (const auto& [output, lane] : channels) {
    if (graph_.is_node_port(output)) continue;
    const SwitchId sw = graph_.switch_of(output);
    for (NodeId node = 0; node < graph_.nodes(); ++node)
      if (has_port(candidates_[index(sw, node)], graph_.local(output))) return place(sw, node);
  }
  return file_;
}

bool RouteFile::has_port(PortRange route, std::uint32_t port) const {
  if (route.count == 1) return route.first == port;
  const auto first = sets_.ports().begin() + route.first;
  return std::find(first, first + route.count, port) != first + route.count;
}

std::optional<std::pair<NodeId, NodeId>> RouteFile::nodes_of(const std::string& word) const {
  if (const auto found = node_of_.find(word); found != node_of_.end())
    return std::pair{found->second, found->second};
  const std::size_t dash = word.find('-');
  const auto first = whole_number(word.substr(0, dash));
  const auto last = dash == std::string::npos ? first : whole_number(word.substr(dash + 1));
  if (!first || !last || *first > *last || *last >= graph_.nodes()) return std::nullopt;
  return std::pair{*first, *last};
}

std::optional<PortRange> RouteFile::ports_of(SwitchId sw, std::string_view list) {
  std::vector<std::uint16_t> ports;
  for (bool last = false; !last;) {
    const std::size_t comma = list.find(',');
    last = comma == std::string_view::npos;
    const std::string text(list.substr(0, comma));
    if (!last) list.remove_prefix(comma + 1);
    if (!add_port(sw, whole_number(text).value_or(kNone), text, ports)) return std::nullopt;
  }
  return set_of(std::move(ports));
}

bool RouteFile::add_port(SwitchId sw, std::uint32_t port, const std::string& text,
                         std::vector<std::uint16_t>& ports) {
  if (port >= graph_.radix(sw))
    wrong(switch_name(sw) + " has no port \"" + text + "\"",
          "ports 0 to " + std::to_string(graph_.radix(sw) - 1));
  else if (graph_.peer_of(graph_.port(sw, port)) == kNone)
    wrong("port " + text + " of " + switch_name(sw) + " is not connected");
  else if (std::ranges::find(ports, port) != ports.end())
    wrong("port " + text + (line_ == 0 ? " of " + switch_name(sw) : "") + " is given twice");
  else {
    ports.push_back(static_cast<std::uint16_t>(port));
    return true;
  }
  return false;
}

std::optional<PortRange> RouteFile::set_of(std::vector<std::uint16_t> ports) {
  const std::optional<PortRange> range = sets_.range_of(std::move(ports));
  if (!range) wrong("the file has too many different sets of ports");
  return range;
}

// [switch][destination] or [switch][destination][number of the port]
void RouteFile::read_array(const std::string& content) {
  NpyHeader header;
  try {
    header = read_npy(content);
  } catch (const NpyError& error) {
    return wrong("is no NumPy array of ports: " + std::string(error.what()));
  }
  const auto& shape = header.shape;
  const bool fits = (shape.size() == 2 || (shape.size() == 3 && shape[2] > 0)) &&
                    shape[0] == graph_.switches() && shape[1] == graph_.nodes();
  if (header.is_structured || !header.fields[0].type.is_integer())
    return wrong("its elements are not integers");
  if (!fits)
    return wrong("its shape is " + header.shape_text(),
                 std::to_string(graph_.switches()) + " x " + std::to_string(graph_.nodes()) +
                     " in this network, or a third dimension for several ports");
  const std::size_t most = shape.size() == 3 ? shape[2] : 1;
  const char* at = content.data() + header.data;
  for (SwitchId sw = 0; sw < graph_.switches() && mistakes_.list().size() < kMostShown; ++sw)
    for (NodeId node = 0; node < graph_.nodes(); ++node, at += most * header.element_bytes)
      if (const auto ports = ports_at(sw, header, at, most)) candidates_[index(sw, node)] = *ports;
}

std::optional<PortRange> RouteFile::ports_at(SwitchId sw, const NpyHeader& header, const char* at,
                                             std::size_t most) {
  std::vector<std::uint16_t> ports;
  for (std::size_t i = 0; i < most; ++i, at += header.element_bytes) {
    const std::optional<std::int64_t> port = header.fields[0].type.integer(at);
    if (port && *port < 0) break;
    const auto known = static_cast<std::uint32_t>(port ? std::min(*port, std::int64_t{kNone}) : kNone);
    if (!add_port(sw, known, port ? std::to_string(*port) : "above 2^63", ports)) return std::nullopt;
  }
  return set_of(std::move(ports));
}

void RouteFile::add_route(SwitchId sw, const std::string& destinations, const std::string& port_text) {
  const std::optional<PortRange> ports = ports_of(sw, port_text);
  if (!ports) return;
  const PortRange route = *ports;
  if (destinations == "*") {
    const auto [first, fresh] = default_of_.emplace(sw, std::pair{route, line_});
    if (!fresh)
      wrong(switch_name(sw) + " already has a port for all other destinations",
            "see " + place_of_line(first->second.second));
    return;
  }
  const auto range = nodes_of(destinations);
  if (!range) return wrong("there is no node \"" + destinations + "\"", meant(destinations, node_of_));
  set_route(sw, range->first, range->second, route);
}

void RouteFile::set_route(SwitchId sw, NodeId first, NodeId last, PortRange route) {
  for (NodeId node = first; node <= last; ++node) {
    if (line_of_[index(sw, node)] != 0)
      return wrong(switch_name(sw) + " has a port for node " + node_name(node), "see " + place(sw, node));
    line_of_[index(sw, node)] = line_;
    candidates_[index(sw, node)] = route;
  }
}

void RouteFile::fill_defaults() {
  for (const auto& [sw, route] : default_of_)
    for (NodeId node = 0; node < graph_.nodes(); ++node) {
      if (line_of_[index(sw, node)] != 0) continue;
      candidates_[index(sw, node)] = route.first;
      line_of_[index(sw, node)] = route.second;
    }
}

template <class Fault>
void RouteFile::report_loop(NodeId destination, Successors next, Fault&& fault) {
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
             "traffic for " + node_name(destination) + " circulates in a loop: " + text + switch_name(to), "",
             place(to, destination)});
    }
  }
}

}  // namespace headway
