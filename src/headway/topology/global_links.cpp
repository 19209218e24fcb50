// SPDX-License-Identifier: Apache-2.0
#include "headway/topology/global_links.h"

#include "headway/topology/parts.h"

namespace headway {

void GlobalLinks::describe(Parameters& parameters, std::string_view help_of_h) {
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

bool GlobalLinks::check(std::int64_t switches, const std::string& formula, Mistakes& mistakes) const {
  const std::int64_t links = switches * h_;
  if (groups(switches) <= links + 1) return true;
  mistakes.add("network.g",
               std::to_string(groups(switches)) + " groups, but a group has " + std::to_string(links) +
                   " global links",
               "at most " + formula + " = " + std::to_string(links + 1));
  return false;
}

}  // namespace headway
