// SPDX-License-Identifier: Apache-2.0
// Reads routes from a file in one of three formats, and checks them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/base/error.h"
#include "headway/base/input_file.h"
#include "headway/base/npy.h"
#include "headway/routing/dependencies.h"
#include "headway/routing/port_sets.h"
#include "headway/routing/route_table.h"
#include "headway/topology/graph.h"

namespace headway {

class RouteFile {
 public:
  RouteFile(const Graph& graph, const InputFile& file, Mistakes& mistakes);

  // Reads a text of routes (docs/files.md), a NumPy array, or a dump of the forwarding tables of an
  // InfiniBand network. Detects the format from the beginning of the file.
  void read();

  // `per_pair`: source and destination determine one of several ports; otherwise it is drawn.
  RouteTable routes(bool per_pair) const;

  // Follows all traffic; needs a table without mistakes.
  void check_routes();
  void check_cycles();

 private:
  using Successors = std::map<SwitchId, std::vector<SwitchId>>;  // next switches on the paths to a node

  void read_text(std::string_view text);
  void read_array(const std::string& content);
  void read_dump(std::string_view text);
  std::optional<SwitchId> read_dump_head(std::string_view line);
  void read_dump_route(SwitchId sw, std::string_view line);

  void wrong(std::string message, std::string hint = "");
  // Line 0 stands for an array, which has no lines.
  std::string place_of_line(std::uint32_t line) const {
    return line == 0 ? file_ : file_ + ':' + std::to_string(line) + ":1";
  }
  std::string place(SwitchId sw, NodeId node) const { return place_of_line(line_of_[index(sw, node)]); }
  std::string place_of_switch(SwitchId sw) const;
  // The place of the first route that uses one of the outputs.
  std::string place_of_route(const std::vector<Channel>& channels) const;
  bool has_port(PortRange route, std::uint32_t port) const;
  std::size_t index(SwitchId sw, NodeId node) const { return std::size_t{sw} * graph_.nodes() + node; }

  // The destinations that a word names: a node, or a range of numbers.
  std::optional<std::pair<NodeId, NodeId>> nodes_of(const std::string& word) const;
  // The ports of a list such as "4,5,6"; nullopt if one of them is wrong.
  std::optional<PortRange> ports_of(SwitchId sw, std::string_view list);
  // `text` is the port as written in the file.
  bool add_port(SwitchId sw, std::uint32_t port, const std::string& text, std::vector<std::uint16_t>& ports);
  std::optional<PortRange> set_of(std::vector<std::uint16_t> ports);
  // For an array: the ports before the first negative number.
  std::optional<PortRange> ports_at(SwitchId sw, const NpyHeader& header, const char* at, std::size_t most);
  void add_route(SwitchId sw, const std::string& destinations, const std::string& port_text);
  void set_route(SwitchId sw, NodeId first, NodeId last, PortRange route);
  void fill_defaults();
  // Reports the loops that a depth-first search from every switch finds.
  template <class Fault>
  void report_loop(NodeId destination, Successors next, Fault&& fault);

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
  std::map<std::uint64_t, SwitchId> switch_of_guid_;
  std::map<std::uint32_t, NodeId> node_of_lid_;
};

}  // namespace headway
