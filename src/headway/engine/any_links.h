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

}  // namespace headway
