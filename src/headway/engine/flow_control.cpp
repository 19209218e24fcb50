// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/flow_control.h"

#include <algorithm>

namespace headway {

std::vector<std::uint16_t> FlowControl::first_credits(const Network& network) {
  std::vector<std::uint16_t> credits(network.queues + 1 + network.layout.receive_lanes,
                                     static_cast<std::uint16_t>(network.receive_capacity));
  for (const Port& port : network.ports)
    std::fill_n(credits.begin() + port.first_queue,
                network.is_pooled() ? std::min(port.queues, 1U) : port.queues, port.credits);
  credits[network.queues] = kOpen;
  return credits;
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
