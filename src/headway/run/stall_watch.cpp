// SPDX-License-Identifier: Apache-2.0
#include "headway/run/stall_watch.h"

#include <utility>

namespace headway {

StallWatch::StallWatch(const Simulation& simulation, const Network& network)
    : simulation_(simulation), cost_(network.queues), work_(cost_) {}

Stall StallWatch::look() {
  if (simulation_.is_skipping()) return {};  // packets move; and to read their state takes time
  const Record& record = simulation_.record();
  const bool is_still = record.counters.packet_hops == std::exchange(hops_, record.counters.packet_hops);
  const std::uint64_t events = record.counters.events;
  work_ += events - std::exchange(events_, events) + (cost_ + kLooks - 1) / kLooks;
  // Without an event since the last search, another one would find the same.
  if (!is_still || record.packets_in_network == 0 || work_ < cost_ || events == searched_at_) return {};
  work_ = 0;
  searched_at_ = events;
  return simulation_.find_stall();
}

}  // namespace headway
