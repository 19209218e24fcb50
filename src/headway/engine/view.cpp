// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/view.h"

#include "headway/engine/state.h"

namespace headway {

std::uint32_t StateView::length(std::uint32_t queue) const { return state_->queues[queue].length; }
std::uint32_t StateView::longest(std::uint32_t queue) const { return state_->queues[queue].longest; }

std::vector<PacketView> StateView::packets(std::uint32_t queue) const {
  std::vector<PacketView> result;
  PacketId id = state_->queues[queue].head;
  for (std::uint32_t left = length(queue); left > 0; --left) {
    const Packet& packet = state_->packets[id];
    result.push_back({packet.source, packet.destination, packet.serial});
    id = packet.next;
  }
  return result;
}

std::uint64_t StateView::bytes_sent(PortId output) const { return state_->ports[output].bytes_sent; }

const Isolation* StateView::isolation() const { return state_->isolation.get(); }
const Overflow* StateView::overflow() const { return state_->overflow.get(); }

}  // namespace headway
