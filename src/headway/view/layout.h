// SPDX-License-Identifier: Apache-2.0
// Where a picture of a network has its switches, nodes and ports: trees by stages, grids as grids (3-D ones
// as slices), HyperX as a matrix, dragonflies as a ring of groups, multistage networks as columns, anything
// else by layers. The unit is the side of a port's cell.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

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
enum class Stretch : std::uint8_t { none, x, y };

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
  // [node] where its arrivals are drawn, if not at its place: networks whose links go one way.
  std::vector<Place> sinks;
  // [switch port] the side of the box with its cell, in the order of the numbers of ports: t, b, l, r; or x:
  // the input is at the left and the output at the right.
  std::string sides;
  double longest = 0;  // longer links are drawn only at their ends; 0: all are drawn
  // Links between the same sides of two boxes bow out of these sides: one as long as `longest` by about this
  // much, shorter ones by less. 0: all links are straight.
  double arc = 0;
  Stretch stretch = Stretch::none;
  std::vector<PlaceName> names;  // of rows, columns and slices
};

NetworkLayout layout_of(const Graph& graph);

}  // namespace headway
