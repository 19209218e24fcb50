// SPDX-License-Identifier: Apache-2.0
// Routes of dragonflies and dragonflies+ by formula: shortest paths that cross at most one link between
// groups (Kim, Dally, Scott and Abts, ISCA 2008, section 4.1). Destinations are nodes or, towards a waypoint,
// groups; a group has no route to itself.
//
// Several links can join two groups. Then there can be several paths of the same length.
#pragma once

#include <cstdint>

#include "headway/base/divisor.h"
#include "headway/base/ids.h"
#include "headway/routing/group_links.h"
#include "headway/routing/port_range.h"
#include "headway/topology/graph.h"

namespace headway {

// What routes of groups lead to.
enum class GroupRoutes : std::uint8_t {
  to_node,       // over the link that the destination determines, so that each has the same share of them
  to_any_node,   // over any link of a shortest path or, if the packet's switch has some of them, any of these
  to_any_group,  // as to_any_node, but to any switch of a group
};

// A switch in its group.
struct PlaceInGroup {
  std::uint32_t group, sw;
};

// At most one link in the group, one to the other group, and one in the other group. A switch with a link to
// the other group does not use the links of other switches, unless these end at the destination's switch.
class DragonflyRoutes {
 public:
  DragonflyRoutes(const DragonflyShape& shape, GroupRoutes kind);
  // If lists_ports(), several ports need not be consecutive: port() returns them one by one. A port occurs as
  // often as links between the groups are reached by it.
  PortRange at(SwitchId sw, std::uint32_t destination) const;
  std::uint32_t port(SwitchId sw, std::uint32_t destination, std::uint32_t number) const;
  bool lists_ports() const { return links_.count() > 1 && kind_ != GroupRoutes::to_node; }
  bool by_switch() const { return links_.count() == 1 || kind_ == GroupRoutes::to_any_node; }

 private:
  // The links by which packets at a switch can cross to another group: its own, and those that they reach
  // over another switch.
  struct Crossing {
    std::uint32_t port;  // the first global port that leads to the other group
    LinkRange own, others;

    std::uint32_t count() const { return own.count() + others.count(); }
    std::uint32_t link(std::uint32_t number) const {
      return number < own.count() ? own.first + number : others.first + number - own.count();
    }
  };
  PlaceInGroup place_of(SwitchId sw) const {
    const std::uint32_t group = switches_divisor_.quotient(sw);
    return {group, sw - group * shape_.switches_per_group};
  }
  Crossing to_group(PlaceInGroup from, std::uint32_t group) const;
  Crossing to_switch(PlaceInGroup from, PlaceInGroup to) const;
  Crossing crossing(SwitchId sw, std::uint32_t destination) const;
  std::uint32_t chosen_link(PlaceInGroup from, const Crossing& crossing, std::uint32_t destination) const;
  std::uint32_t port_to(std::uint32_t here, std::uint32_t port, std::uint32_t link) const;
  std::uint32_t local_port(std::uint32_t here, std::uint32_t there) const {
    return shape_.nodes_per_switch + there - (there > here ? 1 : 0);
  }

  DragonflyShape shape_;
  GroupRoutes kind_;
  GroupLinks links_;
  SpreadOrder order_;
  Divisor nodes_divisor_, switches_divisor_;
};

// Up to a spine with a link to the other group, over this link, and down. Within a group, the destination's
// number determines the spine.
class DragonflyPlusRoutes {
 public:
  DragonflyPlusRoutes(const DragonflyPlusShape& shape, GroupRoutes kind);
  // See DragonflyRoutes.
  PortRange at(SwitchId sw, std::uint32_t destination) const;
  std::uint32_t port(SwitchId sw, std::uint32_t destination, std::uint32_t number) const;
  bool lists_ports() const { return links_.count() > 1 && kind_ != GroupRoutes::to_node; }
  bool by_switch() const { return false; }

 private:
  PlaceInGroup place_of(SwitchId sw) const {
    const std::uint32_t group = switches_divisor_.quotient(sw);
    return {group, sw - group * shape_.switches_per_group()};
  }
  std::uint32_t group_of(std::uint32_t destination) const;
  PortRange in_group(PlaceInGroup from, std::uint32_t destination) const;
  // The links by which a switch can send to another group; none at a spine that has no such link.
  LinkRange links_from(PlaceInGroup from, std::uint32_t port) const;
  std::uint32_t port_to(PlaceInGroup from, std::uint32_t port, std::uint32_t link) const;

  DragonflyPlusShape shape_;
  GroupRoutes kind_;
  GroupLinks links_;
  SpreadOrder order_;
  Divisor nodes_divisor_, leaves_divisor_, spines_divisor_, switches_divisor_;
};

}  // namespace headway
