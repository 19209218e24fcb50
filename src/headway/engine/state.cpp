// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/state.h"

#include <algorithm>
#include <utility>

#include "headway/base/together.h"

namespace headway {
namespace {

// Packets in all memories, and one on every link to a node: rarely more exist at one time. With pauses, the
// queues of a lane share its memory.
std::uint64_t most_packets(const Network& network) {
  const Layout& layout = network.layout;
  if (!network.pause) return FlowControl::first_room(network) + layout.nodes;
  const std::uint64_t credits = std::uint64_t{layout.graph_ports} * network.lanes * network.capacity +
                                layout.receive_lanes * network.receive_capacity;
  const std::uint64_t output_queues = layout.queues - layout.injection_queues;
  return credits / network.lane_credits(network.packet_bytes) +
         layout.injection_queues * network.injection_capacity + output_queues * network.output_capacity +
         layout.nodes;
}

// Of a network with isolation.
Isolation::Tables isolation_tables(const Network& network) {
  const auto output_of = [&network](PortId input, NodeId destination) {
    if (network.is_adapter_port(input)) return input;
    const SwitchId sw = network.ports[input].owner;
    return network.first_port[sw] + network.routes.table.at(sw, destination).first;
  };
  return {network.isolation->in_credits(network.credits_of_packet()), network.layout.ports, network.nodes(),
          output_of};
}

// Allocates the tables (Layout::state_bytes), except that of packets.
std::shared_ptr<StateMemory> memory_for(const Network& network, PortCount port_count) {
  const Layout& layout = network.layout;
  auto memory = std::make_shared<StateMemory>();
  memory->devices.resize(layout.devices);
  memory->ports.resize(layout.ports);
  memory->queues.resize(layout.queues);
  if (port_count == PortCount::many) {
    memory->wide_sets.resize(std::size_t{layout.devices} * Crossbar<PortCount::many>::kSets *
                             layout.set_words);
    memory->wide_requests.resize(std::size_t{layout.ports} * layout.set_words);
  }
  memory->lists.resize(layout.lists);
  memory->unbound.resize(layout.late_inputs);
  if (layout.has_weights) memory->served.resize(layout.queues);
  if (layout.feedback_shares_links)
    memory->feedback.prepare(layout.devices, layout.graph_ports, network.queues);
  if (layout.counts_cells) memory->cells_in.resize(layout.queues);
  if (layout.counts_ahead) memory->ahead.resize(layout.graph_ports);
  memory->flows.resize(layout.flow_entries);
  if (!network.changes.empty()) memory->links_now.resize(layout.ports);
  if (network.turns) memory->turns = std::make_unique<OutputTurns>(*network.turns, layout.ports);
  if (network.marking) memory->control = std::make_unique<Control>(network);
  if (network.isolation) memory->isolation.emplace(isolation_tables(network));
  if (network.overflow) memory->overflow.emplace(*network.overflow, layout.ports);
  if (network.has_slow_nodes()) memory->consumed_by.resize(layout.nodes, -1);
  memory->admittance.nodes.resize(layout.nodes);
  memory->admittance.active.resize(layout.injection_queues);
  if (network.isolation) memory->admittance.aside.resize(layout.nodes);
  return memory;
}

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

StateTables::StateTables(const Network& constants, PortCount its_port_count, bool may_have_cells,
                         std::uint64_t seed)
    : network(constants),
      port_count(its_port_count),
      counts_credits(may_have_cells),
      seed_mix(mix64(seed)),
      first_output_unit(network.switches() + network.nodes()),
      set_words(network.layout.set_words),
      packet_credits(network.credits_of_packet()),
      most_needed(network.has_rings ? 2 : packet_credits),
      queue_of_output(network.layout.most_ports),
      output_queues_by_lane(network.has_output_units() && network.lanes > 1 &&
                            (network.one_output_queue || network.turns)),
      memory(memory_for(network, port_count)),
      queues(memory->queues),
      ports(memory->ports),
      devices(memory->devices),
      wide_sets(memory->wide_sets),
      wide_requests(memory->wide_requests),
      lists(memory->lists),
      unbound(memory->unbound),
      served(memory->served),
      cells_in(memory->cells_in),
      consumed_by(memory->consumed_by),
      ahead(memory->ahead),
      flows(memory->flows),
      links_now(memory->links_now),
      control(memory->control.get()),
      turns(memory->turns.get()),
      feedback(memory->feedback) {
  memory->packets.reserve(most_packets(network));
  together_in_ranges(static_cast<std::uint32_t>(ports.size()), [&](PortId first, PortId end) {
    for (PortId id = first; id < end; ++id) connect(id);
  });
  together_in_ranges(static_cast<std::uint32_t>(devices.size()), [&](std::uint32_t first, std::uint32_t end) {
    for (std::uint32_t d = first; d < end; ++d) set_up(d);
  });
  empty_lists();
  if (network.queue_map.key == QueueKey::output)
    std::copy_n(network.queue_map.queue_of.begin(), queue_of_output.size(), queue_of_output.begin());
  if (network.selection) {
    chooses_now = network.selection->free == FreeOutput::now;
    counts_all_routed = network.selection->counts_all();
    keeps_preferred = network.selection->none_free == NoneFree::preferred;
    may_keep = keeps_preferred || network.follow_rule;
    needs_spare_credit = network.selection->free != FreeOutput::room_credit;
    shorter_queue_frees = needs_spare_credit && network.has_output_units() && network.one_output_queue &&
                          network.queue_map.queues > network.queue_map.channels;
  }
  if (network.pause) make_pauses();
}

void StateTables::keep_sent() {
  memory->sent.resize(network.ports.size());
  sent = memory->sent;
}

void StateTables::share(const NetworkCut& cut, std::uint32_t process, std::uint32_t processes) {
  const std::uint64_t spare = std::uint64_t{cut.parts} * 8 * PacketMemory::kRange;
  memory->packets.share(2 * most_packets(network) + packets_to_nodes(network) + spare, process, processes);
  const auto mark = [&](PortState& port) {
    const auto is_elsewhere = [&](PortId other) {
      return other != kNone && cut.part_of[ports[other].owner] != cut.part_of[port.owner];
    };
    if (is_elsewhere(port.peer)) port.delay |= Wheel::kAbroad;
    if (is_elsewhere(port.source)) port.credit_delay |= Wheel::kAbroad;
  };
  together_in_ranges(static_cast<std::uint32_t>(ports.size()), [&](PortId first, PortId end) {
    for (PortId id = first; id < end; ++id) mark(ports[id]);
  });
}

void State::begin_measurement() {
  record.begin_measurement();
  for (Queue& queue : queues) queue.longest = queue.length;
}

State::State(const StateTables& tables, const PartOfRun& place)
    : StateTables(tables),
      part(place),
      routes(&network.routes),
      credits(FlowControl::first_credits(network)),
      flow(network, credits),
      wheel(network.layout.horizon),
      packets(memory->packets) {
  const Layout& layout = network.layout;
  admittance.nodes = memory->admittance.nodes;
  admittance.active = memory->admittance.active;
  admittance.aside = memory->admittance.aside;
  touched_switches.reserve(layout.switches);
  touched_adapters.reserve(layout.nodes);
  touched_output_units.reserve(layout.output_units);
  if (memory->isolation) isolation = std::make_unique<Isolation>(*memory->isolation);
  if (memory->overflow) overflow = std::make_unique<Overflow>(*memory->overflow);
  if (network.reaction) limiter = std::make_unique<Limiter>(network);
  if (layout.has_group_pointers) next_inputs.resize(network.queues + 1 + layout.receive_lanes);
  if (layout.late_inputs > 0) asking_switches.reserve(layout.switches);
  if (layout.is_pooled) unsettled.marks.resize(layout.ports);
  if (network.marking) record.marks_at.resize(layout.graph_ports);
  record.bytes_to.resize(layout.nodes);
}

// Choice: before a link to a node, lanes share an output queue unless they take turns.
std::uint32_t State::output_queue_of_lane(PortId output, std::uint32_t target, std::uint32_t lane) const {
  const Port& unit = network.ports[network.link_port(output)];
  if (target >= sink()) return unit.first_queue + (network.turns ? lane * network.queues_per_lane(unit) : 0);
  const std::uint32_t number = target - ports[output].next_first_queue;
  return unit.first_queue +
         (network.one_output_queue ? number / network.queues_per_lane(ports[output].peer) : number);
}

bool State::has_room_for_shorter(const Queue& queue, std::uint32_t channels) const {
  return flow.has_room(queue.target, channels) &&
         flow.has_room(queue.target, channels, needed_by_head(queue));
}

// Copies to a port the constants of its link and of the switch behind it that a hop needs.
void StateTables::connect(PortId id) {
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
  } else if (state.peer != kNone) {
    state.next_first_queue = network.account_of_node(network.graph.node_of(state.peer));
  }
}

void StateTables::set_up(std::uint32_t id) {
  Device& device = devices[id];
  device.shuffle = mix64(id);
  device.first_port = network.first_port[id];
  device.radix = static_cast<std::uint16_t>(network.radix(id));
  device.first_queue = network.ports[device.first_port].first_queue;
  if (network.reachable.empty())
    device.queues_per_input = static_cast<std::uint16_t>(network.ports[device.first_port].queues);
  const bool to_output_unit = network.is_switch(id) && network.has_output_units();
  device.channels =
      static_cast<std::uint16_t>(to_output_unit && network.one_output_queue ? 1 : network.queue_map.channels);
  with_ports(port_count, [&]<PortCount kPorts>() {
    auto words = crossbar<kPorts>(device);
    for (std::uint32_t port = 0; port < device.radix; ++port) {
      words.free_input(port);
      if (ports[device.first_port + port].peer != kNone) words.free_output(port);
    }
  });
}

// Gives the devices their request lists. A prefetch can read a list that has never been used; it then names
// any queue of its input.
void StateTables::empty_lists() {
  const auto any_queue_of = [&](PortId port) {
    const auto end = static_cast<std::uint16_t>(ports[port].first_queue);
    return RequestList{end, end};
  };
  const Layout& layout = network.layout;
  std::uint32_t next = 0;
  for (std::uint32_t d = 0; d < devices.size(); ++d) {
    if (!(network.is_switch(d) ? layout.switches_have_lists : layout.others_have_lists)) continue;
    Device& device = devices[d];
    device.first_list = next;
    for (std::uint32_t input = 0; input < device.radix; ++input, next += device.radix)
      std::fill_n(lists.begin() + next, device.radix, any_queue_of(device.first_port + input));
  }
  for (PortId port = 0; port < unbound.size(); ++port) unbound[port] = any_queue_of(port);
}

void StateTables::make_pauses() {
  // Choice: two packets of one link can arrive in a tick if a switch stores the first because it came slowly.
  const std::uint32_t arriving = (network.links_differ ? 2 : 1) * network.lane_credits(network.packet_bytes);
  const std::uint32_t lanes = network.lanes;
  std::vector<std::uint32_t> room(network.layout.lane_places);
  std::vector<SwitchId> switch_of(room.size(), kNone);
  for (PortId input = 0; input < network.layout.graph_ports; ++input) {
    const Port& port = network.ports[input];
    const bool of_node = network.is_adapter_port(input);
    if (port.source == kNone || (of_node && !network.is_slow(network.graph.node_of(input)))) continue;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      const std::size_t place = network.lane_place(input, lane);
      room[place] = of_node ? network.receive_capacity : network.capacity;
      if (!of_node) switch_of[place] = port.owner;
    }
  }
  memory->pauses = std::make_unique<Pauses>(*network.pause, std::move(room), std::move(switch_of),
                                            network.switches(), arriving);
  pauses = memory->pauses.get();
}

}  // namespace headway
