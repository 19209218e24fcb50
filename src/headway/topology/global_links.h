// SPDX-License-Identifier: Apache-2.0
// Common parts of the dragonfly topologies, in which each group is linked to all other groups.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "headway/topology/parts.h"

namespace headway {

constexpr auto names_in_specs(Arrangement) { return name_list("absolute", "relative", "palm-tree"); }

// Parameters of the links between groups, and the links.
class GlobalLinks {
 public:
  void describe(Parameters& parameters, std::string_view help_of_h) {
    parameters.field({.name = "h", .help = help_of_h, .bounds = Bounds::from(1, kMostNodesPerSwitch)}, h_);
    parameters.field({.name = "g",
                      .help = "groups; default: as many as a group has global links, and one more. With "
                              "fewer, several links join two groups",
                      .bounds = Bounds::from(2, kMostNodes)},
                     g_);
    parameters.field({.name = "arrangement",
                      .help = "groups that a group's global links lead to, in order: all others by number, "
                              "those after it, or those before it backwards"},
                     arrangement_);
  }
  // `switches` is the number of switches per group that have global links; `formula` is the largest number of
  // groups as text. Returns false and adds a mistake if there are more groups.
  bool check(std::int64_t switches, const std::string& formula, Mistakes& mistakes) const {
    const std::int64_t links = switches * h_;
    if (groups(switches) <= links + 1) return true;
    mistakes.add("network.g",
                 std::to_string(groups(switches)) + " groups, but a group has " + std::to_string(links) +
                     " global links",
                 "at most " + formula + " = " + std::to_string(links + 1));
    return false;
  }

  std::int64_t per_switch() const { return h_; }
  std::int64_t groups(std::int64_t switches) const { return g_.value_or(switches * h_ + 1); }
  Arrangement arrangement() const { return arrangement_; }

  // `port_at(group, number)` is the global port of a group with this number.
  template <class Shape, class PortAt>
  static void connect(Graph& graph, const Shape& shape, const Link& link, PortAt&& port_at) {
    for (std::uint32_t group = 0; group < shape.groups; ++group)
      for (std::uint32_t other = group + 1; other < shape.groups; ++other)
        for (std::uint32_t copy = 0; copy < shape.copies(); ++copy) {
          const std::uint32_t further = copy * (shape.groups - 1);
          graph.connect(port_at(group, shape.global_port(group, other) + further),
                        port_at(other, shape.global_port(other, group) + further), link);
        }
  }

 private:
  std::int64_t h_ = 2;
  std::optional<std::int64_t> g_;
  Arrangement arrangement_ = Arrangement::absolute;
};

}  // namespace headway
