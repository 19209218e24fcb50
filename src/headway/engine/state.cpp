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
  // a crossbar transfer may wait for the tail of its packet, and credits share a packet with a notification:
  // two link times
  if (!network.isolation) return 2 * longest + delay + network.routing_delay;
  delay = std::max(delay + network.routing_delay, network.isolation->notification_delay.value_or(0));
  return std::max(2 * longest + delay, network.isolation->idle);
}

}  // namespace

State::State(const Network& constants, PortCount its_port_count, std::uint64_t seed)
    : network(constants),
      port_count(its_port_count),
      seed_mix(mix64(seed)),
      wheel(horizon(constants)),
      flow(constants) {
  devices.resize(network.devices());
  queues.resize(network.queues);
  ports.resize(network.ports.size());
  for (PortId id = 0; id < ports.size(); ++id) {
    const Port& port = network.ports[id];
    PortState& state = ports[id];
    state.peer = network.ports[id < network.graph.ports() ? network.link_port(id) : id].peer;
    state.source = port.source;
    state.owner = port.owner;
    state.first_queue = port.first_queue;
    state.delay = port.delay;
    state.ticks_per_byte = port.ticks_per_byte;
    state.local = port.local;
    if (port.source != kNone) state.credit_delay = network.ports[port.source].delay;
    if (state.peer != kNone && !network.is_adapter_port(state.peer)) {
      const Port& peer = network.ports[state.peer];
      state.next_switch = peer.owner;
      state.next_first_port = network.first_port[peer.owner];
      state.next_first_queue = peer.first_queue;
      state.next_local = peer.local;
    }
  }

  std::uint32_t radix_max = 1;
  for (std::uint32_t d = 0; d < network.devices(); ++d) radix_max = std::max(radix_max, network.radix(d));
  set_words = (radix_max + 63) / 64;
  if (port_count == PortCount::many) {
    wide_sets.resize(devices.size() * Crossbar<PortCount::many>::kSets * set_words);
    wide_requests.resize(ports.size() * set_words);
  }
  first_stage = network.switches() + network.nodes();
  touched_switches.reserve(network.switches());
  touched_adapters.reserve(network.nodes());
  touched_stages.reserve(network.devices() - first_stage);

  // An input has at most one queue per output if the scheme has one queue, or maps outputs to queues; an
  // adapter or an output stage has one output for all its queues.
  const QueueKey key = network.queue_map.key;
  most_leaves = network.has_rings ? 1 : 0;
  queue_of_output.resize(radix_max);
  if (key == QueueKey::output)
    std::copy_n(network.queue_map.queue_of.begin(), radix_max, queue_of_output.begin());
  // what a list says that has never been used, because guesses may ask it
  const auto any_queue_of = [&](PortId port) {
    const auto end = static_cast<std::uint16_t>(ports[port].first_queue);
    return RequestList{end, end};
  };
  std::uint32_t lists_needed = 0;
  for (std::uint32_t d = 0; d < network.devices(); ++d) {
    Device& device = devices[d];
    device.shuffle = mix64(d);
    device.first_port = network.first_port[d];
    device.radix = static_cast<std::uint16_t>(network.radix(d));
    device.first_queue = network.ports[device.first_port].first_queue;
    if (network.reachable.empty())
      device.queues_per_input = static_cast<std::uint16_t>(network.ports[device.first_port].queues);
    const bool to_output_stage = network.is_switch(d) && network.has_output_stages();
    device.channels = static_cast<std::uint16_t>(
        to_output_stage && network.one_output_queue ? 1 : network.queue_map.channels);
    switch (port_count) {
      case PortCount::few:
        free_all_ports<PortCount::few>(device);
        break;
      case PortCount::some:
        free_all_ports<PortCount::some>(device);
        break;
      case PortCount::many:
        free_all_ports<PortCount::many>(device);
        break;
    }
    const bool queue_per_output = key == QueueKey::output && network.queue_map.channels == 1;
    if ((network.queue_map.queues == 1 && !network.is_pooled()) || (network.is_switch(d) && queue_per_output))
      continue;
    device.first_list = lists_needed;
    lists_needed += device.radix * device.radix;
  }
  lists.reserve(lists_needed);
  for (const Device& device : devices)
    if (device.first_list != kNone)
      for (std::uint32_t input = 0; input < device.radix; ++input)
        lists.insert(lists.end(), device.radix, any_queue_of(device.first_port + input));
  if (!network.weights.empty()) served.resize(network.queues);
  if (network.feedback_shares_links())
    feedback.prepare(network.devices(), network.graph.ports(), network.queues);
  if (network.selection) {
    unbound.reserve(network.graph.switch_ports());
    for (PortId port = 0; port < network.graph.switch_ports(); ++port) unbound.push_back(any_queue_of(port));
    asking_switches.reserve(network.switches());
    chooses_now = network.selection->free == FreeOutput::now;
    needs_spare_credit = network.selection->free != FreeOutput::room_credit;
    shorter_queue_frees = needs_spare_credit && network.has_output_stages() && network.one_output_queue &&
                          network.queue_map.queues > network.queue_map.channels;
  }
  record.bytes_to.resize(network.nodes());

  if (!network.is_pooled()) return;
  unsettled.marks.resize(ports.size());
  if (network.overflow) {
    overflow = std::make_unique<Overflow>(*network.overflow, static_cast<std::uint32_t>(ports.size()));
    return;
  }
  isolation = std::make_unique<Isolation>(*network.isolation, static_cast<std::uint32_t>(ports.size()),
                                          network.nodes(), [&constants](PortId input, NodeId destination) {
                                            if (constants.is_adapter_port(input)) return input;
                                            const SwitchId sw = constants.ports[input].owner;
                                            return constants.first_port[sw] +
                                                   constants.routes.at(sw, destination).first;
                                          });
}

template <PortCount kPorts>
void State::free_all_ports(Device& device) {
  auto its = crossbar<kPorts>(device);
  for (std::uint32_t port = 0; port < device.radix; ++port) {
    its.free_input(port);
    if (ports[device.first_port + port].peer != kNone) its.free_output(port);
  }
}

}  // namespace headway
