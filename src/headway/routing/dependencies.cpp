// SPDX-License-Identifier: Apache-2.0
#include "headway/routing/dependencies.h"

#include <algorithm>
#include <set>

#include "headway/routing/reach.h"

namespace headway {
namespace {

// [output] the first output of the ring to which it belongs, or the output itself.
std::vector<PortId> channels(const Graph& graph) {
  std::vector<PortId> channel_of(graph.ports(), kNone);
  for (PortId output = 0; output < graph.ports(); ++output)
    for (PortId next = output; channel_of[next] == kNone;) {
      channel_of[next] = output;
      if (graph.ring_input(next) == kNone) break;
      // the next link of the ring: the output that continues from the input of this link
      const PortId input = graph.peer_of(next);
      const SwitchId sw = graph.switch_of(input);
      for (std::uint32_t local = 0; local < graph.radix(sw); ++local)
        if (graph.ring_input(graph.port(sw, local)) == input) next = graph.port(sw, local);
    }
  return channel_of;
}

}  // namespace

std::vector<PortId> find_dependency_cycle(const Graph& graph, const RouteTable& routes) {
  const std::vector<PortId> channel_of = channels(graph);
  std::vector<std::set<PortId>> waits_for(graph.ports()), waited_by(graph.ports());  // [channel]
  Reach reach(graph, routes);
  for (NodeId destination = 0; destination < graph.nodes(); ++destination)
    reach.follow(destination, [&](PortId held, PortId input) {
      const SwitchId sw = graph.switch_of(input);
      const PortRange candidates = routes.at(sw, destination);
      for (std::uint32_t c = 0; c < candidates.count; ++c) {
        const PortId wanted = graph.port(sw, candidates.first + c);
        if (graph.ring_input(wanted) == input) continue;  // continues along the same ring
        waits_for[channel_of[held]].insert(channel_of[wanted]);
        waited_by[channel_of[wanted]].insert(channel_of[held]);
      }
    });

  // remove channels that wait for no other, until only those remain that wait for each other
  std::vector<std::size_t> waiting(graph.ports());
  std::vector<PortId> free;
  for (PortId port = 0; port < graph.ports(); ++port) {
    waiting[port] = waits_for[port].size();
    if (waiting[port] == 0) free.push_back(port);
  }
  while (!free.empty()) {
    const PortId port = free.back();
    free.pop_back();
    for (const PortId holder : waited_by[port])
      if (--waiting[holder] == 0) free.push_back(holder);
  }
  const auto stuck = std::ranges::find_if(waiting, [](std::size_t count) { return count > 0; });
  if (stuck == waiting.end()) return {};
  std::vector<PortId> path = {static_cast<PortId>(stuck - waiting.begin())};
  for (;;) {
    const auto next =
        std::ranges::find_if(waits_for[path.back()], [&](PortId port) { return waiting[port] > 0; });
    const auto met = std::ranges::find(path, *next);
    if (met != path.end()) return {met, path.end()};
    path.push_back(*next);
  }
}

}  // namespace headway
