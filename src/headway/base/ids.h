// SPDX-License-Identifier: Apache-2.0
// The ids of the elements of a network. Ids are dense indices, so that every table is a flat array.
//
// Ports share one numbering: the ports of switch 0, of switch 1, ..., then one port per node (its adapter).
// The output side of a port sends to its peer; its input side holds the queues.
#pragma once

#include <cstdint>

namespace headway {

using NodeId = std::uint32_t;  // end node: source and sink of traffic
using SwitchId = std::uint32_t;
using PortId = std::uint32_t;    // global port number
using PacketId = std::uint32_t;  // index in a packet pool
using Tick = std::int64_t;       // simulated time, in ticks of Network::tick

inline constexpr std::uint32_t kNone = 0xffff'ffffU;

}  // namespace headway
