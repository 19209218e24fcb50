// SPDX-License-Identifier: Apache-2.0
// The result of a topology: switches, ports in one flat numbering, their connections, and link properties.
//
// Immutable once built. Ports 0 .. switch_ports()-1 belong to switches in order (CSR); port switch_ports() +
// n is the adapter of node n. A link is directed from an output side to its peer's input side; `connect` adds
// both directions. A node has one link here; nodes of specs that have several are hosts (hosts.h).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "headway/base/ids.h"
#include "headway/base/memory_parts.h"
#include "headway/base/units.h"
#include "headway/topology/hosts.h"

namespace headway {

struct Link {
  Rate rate{1};
  Duration delay{4};
  friend bool operator==(const Link&, const Link&) = default;
};

// A level of a tree: its switches and their links to the level below.
struct TreeLevel {
  std::uint32_t children = 1;  // m: of every switch of this level
  std::uint32_t parents = 1;   // w: of every child
  std::uint32_t links = 1;     // p: between a child and each of its parents
  friend bool operator==(const TreeLevel&, const TreeLevel&) = default;
};
// Parallel-ports generalised fat-tree, PGFT(h; m; w; p) (Zahavi, CCIT report 776, 2010); with one link per
// pair, it is an XGFT (Ohring et al., 1995); with k children and k parents everywhere, also a k-ary n-tree.
//
// Switch <s, o> of stage s has id first_switch(s) + o. In o = way + ways(s) * subtree, `subtree` is the
// number of the set of nodes that the switch reaches downwards, and `way` is the number of the switch among
// those that reach the same set. Nodes have one link, so parents and links of stage 0 are 1.
//
// Port c * links + i of a switch leads to child c over link i. Then come the ports up: port i * parents + j
// leads to parent j over link i.
struct TreeShape {
  std::vector<TreeLevel> levels;  // [stage]; the children of stage 0 are places of nodes
  std::uint32_t spare_ports = 0;  // unused ports of the switches at the top
  // [node] -> its place below the leaves, whose digits are its label; empty: the place is the node number
  std::vector<NodeId> place_of;

  std::uint32_t stages() const { return static_cast<std::uint32_t>(levels.size()); }
  std::uint32_t down_ports(std::uint32_t stage) const { return levels[stage].children * levels[stage].links; }
  std::uint32_t up_ports(std::uint32_t stage) const {
    return stage + 1 == stages() ? 0 : levels[stage + 1].parents * levels[stage + 1].links;
  }
  std::uint32_t radix(std::uint32_t stage) const {
    return down_ports(stage) + (stage + 1 == stages() ? spare_ports : up_ports(stage));
  }
  std::uint32_t places_below(std::uint32_t stage) const;  // places of nodes below a switch of the stage
  std::uint32_t ways(std::uint32_t stage) const;          // switches of the stage above every node
  std::uint32_t nodes() const { return places_below(stages() - 1); }
  std::uint32_t switches(std::uint32_t stage) const { return nodes() / places_below(stage) * ways(stage); }
  SwitchId first_switch(std::uint32_t stage) const;
  std::uint32_t stage_of(SwitchId sw) const;
  // k if the tree is a k-ary tree, whose formulas are simpler; 0 if not.
  std::uint32_t arity() const;
  NodeId place(NodeId node) const { return place_of.empty() ? node : place_of[node]; }
};
TreeShape k_ary_tree(std::uint32_t k, std::uint32_t stages);  // with k unused ports at the top
// Switches in a grid of any number of dimensions. The first dimension varies fastest in their numbering.
// Ports 0..nodes_per_switch-1 lead to nodes; then two ports per dimension lead to the lower and the higher
// neighbour.
struct GridShape {
  std::vector<std::uint32_t> sides;
  std::uint32_t nodes_per_switch = 1;
  bool wraps = false;  // a torus

  std::uint32_t lower_port(std::uint32_t dimension) const { return nodes_per_switch + 2 * dimension; }
  std::uint32_t higher_port(std::uint32_t dimension) const { return lower_port(dimension) + 1; }
};
// All nodes on one switch; node n at port n.
struct SingleSwitchShape {};
// Unidirectional stages of radix x radix switches. Switch s of stage i has id i * radix^(stages-1) + s. In
// stage i, digit digit_of[i] of the destination is the output port (base radix, digit 0 is the most
// significant).
struct StagesShape {
  std::uint32_t radix = 0;
  std::uint32_t stages = 0;
  std::vector<std::uint32_t> digit_of;
};
// Switches at the points of a grid. Each switch is linked to all others of its line in each dimension (Ahn et
// al., SC 2009). The first dimension varies fastest in their numbering. Ports 0..nodes_per_switch-1 lead to
// nodes; then, dimension by dimension, `width` ports lead to each other switch of the line, in the order of
// the switches.
struct HyperXShape {
  std::vector<std::uint32_t> sides;
  std::vector<std::uint32_t> widths;  // [dimension] parallel links between two switches
  std::uint32_t nodes_per_switch = 1;

