// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/state.h"

#include <algorithm>

namespace headway {
namespace {

// The farthest ahead that a hop schedules anything.
Tick horizon(const Network& network) {
  Tick longest = 0, delay = 0;
  for (const Port& port : network.ports) {
    longest = std::max<Tick>(longest, static_cast<Tick>(port.ticks_per_byte) * network.packet_bytes);
    delay = std::max<Tick>(delay, port.delay);
  }
  // a crossbar transfer may wait for the tail of its packet: two link times
  return 2 * longest + delay + network.routing_delay;
}

}  // namespace

State::State(const Network& constants, std::uint64_t seed)
    : network(constants), ports(constants.ports.data()), seed_mix(mix64(seed)), wheel(horizon(constants)) {
  devices.resize(network.devices());
  queues.resize(network.queues);
  credits.resize(network.queues + 1);
  for (const Port& port : network.ports)
    std::fill_n(credits.begin() + port.first_queue, port.queues, port.capacity);
  credits[sink()] = 0xffff;
  outputs.resize(network.ports.size());

  std::uint32_t radix_max = 1;
  for (std::uint32_t d = 0; d < network.devices(); ++d) radix_max = std::max(radix_max, network.radix(d));
  set_words = (radix_max + 63) / 64;
  if (set_words > 1) {
    wide_sets.resize(devices.size() * 3 * set_words);
    wide_requests.resize(network.ports.size() * set_words);
  }
  first_stage = network.switches() + network.nodes();
  touched.list.resize(first_stage);
  touched_stages.list.resize(devices.size() - first_stage);

  // An input has at most one queue per output if the scheme has one queue, or maps outputs to queues; an
  // adapter or an output stage has one output for all its queues.
  const QueueKey key = network.queue_map.key;
  sender_chooses = key == QueueKey::most_room;
  queue_of_output.resize(radix_max);
  if (key == QueueKey::output)
    std::copy_n(network.queue_map.queue_of.begin(), radix_max, queue_of_output.begin());
  std::uint32_t lists_needed = 0;
  for (std::uint32_t d = 0; d < network.devices(); ++d) {
    const std::uint32_t radix = network.radix(d);
    devices[d].first_port = network.first_port[d];
    devices[d].radix = static_cast<std::uint16_t>(radix);
    for (std::uint32_t port = 0; port < radix; ++port) {
      if (set_words == 1) {
        free_inputs<false>(d).insert(port);
        if (network.ports[network.first_port[d] + port].peer != kNone) free_outputs<false>(d).insert(port);
      } else {
        free_inputs<true>(d).insert(port);
        if (network.ports[network.first_port[d] + port].peer != kNone) free_outputs<true>(d).insert(port);
      }
    }
    if (network.queue_map.queues == 1 || (network.is_switch(d) && key == QueueKey::output)) continue;
    devices[d].first_list = lists_needed;
    lists_needed += radix * radix;
  }
  lists.resize(lists_needed);

  record.bytes_to.resize(network.nodes());
  record.bytes_sent.resize(network.ports.size());
}

std::uint32_t State::most_room(std::uint32_t first, std::uint16_t& pointer) const {
  const std::uint32_t queues_here = network.queue_map.queues;
  std::uint32_t best = pointer;
  for (std::uint32_t step = 1; step < queues_here; ++step) {
    const std::uint32_t q = (pointer + step) % queues_here;
    if (credits[first + q] > credits[first + best]) best = q;
  }
  pointer = static_cast<std::uint16_t>((best + 1) % queues_here);
  return first + best;
}

void State::unlink(RequestList& list, const Port& port, std::uint16_t local) {
  std::uint16_t before = RequestList::kEnd;
  for (std::uint16_t q = list.first; q != local; q = queues[port.first_queue + q].next_request) before = q;
  const std::uint16_t after = queues[port.first_queue + local].next_request;
  if (before == RequestList::kEnd)
    list.first = after;
  else
    queues[port.first_queue + before].next_request = after;
  if (list.last == local) list.last = before;
}

}  // namespace headway
