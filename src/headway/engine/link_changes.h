// SPDX-License-Identifier: Apache-2.0
// Applies what changes in a network during a run (timed_change.h; docs/modelling.md, "Events"). A link that
// goes down lets transfers end that have begun; its output is held as if it were sending, so that nothing
// else asks whether it is down.
#pragma once

#include <cstdint>
#include <limits>

#include "headway/engine/shape.h"
#include "headway/engine/state.h"

namespace headway {

inline constexpr Tick kNoChange = std::numeric_limits<Tick>::max();

// The tick of the next change of this part.
inline Tick next_change(const State& state) {
  const std::vector<TimedChange>& changes = state.network.changes;
  return state.next_change < changes.size() ? changes[state.next_change].tick : kNoChange;
}

// One direction of a link.
template <EngineShape kShape>
void change_link(State& state, PortId link, std::uint32_t ticks_per_byte) {
  PortState& output = state.ports[link];
  Device& device = state.devices[output.owner];
  auto crossbar = state.template crossbar<kShape.ports>(device);
  LinkNow& now = state.links_now[link];
  if (ticks_per_byte == 0) {
    now.down = true;
    if (state.network.down_links_lose) return;
    now.held = true;
    now.idle = crossbar.is_free_output(output.local);
    crossbar.take_output(output.local);
    return;
  }
  output.ticks_per_byte = ticks_per_byte;
  if (now.held && now.idle) crossbar.free_output(output.local);
  now.down = now.held = now.idle = false;
  state.touched_of(output.owner).add_if(true, device, output.owner);
}

// The changes of this tick, before its events. Calls come_up(link) for links of which heads can ask again,
// and reroute() when new routes hold.
template <EngineShape kShape, class ComeUp, class Reroute>
[[gnu::noinline]] void change_network(State& state, ComeUp&& come_up, Reroute&& reroute) {
  const Network& network = state.network;
  for (const Tick now = state.wheel.now(); next_change(state) == now; ++state.next_change) {
    const TimedChange& change = network.changes[state.next_change];
    if (change.link == kNone) {
      state.routes = change.routes.get();
      reroute();
      continue;
    }
    const PortId link = network.link_port(change.link);
    if (!state.part.has(state.ports[link].owner)) continue;
    change_link<kShape>(state, link, change.ticks_per_byte);
    if (change.ticks_per_byte > 0) come_up(link);
  }
}

}  // namespace headway