  std::uint32_t first_port(std::uint32_t dimension) const {
    std::uint32_t port = nodes_per_switch;
    for (std::uint32_t d = 0; d < dimension; ++d) port += (sides[d] - 1) * widths[d];
    return port;
  }
};
// The groups that a group's global ports lead to, in the order of the ports (Camarero, Vallejo and Beivide,
// ACM TACO 2014, section 2).
enum class Arrangement : std::uint8_t {
  absolute,   // groups 0, 1, ... except the group itself
  relative,   // the groups after it
  palm_tree,  // the groups before it, backwards
};
// The number, among the global ports of `group`, of the first port that leads to `other`. If several links
// join the two groups, each further port that leads to `other` is groups - 1 ports further on.
std::uint32_t first_global_port(Arrangement arrangement, std::uint32_t groups, std::uint32_t group,
                                std::uint32_t other);
// Groups of switches. Each switch is linked to all others of its group and has `global_ports` ports to other
// groups (Kim et al., ISCA 2008). Switch r of group g has id g * switches_per_group + r. Ports
// 0..nodes_per_switch-1 lead to nodes, the next switches_per_group-1 ports to the other switches of the group
// in their order, and the remaining ports to other groups.
struct DragonflyShape {
  std::uint32_t nodes_per_switch = 1;    // p
  std::uint32_t switches_per_group = 1;  // a
  std::uint32_t global_ports = 1;        // h, of a switch
  std::uint32_t groups = 2;              // g
  Arrangement arrangement = Arrangement::absolute;

  std::uint32_t first_global_port() const { return nodes_per_switch + switches_per_group - 1; }
  // Links between two groups. The remaining global ports of a group are not used.
  std::uint32_t copies() const { return switches_per_group * global_ports / (groups - 1); }
  std::uint32_t global_port(std::uint32_t group, std::uint32_t other) const {
    return headway::first_global_port(arrangement, groups, group, other);
  }
};
// Dragonfly+: a group has leaves, to which the nodes are attached, and spines. Each leaf is linked to all
// spines of its group; a spine has `global_ports` links to spines of other groups (Shpiner et al., HiPINEB
// 2017). The switches of group g start at g * (leaves + spines), leaves first. Ports 0..nodes_per_leaf-1 of a
// leaf lead to nodes, the others to the spines; ports 0..leaves-1 of a spine lead to the leaves, the others
// to other groups.
struct DragonflyPlusShape {
  std::uint32_t nodes_per_leaf = 1;
  std::uint32_t leaves = 1;
  std::uint32_t spines = 1;
  std::uint32_t global_ports = 1;  // of a spine
  std::uint32_t groups = 2;
  Arrangement arrangement = Arrangement::absolute;

  std::uint32_t switches_per_group() const { return leaves + spines; }
  std::uint32_t copies() const { return spines * global_ports / (groups - 1); }  // links between two groups
  std::uint32_t global_port(std::uint32_t group, std::uint32_t other) const {
    return first_global_port(arrangement, groups, group, other);
  }
};
// Two sets of q x q switches; no two switches are more than two links apart (Besta and Hoefler, SC 2014).
// Ports 0..nodes_per_switch-1 lead to nodes, the others to switches in the order of their numbers.
struct SlimFlyShape {
  std::uint32_t q = 5;
  std::uint32_t nodes_per_switch = 1;
};
// A network that routing functions know nothing of but its links. Its switches and nodes can have names.
struct IrregularShape {
  std::vector<std::string> switch_names;  // [switch], or empty
  std::vector<std::string> node_names;    // [node], or empty
  // For InfiniBand networks, otherwise empty; their route tables use them.
  std::vector<std::uint64_t> switch_guids = {};  // [switch]
  std::vector<std::uint32_t> node_lids = {};     // [node] local identifiers
  std::string_view kind = "a network from a file";
};
using Shape = std::variant<IrregularShape, SingleSwitchShape, TreeShape, StagesShape, GridShape, HyperXShape,
                           DragonflyShape, DragonflyPlusShape, SlimFlyShape>;
std::string_view kind_of(const Shape& shape);  // "a tree", "a network from a file"

class Graph {
 public:
  Graph(std::uint32_t nodes, const std::vector<std::uint32_t>& radix_of_switch, Shape shape);

  std::uint32_t nodes() const { return nodes_; }
  std::uint32_t switches() const { return static_cast<std::uint32_t>(first_port_.size()) - 1; }
  std::uint32_t switch_ports() const { return first_port_.back(); }
  std::uint32_t ports() const { return switch_ports() + nodes_; }
  std::uint32_t radix(SwitchId sw) const { return first_port_[sw + 1] - first_port_[sw]; }
  std::uint32_t max_radix() const { return max_radix_; }    // maximum number of ports of a switch
  std::uint64_t port_pairs() const { return port_pairs_; }  // pairs of an input and an output of one switch
  std::uint32_t connected_outputs() const { return connected_outputs_; }  // switch outputs with a link
  PortId port(SwitchId sw, std::uint32_t local) const { return first_port_[sw] + local; }
  PortId node_port(NodeId node) const { return switch_ports() + node; }
  bool is_node_port(PortId port) const { return port >= switch_ports(); }
  NodeId node_of(PortId port) const { return port - switch_ports(); }
  SwitchId switch_of(PortId port) const { return switch_of_[port]; }  // of a switch port
  std::uint32_t local(PortId port) const { return port - first_port_[switch_of(port)]; }

