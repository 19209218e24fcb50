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
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/base/npy.h"
#include "headway/base/parse_number.h"
#include "headway/config/row_reader.h"
#include "headway/routing/dependencies.h"
#include "headway/routing/port_sets.h"
#include "headway/routing/reach.h"
#include "headway/topology/members.h"

namespace headway {
namespace {

constexpr std::string_view kDumpHead = "Unicast";

// The number at the beginning of a text such as "0x0014".
std::optional<std::uint64_t> hex_number(std::string_view text) {
  if (!text.starts_with("0x")) return std::nullopt;
  text.remove_prefix(2);
  return take_number<std::uint64_t>(text, 16);
}

class RouteFile {
 public:
  RouteFile(const Graph& graph, const InputFile& file, Mistakes& mistakes)
      : graph_(graph),
        rows_(file, "routing.file", mistakes),
        line_of_(std::size_t{graph.switches()} * graph.nodes()),
        candidates_(line_of_.size()),
        switches_(switches_of(graph)),
        nodes_(nodes_of(graph)) {
    if (const auto* names = std::get_if<IrregularShape>(&graph.shape())) {
      for (SwitchId sw = 0; sw < names->switch_guids.size(); ++sw)
        switch_of_guid_.emplace(names->switch_guids[sw], sw);
      for (NodeId node = 0; node < names->node_lids.size(); ++node)
        if (names->node_lids[node] != 0) node_of_lid_.emplace(names->node_lids[node], node);
    }
  }

  // Detects the format from the beginning of the file.
  void read() {
    const std::string* const text = rows_.text();
    if (text == nullptr) return;
    if (is_npy(*text))
      read_array(*text);
    else if (text->starts_with(kDumpHead))
      read_dump();
    else
      read_text();
    fill_defaults();
    rows_.finish();
  }

  RouteTable routes(bool per_pair) const {
    if (sets_.ports().empty()) return RouteTable::from_table(graph_.nodes(), candidates_);
    return RouteTable::from_sets(graph_.nodes(), candidates_, sets_.ports(), per_pair);
  }

