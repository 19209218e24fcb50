// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/change_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "headway/topology/named_link.h"

namespace headway {

std::string text_of_changes(const Network& network, Tick tick) {
  std::string text;
  bool has_routes = false;
  std::set<PortId> links;
  auto found = std::ranges::lower_bound(network.changes, tick, {}, &TimedChange::tick);
  for (; found != network.changes.end() && found->tick == tick; ++found) {
    const TimedChange& change = *found;
    has_routes |= change.link == kNone;
    if (change.link == kNone || !links.insert(one_end(network.graph, change.link)).second) continue;
    if (links.size() > 1) continue;
    const std::uint32_t own = network.ports[network.link_port(change.link)].ticks_per_byte;
    text = "link " + name_of_link(network.graph, change.link);
    if (change.ticks_per_byte == 0)
      text += " goes down";
    else if (change.ticks_per_byte == own)
      text += " is as usual again";
    else
      text += fmt::format(" gets {:.4g} of its rate", static_cast<double>(own) / change.ticks_per_byte);
  }
  if (links.size() > 1)
    text += fmt::format(" and {} other link{} change{}", links.size() - 1, links.size() > 2 ? "s" : "",
                        links.size() > 2 ? "" : "s");
  if (!has_routes) return text;
  return text.empty() ? "new routes hold" : text + ", and new routes hold";
}

}  // namespace headway
