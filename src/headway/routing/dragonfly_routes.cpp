// SPDX-License-Identifier: Apache-2.0
#include "headway/routing/dragonfly_routes.h"

#include <algorithm>

namespace headway {
namespace {

PortRange one_port(std::uint32_t port) { return {static_cast<std::uint16_t>(port), 1}; }
// Choice: at most as many links as a port range can count.
PortRange listed_ports(std::uint32_t count) {
  return {0, static_cast<std::uint16_t>(std::min<std::uint32_t>(count, UINT16_MAX))};
}

// The link of a node among some links. The parity of a node can also determine in which of the two groups its
// packets take a local link (takes_others), so nodes of the same parity use all links.
std::uint32_t link_of_node(std::uint32_t node, LinkRange links) {
  return links.first + (node / 2 + node % 2 * ((links.count() + 1) / 2)) % links.count();
}

// Does this packet take its local link in its own group, and then one of the links that end at its
// destination's switch, instead of one of its own switch's? Both paths have two links. Choice: in proportion
// to the squares of the numbers of links, because a switch with fewer links also has fewer for its packets
// that have no other.
bool takes_others(std::uint32_t number, std::uint64_t own, std::uint64_t others) {
  const std::uint64_t weight = others * others, all = own * own + weight;
  return number % all * weight % all < weight;
}

}  // namespace

DragonflyRoutes::DragonflyRoutes(const DragonflyShape& shape, GroupRoutes kind)
    : shape_(shape),
      kind_(kind),
      links_(shape.global_ports, shape.groups, shape.copies()),
      order_(shape.copies(), shape.switches_per_group),
      nodes_divisor_(shape.nodes_per_switch),
      switches_divisor_(shape.switches_per_group) {}

DragonflyRoutes::Crossing DragonflyRoutes::to_group(PlaceInGroup from, std::uint32_t group) const {
  const std::uint32_t port = shape_.global_port(from.group, group);
  const LinkRange own = links_.at_switch(from.sw, port);
  return {port, own, own.count() > 0 ? LinkRange{} : links_.all()};
}

DragonflyRoutes::Crossing DragonflyRoutes::to_switch(PlaceInGroup from, PlaceInGroup to) const {
  Crossing crossing{shape_.global_port(from.group, to.group), {}, {}};
  crossing.own = links_.at_switch(from.sw, crossing.port);
  crossing.others = links_.at_switch(to.sw, shape_.global_port(to.group, from.group));
  if (const LinkRange straight = crossing.own.shared_with(crossing.others); straight.count() > 0) {
    crossing.own = straight;
    crossing.others = {};
  } else if (kind_ == GroupRoutes::to_any_node && crossing.own.count() > 0) {
    // Choice: packets that choose by load use the links of their switch, whose load it sees. Behind an idle
    // link in the group, they would not see that the links of another switch are busy.
    crossing.others = {};
  } else if (crossing.count() == 0) {
    crossing.others = links_.all();
  }
  return crossing;
}

DragonflyRoutes::Crossing DragonflyRoutes::crossing(SwitchId sw, std::uint32_t destination) const {
  if (kind_ == GroupRoutes::to_any_group) return to_group(place_of(sw), destination);
  return to_switch(place_of(sw), place_of(nodes_divisor_.quotient(destination)));
}

PortRange DragonflyRoutes::at(SwitchId sw, std::uint32_t destination) const {
  const PlaceInGroup from = place_of(sw);
  std::uint32_t group = destination;
  if (kind_ != GroupRoutes::to_any_group) {
    const SwitchId last = nodes_divisor_.quotient(destination);
    if (last == sw) return one_port(destination - last * shape_.nodes_per_switch);
    const PlaceInGroup to = place_of(last);
    if (to.group == from.group) return one_port(local_port(from.sw, to.sw));
    group = to.group;
  }
  if (links_.count() == 1) return one_port(port_to(from.sw, shape_.global_port(from.group, group), 0));
  const Crossing links = crossing(sw, destination);
  if (links.count() == 1) return one_port(port_to(from.sw, links.port, links.link(0)));
  if (kind_ != GroupRoutes::to_node) return listed_ports(links.count());
  return one_port(port_to(from.sw, links.port, chosen_link(from, links, destination)));
}

std::uint32_t DragonflyRoutes::port(SwitchId sw, std::uint32_t destination, std::uint32_t number) const {
  const Crossing links = crossing(sw, destination);
  return port_to(place_of(sw).sw, links.port, links.link(number));
}

std::uint32_t DragonflyRoutes::chosen_link(PlaceInGroup from, const Crossing& crossing,
                                           std::uint32_t destination) const {
  const SwitchId last = nodes_divisor_.quotient(destination);
  const PlaceInGroup to = place_of(last);
  const std::uint32_t node = destination - last * shape_.nodes_per_switch;  // at its switch
  const std::uint32_t in_group = to.sw * shape_.nodes_per_switch + node;
  const LinkRange& own = crossing.own;
  const LinkRange ends = links_.at_switch(to.sw, shape_.global_port(to.group, from.group));
  if (own.count() > 0 && ends.has(own.first)) {  // straight to the destination's switch
    const std::uint32_t link = link_of_node(in_group, ends);
    return own.has(link) ? link : link_of_node(in_group, own);
  }
  if (ends.count() > 0) {
    if (own.count() == 0 || takes_others(in_group + from.sw, own.count(), ends.count()))
      return link_of_node(in_group, ends);
    return link_of_node(in_group, own);
  }
  if (own.count() > 0) return own.first + (in_group + from.sw) % own.count();
  // Neither switch has a link. Destinations are counted at such switches only, so that they use all links.
  const std::uint32_t rank = to.sw + links_.count() - ends.first;
  return order_(rank * shape_.nodes_per_switch + node + from.sw);
}

std::uint32_t DragonflyRoutes::port_to(std::uint32_t here, std::uint32_t port, std::uint32_t link) const {
  const std::uint32_t sw = links_.switch_of(link, port);
  return sw == here ? shape_.first_global_port() + links_.port_of(link, port) : local_port(here, sw);
}

DragonflyPlusRoutes::DragonflyPlusRoutes(const DragonflyPlusShape& shape, GroupRoutes kind)
    : shape_(shape),
      kind_(kind),
      links_(shape.global_ports, shape.groups, shape.copies()),
      order_(shape.copies(), shape.spines),
      nodes_divisor_(shape.nodes_per_leaf),
      leaves_divisor_(shape.leaves),
      spines_divisor_(shape.spines),
      switches_divisor_(shape.switches_per_group()) {}

std::uint32_t DragonflyPlusRoutes::group_of(std::uint32_t destination) const {
  return kind_ == GroupRoutes::to_any_group ? destination
                                            : leaves_divisor_.quotient(nodes_divisor_.quotient(destination));
}

PortRange DragonflyPlusRoutes::at(SwitchId sw, std::uint32_t destination) const {
  const PlaceInGroup from = place_of(sw);
  const std::uint32_t group = group_of(destination);
  if (group == from.group && kind_ != GroupRoutes::to_any_group) return in_group(from, destination);
  const std::uint32_t port = shape_.global_port(from.group, group);
  const LinkRange links = links_from(from, port);
  if (links.count() == 0) {  // down to a leaf, and from there over another spine
    const std::uint32_t number = kind_ == GroupRoutes::to_any_group ? sw : destination;
    return one_port(number - leaves_divisor_.quotient(number) * shape_.leaves);
  }
  if (links.count() == 1) return one_port(port_to(from, port, links.first));
  if (kind_ != GroupRoutes::to_node) return listed_ports(links.count());
  const std::uint32_t link = order_(destination);
  return one_port(port_to(from, port, links.has(link) ? link : links.first + link % links.count()));
}

std::uint32_t DragonflyPlusRoutes::port(SwitchId sw, std::uint32_t destination, std::uint32_t number) const {
  const PlaceInGroup from = place_of(sw);
  const std::uint32_t port = shape_.global_port(from.group, group_of(destination));
  return port_to(from, port, links_from(from, port).first + number);
}

PortRange DragonflyPlusRoutes::in_group(PlaceInGroup from, std::uint32_t destination) const {
  const std::uint32_t leaf = nodes_divisor_.quotient(destination);  // among all leaves
  const std::uint32_t there = leaf - from.group * shape_.leaves;
  if (from.sw >= shape_.leaves) return one_port(there);  // at a spine
  if (from.sw == there) return one_port(destination - leaf * shape_.nodes_per_leaf);
  const std::uint32_t spine = destination - spines_divisor_.quotient(destination) * shape_.spines;
  return one_port(shape_.nodes_per_leaf + spine);
}

LinkRange DragonflyPlusRoutes::links_from(PlaceInGroup from, std::uint32_t port) const {
  return from.sw < shape_.leaves ? links_.all() : links_.at_switch(from.sw - shape_.leaves, port);
}

std::uint32_t DragonflyPlusRoutes::port_to(PlaceInGroup from, std::uint32_t port, std::uint32_t link) const {
  return from.sw < shape_.leaves ? shape_.nodes_per_leaf + links_.switch_of(link, port)
                                 : shape_.leaves + links_.port_of(link, port);
}

}  // namespace headway
