// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/flow_control.h"

#include <algorithm>
#include <numeric>

namespace headway {

std::vector<std::uint16_t> FlowControl::first_credits(const Network& network) {
  const bool pauses = network.pause.has_value();
  std::vector<std::uint16_t> credits(network.queues + 1 + network.layout.receive_lanes,
                                     pauses ? kOpen : static_cast<std::uint16_t>(network.receive_capacity));
  for (PortId id = 0; id < network.ports.size(); ++id) {
    const Port& port = network.ports[id];
    if (network.shares_lanes && id < network.layout.switch_ports) {
      std::fill_n(credits.begin() + port.first_queue, port.queues, std::uint16_t{0});
      for (std::uint32_t first = 0; first < port.queues; first += network.queues_per_lane(id))
        credits[port.first_queue + first] = port.credits;
      continue;
    }
    const bool is_open = pauses && id < network.layout.switch_ports && port.source != kNone;
    std::fill_n(credits.begin() + port.first_queue,
                network.is_pooled() ? std::min(port.queues, 1U) : port.queues,
                is_open ? kOpen : port.credits);
  }
  credits[network.queues] = kOpen;
  return credits;
}

std::uint64_t FlowControl::first_room(const Network& network) {
  const std::vector<std::uint16_t> credits = first_credits(network);
  return std::reduce(credits.begin(), credits.end(), std::uint64_t{0}) - credits[network.queues];
}

std::uint32_t FlowControl::choose_channel(std::uint32_t first, std::uint16_t& pointer,
                                          std::uint32_t needed) const {
  if (choice_ == ChannelChoice::first_room) {
    while (credits_[first] < needed) ++first;
    return first;
  }
  std::uint32_t best = pointer;
  for (std::uint32_t step = 1; step < channels_; ++step) {
    const std::uint32_t c = (pointer + step) % channels_;
    if (credits_[first + c] > credits_[first + best]) best = c;
  }
  pointer = static_cast<std::uint16_t>((best + 1) % channels_);
  return first + best;
}

}  // namespace headway