  // Follows all traffic; needs a table without mistakes.
  void check_routes() {
    const RouteTable table = routes(true);
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
          rows_.wrong_at(line_of_switch(sw),
                         switch_name(sw) + " has no port for destination " + node_name(destination),
                         "traffic for this destination reaches the switch");
          continue;
        }
        for (std::uint32_t number = 0; number < route.count; ++number) {
          const std::uint32_t port = table.port(sw, destination, route, number);
          const PortId peer = graph_.peer_of(graph_.port(sw, port));
          if (graph_.is_node_port(peer) && graph_.node_of(peer) != destination)
            rows_.wrong_at(line_of(sw, destination),
                           "port " + std::to_string(port) + " of " + switch_name(sw) + " leads to node " +
                               node_name(graph_.node_of(peer)) + ", not to " + node_name(destination));
          else if (!graph_.is_node_port(peer))
            next[sw].push_back(graph_.switch_of(peer));
        }
      }
      report_loops(destination, next);
    }
    rows_.finish();
  }

  void check_cycles() {
    const std::vector<Channel> cycle = find_dependency_cycle(graph_, routes(true));
    if (cycle.empty()) return;
    rows_.wrong_at(line_of_route(cycle),
                   "links can wait for each other in a cycle, so the network can deadlock: " +
                       to_text(cycle, graph_, LaneRules()),
                   "cycles = \"allow\" permits such routes, and cycles = \"lanes\" those that "
                   "switch.lane_table_file breaks");
  }

 private:
  using Successors = std::map<SwitchId, std::vector<SwitchId>>;  // next switches on the paths to a node

  void read_text() {
    std::optional<SwitchId> sw;
    bool has_switch = false;
    while (rows_.next()) {
      const auto& words = rows_.words();
      if (words.size() != 2) {
        rows_.wrong(not_a_route(), "write \"switch NAME\", or a destination and a port");
      } else if (words[0] == "switch") {
        has_switch = true;
        sw = switches_.single(words[1]);
        if (sw)
          header_of_.emplace(*sw, rows_.line());
        else
          rows_.wrong(switches_.no_such(words[1]), switches_.hint(words[1]));
      } else if (sw) {
        add_route(*sw, words[0], words[1]);
      } else if (!std::exchange(has_switch, true)) {
        rows_.wrong("a line with a switch must precede the first route", "write \"switch NAME\"");
      }
    }
  }

  void read_dump() {
    if (switch_of_guid_.empty())
      return rows_.wrong("a dump of forwarding tables needs the GUIDs of the network",
                         "use topology = \"file\" with the output of ibnetdiscover");
    std::optional<SwitchId> sw;
    while (rows_.next()) {
      const auto& words = rows_.words();
      if (words[0] == kDumpHead)
        sw = read_dump_head();
      else if (words[0].starts_with("0x") && sw)
        read_dump_route(*sw);
      else if (!words[0].starts_with("0x") && words[0] != "Lid" && words[0] != "Port" &&
               std::ranges::find(words, "dumped") == words.end())
        rows_.wrong("this line is not one of a dump of forwarding tables",
                    "such a line is 0xLID PORT : (DESTINATION)");
    }
  }

  // Unicast lids [0x0-0x14] of switch Lid 3 guid 0x0002c9020046c588 (NAME):
  std::optional<SwitchId> read_dump_head() {
    std::optional<std::uint64_t> guid;
    for (std::size_t i = 1; i < rows_.words().size() && !guid; ++i)
      if (rows_.words()[i - 1] == "guid") guid = hex_number(rows_.words()[i]);
    if (!guid) {
      rows_.wrong("this heading has no GUID of a switch", "a heading contains guid 0x and 16 digits");
      return std::nullopt;
    }
    const auto found = switch_of_guid_.find(*guid);
    if (found == switch_of_guid_.end()) {
      rows_.wrong(fmt::format("there is no switch with the GUID {:016x}", *guid));
      return std::nullopt;
    }
    const auto [first, fresh] = header_of_.emplace(found->second, rows_.line());
    if (fresh) return found->second;
    rows_.wrong(switch_name(found->second) + " has a table already", "see " + rows_.place(first->second));
    return std::nullopt;
  }

  // 0x0014 001 : (Channel Adapter portguid 0x0021283a8620b0a0: 'NAME')
  //
  // Choice: unknown local identifiers are ignored; they belong to switches, or are additional ones of a node.
  void read_dump_route(SwitchId sw) {
    const auto& words = rows_.words();
    const auto lid = hex_number(words[0]);
    const auto port = words.size() > 1 ? whole_number(words[1]) : std::nullopt;
    if (!lid || !port) return rows_.wrong(not_a_route(), "a route is 0xLID PORT");
    const auto node = node_of_lid_.find(static_cast<std::uint32_t>(*lid));
    if (node == node_of_lid_.end()) return;
    if (const auto route = ports_of(sw, std::to_string(*port)))
      set_route(sw, node->second, node->second, *route);
  }

  std::string not_a_route() const {
    return fmt::format("\"{}\" is not a route", fmt::join(rows_.words(), " "));
  }

  std::uint32_t line_of_switch(SwitchId sw) const {
    const auto found = header_of_.find(sw);
    return found == header_of_.end() ? 0 : found->second;
  }

  // The line of the first route that uses one of the outputs.
  std::uint32_t line_of_route(const std::vector<Channel>& channels) const {
    for (const auto& [output, lane] : channels) {
      if (graph_.is_node_port(output)) continue;
      const SwitchId sw = graph_.switch_of(output);
      for (NodeId node = 0; node < graph_.nodes(); ++node)
        if (has_port(candidates_[index(sw, node)], graph_.local(output))) return line_of(sw, node);
    }
    return 0;
  }

  bool has_port(PortRange route, std::uint32_t port) const {
    if (route.count == 1) return route.first == port;
    const auto first = sets_.ports().begin() + route.first;
    return std::find(first, first + route.count, port) != first + route.count;
  }

  // The ports of a list such as "4,5,6"; nullopt if one of them is wrong.
  std::optional<PortRange> ports_of(SwitchId sw, std::string_view list) {
    std::vector<std::uint16_t> ports;
    for (bool last = false; !last;) {
      const std::size_t comma = list.find(',');
      last = comma == std::string_view::npos;
      const std::string text(list.substr(0, comma));
      if (!last) list.remove_prefix(comma + 1);
      if (!add_port(sw, whole_number(text).value_or(kNone), text, ports)) return std::nullopt;
    }
    return set_of(ports);
  }

  // `text` is the port as written in the file.
  bool add_port(SwitchId sw, std::uint32_t port, const std::string& text, std::vector<std::uint16_t>& ports) {
    if (port >= graph_.radix(sw))
      rows_.wrong(switch_name(sw) + " has no port \"" + text + "\"",
                  "ports 0 to " + std::to_string(graph_.radix(sw) - 1));
    else if (graph_.peer_of(graph_.port(sw, port)) == kNone)
      rows_.wrong("port " + text + " of " + switch_name(sw) + " is not connected");
    else if (std::ranges::find(ports, port) != ports.end())
      rows_.wrong("port " + text + (rows_.line() == 0 ? " of " + switch_name(sw) : "") + " is given twice");
    else {
      ports.push_back(static_cast<std::uint16_t>(port));
      return true;
    }
    return false;
  }

  std::optional<PortRange> set_of(const std::vector<std::uint16_t>& ports) {
    const std::optional<PortRange> range = sets_.range_of(ports);
    if (!range) rows_.wrong("the file has too many different sets of ports");
    return range;
  }

  // [switch][destination] or [switch][destination][number of the port]
  void read_array(const std::string& content) {
    NpyHeader header;
    try {
      header = read_npy(content);
    } catch (const NpyError& error) {
      return rows_.wrong("is no NumPy array of ports: " + std::string(error.what()));
    }
    const auto& shape = header.shape;
    const bool fits = (shape.size() == 2 || (shape.size() == 3 && shape[2] > 0)) &&
                      shape[0] == graph_.switches() && shape[1] == graph_.nodes();
    if (header.is_structured || !header.fields[0].type.is_integer())
      return rows_.wrong("its elements are not integers");
    if (!fits)
      return rows_.wrong("its shape is " + header.shape_text(),
                         std::to_string(graph_.switches()) + " x " + std::to_string(graph_.nodes()) +
                             " in this network, or a third dimension for several ports");
    const std::size_t most = shape.size() == 3 ? shape[2] : 1;
    const char* at = content.data() + header.data;
    for (SwitchId sw = 0; sw < graph_.switches() && !rows_.has_unlisted(); ++sw)
      for (NodeId node = 0; node < graph_.nodes(); ++node, at += most * header.element_bytes)
        if (const auto ports = ports_at(sw, header, at, most)) candidates_[index(sw, node)] = *ports;
  }

  // For an array: the ports before the first negative number.
  std::optional<PortRange> ports_at(SwitchId sw, const NpyHeader& header, const char* at, std::size_t most) {
    std::vector<std::uint16_t> ports;
    for (std::size_t i = 0; i < most; ++i, at += header.element_bytes) {
      const std::optional<std::int64_t> port = header.fields[0].type.integer(at);
      if (port && *port < 0) break;
      const auto known = static_cast<std::uint32_t>(port ? std::min(*port, std::int64_t{kNone}) : kNone);
      if (!add_port(sw, known, port ? std::to_string(*port) : "above 2^63", ports)) return std::nullopt;
    }
    return set_of(ports);
  }

  void add_route(SwitchId sw, std::string_view destinations, std::string_view port_list) {
    const std::optional<PortRange> ports = ports_of(sw, port_list);
    if (!ports) return;
    const PortRange route = *ports;
    if (destinations == "*") {
      const auto [first, fresh] = default_of_.emplace(sw, std::pair{route, rows_.line()});
      if (!fresh)
        rows_.wrong(switch_name(sw) + " already has a port for all other destinations",
                    "see " + rows_.place(first->second.second));
      return;
    }
    const auto range = nodes_.find(destinations);
    if (!range) return rows_.wrong(nodes_.no_such(destinations), nodes_.hint(destinations));
    set_route(sw, range->first, range->second, route);
  }

  void set_route(SwitchId sw, NodeId first, NodeId last, PortRange route) {
    for (NodeId node = first; node <= last; ++node) {
      if (line_of_[index(sw, node)] != 0)
        return rows_.wrong(switch_name(sw) + " has a port for node " + node_name(node),
                           "see " + rows_.place(line_of(sw, node)));
      line_of_[index(sw, node)] = rows_.line();
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

  // Reports the loops that a depth-first search from every switch finds.
  void report_loops(NodeId destination, Successors next) {
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
        rows_.wrong_at(line_of(to, destination), "traffic for " + node_name(destination) +
                                                     " circulates in a loop: " + text + switch_name(to));
      }
    }
  }

  std::size_t index(SwitchId sw, NodeId node) const { return std::size_t{sw} * graph_.nodes() + node; }
  // The line with the route, or 0 for an array, which has no lines.
  std::uint32_t line_of(SwitchId sw, NodeId node) const { return line_of_[index(sw, node)]; }
  std::string switch_name(SwitchId sw) const { return "switch " + graph_.switch_name(sw); }
  std::string node_name(NodeId node) const { return graph_.node_name(node); }

  const Graph& graph_;
  RowReader rows_;
  std::vector<std::uint32_t> line_of_;  // [switch * nodes + destination], 0: none
  std::vector<PortRange> candidates_;
  PortSets sets_;
  std::map<SwitchId, std::pair<PortRange, std::uint32_t>> default_of_;  // and its line
  std::map<SwitchId, std::uint32_t> header_of_;                         // line
  NumberedNames switches_, nodes_;
  std::map<std::uint64_t, SwitchId> switch_of_guid_;
  std::map<std::uint32_t, NodeId> node_of_lid_;
};

}  // namespace

RouteTable read_routes(const Graph& graph, const InputFile& file, bool per_pair, bool refuse_cycles) {
  Mistakes mistakes;
  RouteFile reader(graph, file, mistakes);
  reader.read();
  mistakes.throw_if_any();
  reader.check_routes();
  mistakes.throw_if_any();
  if (refuse_cycles) reader.check_cycles();
  mistakes.throw_if_any();
  return reader.routes(per_pair);
}

}  // namespace headway
