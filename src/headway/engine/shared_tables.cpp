// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/shared_tables.h"

#include <algorithm>
#include <cstdint>

#include "headway/base/together.h"

namespace headway {
namespace {

// Full packets on all links to nodes, which need no room there.
std::uint64_t packets_to_nodes(const Network& network) {
  std::uint64_t packets = 0;
  for (NodeId node = 0; node < network.nodes(); ++node) {
    const Port& link = network.ports[network.link_port(network.graph.peer_of(network.adapter_port(node)))];
    packets += link.delay / (std::uint64_t{network.packet_bytes} * std::max(link.ticks_per_byte, 1U)) + 1;
  }
  return packets;
}

}  // namespace

bool share_tables(StateTables& tables, const NetworkCut& cut, const Ranks* ranks) {
  const Network& network = tables.network;
  const std::uint64_t spare = std::uint64_t{cut.parts} * 8 * PacketMemory::kRange;
  const std::uint64_t packets = 2 * most_packets(network, tables.flow) + packets_to_nodes(network) + spare;
  if (!tables.memory->packets.share(packets, ranks == nullptr ? 0 : ranks->rank(),
                                    ranks == nullptr ? 1 : ranks->count()))
    return false;
  const auto mark = [&](PortState& port) {
    const auto is_elsewhere = [&](PortId other) {
      return other != kNone && cut.part_of[tables.ports[other].owner] != cut.part_of[port.owner];
    };
    if (is_elsewhere(port.peer)) port.delay |= Wheel::kAbroad;
    if (is_elsewhere(port.source)) port.credit_delay |= Wheel::kAbroad;
  };
  together_in_ranges(static_cast<std::uint32_t>(tables.ports.size()), [&](PortId first, PortId end) {
    for (PortId id = first; id < end; ++id) mark(tables.ports[id]);
  });
  return true;
}

}  // namespace headway
