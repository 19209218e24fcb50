// SPDX-License-Identifier: Apache-2.0
#include "headway/analysis/transfer_split.h"

#include <algorithm>

#include "headway/base/wide.h"

namespace headway {
namespace {

Tick take(Tick ticks, Tick& left) {
  const Tick taken = std::clamp<Tick>(ticks, 0, left);
  left -= taken;
  return taken;
}

}  // namespace

TransferParts& TransferParts::operator+=(const TransferParts& other) {
  for (Tick TransferParts::* const part :
       {&TransferParts::serialisation, &TransferParts::narrow, &TransferParts::slow,
        &TransferParts::propagation, &TransferParts::switching, &TransferParts::rest})
    this->*part += other.*part;
  return *this;
}

TransferParts TransferSplit::serialised(std::uint64_t bytes, std::span<const PortId> links,
                                        Tick& left) const {
  const auto length = static_cast<Tick>(bytes);
  Tick own = 0, usual = 0, actual = 0;
  for (const PortId link : links) {
    const Tick expected = usual_ticks_per_byte(link);
    const bool of_node =
        network_.is_adapter_port(link) || network_.is_adapter_port(network_.graph.peer_of(link));
    if (of_node) own = std::max(own, expected);
    usual = std::max(usual, expected);
    actual = std::max<Tick>(actual, ticks_per_byte(link));
  }
  TransferParts parts;
  parts.serialisation = take(length * own, left);
  parts.narrow = take(length * (usual - own), left);
  parts.slow = take(length * (actual - usual), left);
  return parts;
}

TransferParts TransferSplit::parts_of(std::uint64_t bytes, std::span<const PortId> links, Tick whole) const {
  Tick left = whole;
  TransferParts parts;
  if (!links.empty()) {  // otherwise, the message stays on its node
    parts = serialised(bytes, links, left);
    Tick delays = 0;
    for (const PortId link : links) delays += network_.ports[network_.link_port(link)].delay;
    parts.propagation = take(delays, left);
    parts.switching = take(static_cast<Tick>(links.size() - 1) * network_.routing_delay, left);
  }
  parts.rest = left;
  return parts;
}

TransferParts TransferSplit::parts_of_departure(std::uint64_t bytes, PortId link, Tick whole) const {
  Tick left = whole;
  TransferParts parts = serialised(bytes, {&link, 1}, left);
  parts.rest = left;
  return parts;
}

PortId TransferSplit::slow_link_of(std::span<const PortId> links) const {
  if (links.empty()) return kNone;
  const PortId slowest =
      *std::ranges::max_element(links, {}, [this](PortId link) { return ticks_per_byte(link); });
  return ticks_per_byte(slowest) > usual_ticks_per_byte(slowest) ? slowest : kNone;
}

Tick TransferSplit::too_long(PortId link, Tick ticks) const {
  const Tick actual = ticks_per_byte(link), usual = usual_ticks_per_byte(link);
  return actual <= usual ? 0 : static_cast<Tick>(SignedWide{ticks} * (actual - usual) / actual);
}

double TransferSplit::too_long(PortId link) const {
  const double actual = ticks_per_byte(link), usual = usual_ticks_per_byte(link);
  return std::max(0.0, 1 - usual / actual);
}

}  // namespace headway
