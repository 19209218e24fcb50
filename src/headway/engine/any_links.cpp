// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/any_links.h"

#include <algorithm>

namespace headway {

TransferTimes begin_over_any_links(State& state, Packet& packet, std::uint32_t device, std::uint32_t input,
                                   std::uint32_t output) {
  const Network& network = state.network;
  const PortId first = network.first_port[device], from = first + input, to = first + output;
  const PortState& out = state.ports[to];
  const Tick now = state.wheel.now(), length = packet.length;
  // input and output wait for a tail that comes slowly; in an adapter, the whole packet is there
  const Tick tail = network.is_adapter(device) ? 0 : packet.tail - now;
  TransferTimes times{};
  times.input = times.output = std::max(length * out.ticks_per_byte, tail);
  if (network.is_switch(device)) {
    times.input = std::max(length * network.crossing_ticks_per_byte(from, out.ticks_per_byte), tail);
    if (network.has_output_units()) times.output = times.input;
    const bool outlasts = network.link_outlasts(from, out.ticks_per_byte);
    if (!state.links_now.empty()) state.links_now[to].outlasts = outlasts;
    if (outlasts) state.wheel.schedule(EventKind::sent, now + times.output, device, input << 16 | output);
  }
  packet.tail = now + times.output + Wheel::delay_of(out.delay);
  return times;
}

}  // namespace headway
