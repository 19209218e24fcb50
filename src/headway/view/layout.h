// SPDX-License-Identifier: Apache-2.0
// The positions of switches, nodes and ports in a picture of a network: trees by stages, grids as grids (3-D
// ones as slices), HyperX as a matrix, dragonflies as a ring of groups, multistage networks as columns, all
// others by layers. The unit is the side of a port's cell.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headway/config/names.h"
#include "headway/topology/graph.h"

namespace headway {

inline constexpr double kSpace = 1;      // between boxes
inline constexpr double kThick = 3;      // a box with ports at two sides
inline constexpr double kToNodes = 2.5;  // from a box to nodes beside it
inline constexpr double kRow = 10;       // between rows or columns of switches, before they are pulled apart

struct Place {
  double x = 0;  // to the right
  double y = 0;  // down
  friend bool operator==(const Place&, const Place&) = default;
};

// The axis along which the page may pull the rows or columns of devices apart, to fill its window.
enum class PulledApart : std::uint8_t { none, x, y };
constexpr auto names_in_specs(PulledApart) { return name_list("none", "x", "y"); }

struct Box {
  Place centre;
  double width = 0;
  double height = 0;
};

struct PlaceName {
  std::string text;
  Place at;
};

struct NetworkLayout {
  std::vector<Box> switches;  // [switch]
  std::vector<Place> nodes;   // [node]
  // [node] where its arrivals are drawn, in networks with unidirectional links; empty: at the node.
  std::vector<Place> sinks;
  // [switch port] the side of the box that has its cell, in the order of port numbers: t, b, l, r; x: the
  // input is at the left and the output at the right; or m: in the middle, with the node that it leads to.
  std::string sides;
  double longest = 0;  // longer links are drawn only at their ends; 0: all are drawn
  // Height of the arc of a link between the same sides of two boxes, if it is as long as `longest`; shorter
  // links have lower arcs. 0: all links are straight.
  double arc = 0;
  PulledApart stretch = PulledApart::none;
  std::vector<PlaceName> names;  // of rows, columns and slices
};

NetworkLayout layout_of(const Graph& graph);

// The layouts of single kinds of networks, for layout_of.
NetworkLayout grid_layout(const Graph& graph, const GridShape& shape);      // grids.cpp
NetworkLayout matrix_layout(const Graph& graph, const HyperXShape& shape);  // grids.cpp
NetworkLayout groups_layout(const DragonflyShape& shape);                   // groups.cpp
NetworkLayout layered_layout(const Graph& graph);                           // layers.cpp

}  // namespace headway
