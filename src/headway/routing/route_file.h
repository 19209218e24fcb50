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
#include "headway/config/row_reader.h"
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

  void read_text();
  void read_array(const std::string& content);
  void read_dump();
  std::optional<SwitchId> read_dump_head();
  void read_dump_route(SwitchId sw);

  std::string not_a_route() const;  // the row
  // The line with the route, or 0 for an array, which has no lines.
  std::uint32_t line_of(SwitchId sw, NodeId node) const { return line_of_[index(sw, node)]; }
  std::uint32_t line_of_switch(SwitchId sw) const;
  // The line of the first route that uses one of the outputs.
  std::uint32_t line_of_route(const std::vector<Channel>& channels) const;
  bool has_port(PortRange route, std::uint32_t port) const;
  std::size_t index(SwitchId sw, NodeId node) const { return std::size_t{sw} * graph_.nodes() + node; }

  // The ports of a list such as "4,5,6"; nullopt if one of them is wrong.
  std::optional<PortRange> ports_of(SwitchId sw, std::string_view list);
  // `text` is the port as written in the file.
  bool add_port(SwitchId sw, std::uint32_t port, const std::string& text, std::vector<std::uint16_t>& ports);
  std::optional<PortRange> set_of(std::vector<std::uint16_t> ports);
  // For an array: the ports before the first negative number.
  std::optional<PortRange> ports_at(SwitchId sw, const NpyHeader& header, const char* at, std::size_t most);
  void add_route(SwitchId sw, std::string_view destinations, std::string_view port_list);
  void set_route(SwitchId sw, NodeId first, NodeId last, PortRange route);
  void fill_defaults();
  // Reports the loops that a depth-first search from every switch finds.
  void report_loops(NodeId destination, Successors next);

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

}  // namespace headway
