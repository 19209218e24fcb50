// SPDX-License-Identifier: Apache-2.0
// Transfers in a network whose links differ in rate (docs/modelling.md, "Devices" and "Grant").
#pragma once

#include <cstdint>

#include "headway/engine/state.h"

namespace headway {

// For how long a packet occupies its input, and its output.
struct TransferTimes {
  Tick input;
  Tick output;
};

// For a packet that is granted now; sets when its tail arrives. A link that is slower than the input gets an
// event for when it has sent the packet. Ports are numbered within the device.
TransferTimes begin_over_any_links(State& state, Packet& packet, std::uint32_t device, std::uint32_t input,
                                   std::uint32_t output);

// Inputs of switches are free, and so are the outputs whose links are not slower. Calls wake(crossbar,
// switch).
template <PortCount kPorts, class Wake>
[[gnu::noinline]] void release_over_any_links(State& state, const Bucket& releases, const Wake& wake) {
  for (const Event event : releases) {
    Device& device = state.devices[event.a];
    auto crossbar = state.template crossbar<kPorts>(device);
    const std::uint32_t input = event.b >> 16, output = event.b & 0xffff;
    const PortId to = device.first_port + output;
    if (!state.link_outlasts(device.first_port + input, to) && !state.keeps_output(to))
      crossbar.free_output(output);
    crossbar.free_input(input);
    wake(crossbar, event.a);
  }
}

}  // namespace headway