  PortId peer_of(PortId output) const { return peer_of_[output]; }    // input it sends to, or kNone
  PortId source_of(PortId input) const { return source_of_[input]; }  // output that feeds it, or kNone
  const Link& link(PortId output) const { return links_[link_of_[output]]; }
  std::uint16_t link_class(PortId output) const { return link_of_[output]; }
  const std::vector<Link>& link_classes() const { return links_; }  // [class] the distinct links
  Rate fastest_injection() const { return fastest_injection_; }     // rate of the fastest link from a node
  const Shape& shape() const { return shape_; }
  // The name in the network file, or the number if there is no name.
  std::string switch_name(SwitchId sw) const;
  std::string node_name(NodeId node) const;
  // The input port of the packets that continue through this output along its ring (a torus has a ring per
  // line and direction), or kNone if the output belongs to no ring.
  PortId ring_input(PortId output) const;
  bool has_rings() const;
  bool links_go_both_ways() const;  // true if every link has a reverse link between the same ports
  // Number of stages of switches; stage 0 is next to the nodes, in unidirectional networks next to the
  // sources. 0 in networks without stages.
  std::uint32_t stages() const;
  int stage_of(SwitchId sw) const;  // only where there are stages

  // Nodes with several links; none if every node of the spec has one.
  const Hosts& hosts() const { return hosts_; }
  std::uint32_t nodes_of_spec() const { return hosts_.none() ? nodes_ : hosts_.count(); }
  std::uint32_t nodes_and_aggregators() const { return hosts_.none() ? nodes_ : hosts_.with_aggregators(); }
  NodeId home(NodeId node_of_spec) const { return hosts_.none() ? node_of_spec : hosts_.home(node_of_spec); }
  // The links of a node of the spec, or of an aggregator, are the nodes from home(it) to one before this.
  NodeId end_of(NodeId node_of_spec) const {
    return hosts_.none() ? node_of_spec + 1 : hosts_.home(node_of_spec + 1);
  }
  // Every node of the spec has one link, also where aggregators have several.
  bool has_one_link_per_node() const {
    return hosts_.none() || hosts_.home(nodes_of_spec()) == nodes_of_spec();
  }
  NodeId node_of_spec(NodeId node) const { return hosts_.none() ? node : hosts_.host_of(node); }
  // False: no path leads from one to the other even without failures.
  bool are_in_one_network(NodeId a, NodeId b) const {
    return hosts_.none() || hosts_.link(a).network == hosts_.link(b).network;
  }
  // When all links are connected. `links_of`: [host], with the nodes of the graph in its order, the last ones
  // of `aggregators`; their networks are found here.
  void set_hosts(const std::vector<std::vector<HostLink>>& links_of, std::uint32_t aggregators = 0);
  void keep_hosts_of(const Graph& other) { hosts_ = other.hosts_; }  // with their networks

  std::uint64_t bytes() const {
    return bytes_taken(first_port_, switch_of_, peer_of_, source_of_, link_of_) + hosts_.bytes();
  }

  bool has_failures() const { return failed_outputs_ > 0; }

  void connect(PortId a, PortId b, const Link& link);  // both directions
  void connect_directed(PortId output, PortId input, const Link& link);
  // Make the link of a switch output fail, or set its rate; also for the reverse link if there is one.
  void fail(PortId output);
  void set_rate(PortId output, const Rate& rate);
  // Of a graph with the same links, failed ones and others.
  void keep_failures_of(const Graph& other) { failed_outputs_ = other.failed_outputs_; }
  // Gives every link, in each direction, the properties that `change(output, link)` returns.
  void change_links(const std::function<Link(PortId, const Link&)>& change);

 private:
  // The link of an output, and the reverse link if there is one.
  template <class Visit>
  void for_both_directions(PortId output, Visit&& visit);
  std::uint16_t class_of(const Link& link);

  std::uint32_t nodes_;
  std::uint32_t max_radix_ = 0;
  std::uint64_t port_pairs_ = 0;
  std::uint32_t connected_outputs_ = 0;
  std::uint32_t failed_outputs_ = 0;
  Rate fastest_injection_{0};
  Shape shape_;
  std::vector<PortId> first_port_;      // [switch], and one past the last
  std::vector<SwitchId> switch_of_;     // [switch port]
  std::vector<PortId> peer_of_;         // [port]
  std::vector<PortId> source_of_;       // [port]
  std::vector<std::uint16_t> link_of_;  // [port] -> class
  std::vector<Link> links_;             // [class]
  Hosts hosts_;
};

}  // namespace headway
