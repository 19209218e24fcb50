// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/layout.h"

#include <algorithm>

#include "headway/arbitration/output_turns.h"
#include "headway/congestion/isolation.h"
#include "headway/congestion/marks.h"
#include "headway/congestion/overflow.h"
#include "headway/engine/admittance.h"
#include "headway/engine/crossbar.h"
#include "headway/engine/device.h"
#include "headway/engine/feedback.h"
#include "headway/engine/shape.h"
#include "headway/engine/wheel.h"

namespace headway {
namespace {

constexpr std::uint32_t kMostDenseQueues = 64;

// At the inputs of these ports of the graph. Called for every point of a sweep, so it visits the ports only
// if their numbers of queues differ.
std::uint64_t input_queues(const QueueCounts& counts, PortId first, PortId end) {
  if (counts.reachable.empty()) return std::uint64_t{end - first} * counts.at_input(0);
  std::uint64_t queues = 0;
  for (PortId port = first; port < end; ++port) queues += counts.at_input(port);
  return queues;
}

std::uint64_t queues_in(const Layout& layout, const QueueCounts& counts) {
  std::uint64_t queues = input_queues(counts, 0, layout.graph_ports);
  if (layout.output_units == 0) return queues;
  if (counts.reachable.empty() || counts.options.one_output_queue) {
    const std::uint32_t each = counts.options.one_output_queue ? counts.options.lanes : counts.at_input(0);
    return queues + std::uint64_t{counts.graph.connected_outputs()} * each;
  }
  for (PortId port = 0; port < layout.output_units; ++port) queues += counts.at_output_unit(port);
  return queues;
}

std::uint64_t receive_lanes_in(const NetworkOptions& options) {
  const auto slow =
      std::ranges::count_if(options.receive_rate, [](const Rational& rate) { return rate > Rational(0); });
  return static_cast<std::uint64_t>(slow) * options.lanes;
}

Tick horizon_of(const Graph& graph, const NetworkOptions& options) {
  Tick longest = 0, delay = 0;
  for (const Link& link : graph.link_classes()) {
    const Rational byte_time = Rational(1) / link.rate.bytes_per_ns;
    for (const Rational& time : {byte_time, byte_time / options.crossbar_speedup})
      longest = std::max(longest, Tick{*link_ticks({time}, options.tick)} * options.packet_bytes);
    delay = std::max<Tick>(delay, *link_ticks(link.delay, options.tick));
  }
  for (const TimedChange& change : options.changes)
    longest = std::max(longest, Tick{change.ticks_per_byte} * options.packet_bytes);
  // a crossbar transfer may wait for the tail of its packet, and credits share a packet with a signal:
  // two link times
  delay += options.routing_delay;
  if (options.pause) delay = std::max(delay, options.pause->delay.value_or(0));
  if (!options.isolation) return 2 * longest + delay;
  delay = std::max(delay, options.isolation->signal_delay.value_or(0));
  return std::max(2 * longest + delay, options.isolation->idle);
}

// How many groups of queues are behind each output of a crossbar. The channels of a group, and queues that
// share a memory, are one group.
std::uint32_t groups_behind_outputs(const QueueCounts& counts) {
  if (counts.options.is_pooled()) return 1;
  if (counts.options.has_output_units() && counts.options.one_output_queue) return counts.options.lanes;
  return counts.options.lanes * counts.map.queues / counts.map.channels;
}

std::uint64_t pool_bytes_of(const Layout& layout, const NetworkOptions& options) {
  if (options.isolation)
    return Isolation::Tables::bytes(*options.isolation, layout.ports, layout.nodes) +
           layout.nodes * sizeof(ActiveList);
  if (options.overflow) return Overflow::Tables::bytes(*options.overflow, layout.ports, layout.nodes);
  return 0;
}

}  // namespace

Layout::Layout(const QueueCounts& counts)
    : nodes(counts.graph.nodes()),
      switches(counts.graph.switches()),
      switch_ports(counts.graph.switch_ports()),
      graph_ports(counts.graph.ports()),
      output_units(counts.options.has_output_units() ? switch_ports : 0),
      ports(graph_ports + output_units),
      devices(switches + nodes + output_units),
      queues(queues_in(*this, counts)),
      injection_queues(input_queues(counts, switch_ports, graph_ports)),
      receive_lanes(receive_lanes_in(counts.options)),
      most_ports(std::max(1U, counts.graph.max_radix())),
      set_words((most_ports + 63) / 64),
      has_group_pointers(traits_of(counts.options.arbiter).serves_groups &&
                         groups_behind_outputs(counts) > 1),
      has_weights(!counts.options.weights.empty()),
      is_pooled(counts.options.is_pooled()),
      feedback_shares_links(counts.options.feedback_shares_links()),
      counts_cells(counts.options.counts_cells()),
      counts_ahead(counts.options.counts_ahead()) {
  // An input has at most one queue per output if the scheme has one queue, or maps outputs to queues.
  const QueueMap& map = counts.map;
  const bool queue_per_output = map.key == QueueKey::output && map.channels == 1 && counts.options.lanes == 1;
  others_have_lists = map.queues > 1 || counts.options.lanes > 1 || is_pooled;
  switches_have_lists = others_have_lists && !queue_per_output;
  lists =
      (switches_have_lists ? counts.graph.port_pairs() : 0) + (others_have_lists ? devices - switches : 0);
  late_inputs = counts.options.selection ? switch_ports : 0;
  pool_bytes = pool_bytes_of(*this, counts.options);
  pool_turns = is_pooled ? lists * sizeof(std::uint16_t) : 0;  // PooledPorts
  marks = counts.options.marking ? std::uint64_t{graph_ports} * counts.options.lanes : 0;
  mark_bytes = counts.options.marking ? Marks::bytes(*counts.options.marking, marks) : 0;
  turn_bytes = counts.options.turns ? OutputTurns::bytes(*counts.options.turns, ports) : 0;
  lane_places = counts.options.pause ? std::uint64_t{graph_ports} * counts.options.lanes : 0;
  links_change = !counts.options.changes.empty();
  flow_entries =
      counts.options.follow_rule ? std::uint64_t{switches} * counts.options.follow_rule->entries : 0;
  horizon = horizon_of(counts.graph, counts.options);
}

MemoryParts Layout::state_parts() const {
  MemoryParts parts;
  parts.add("queues", queues * (sizeof(Queue) + (has_weights + counts_cells) * sizeof(std::uint16_t)));
  parts.add("ports", ports * (sizeof(PortState) + (links_change ? sizeof(LinkNow) : 0)) +
                         (counts_ahead ? graph_ports * sizeof(std::uint32_t) : 0));
  parts.add("devices", devices * sizeof(Device) + flow_entries * sizeof(FlowEntry));
  if (set_words > 1)
    parts.add("devices", (std::uint64_t{devices} * Crossbar<PortCount::many>::kSets + ports) * set_words *
                             sizeof(std::uint64_t));
  parts.add("request lists", (lists + late_inputs) * sizeof(RequestList));
  parts.add("credits", (receive_lanes > 0 ? nodes * sizeof(Tick) : 0) +
                           (feedback_shares_links ? Feedback::bytes(devices, graph_ports, queues) : 0));
  std::uint64_t congestion = turn_bytes + mark_bytes + pool_bytes;
  if (lane_places > 0) congestion += Pauses::bytes(lane_places, switches);
  parts.add("congestion", congestion);
  parts.add("adapters", nodes * sizeof(AdmittanceState::Node) + injection_queues * sizeof(ActiveList));
  parts.add(parts_of_thread());
  return parts;
}

MemoryParts Layout::parts_of_thread() const {
  MemoryParts parts;
  parts.add("ports", most_ports * sizeof(std::uint16_t));  // the queue of each output
  parts.add("devices", Touched::bytes(switches) + Touched::bytes(nodes) + Touched::bytes(output_units) +
                           (late_inputs > 0 ? Touched::bytes(switches) : 0));
  // Credits and pointers of groups, by account: one more for the sinks.
  parts.add("credits", (1 + has_group_pointers) * (queues + 1 + receive_lanes) * sizeof(std::uint16_t));
  std::uint64_t congestion = pool_turns;
  if (is_pooled) congestion += ports;  // marks of the ports to settle
  if (marks > 0) congestion += graph_ports * sizeof(std::uint64_t) + nodes * sizeof(std::uint32_t);
  parts.add("congestion", congestion);
  parts.add("counters", nodes * sizeof(std::uint64_t));  // bytes delivered to each
  parts.add("events", Wheel::bytes(horizon));
  return parts;
}

bool keeps_reachable_queues_only(const QueueMap& map, const Routes& routes, const NetworkOptions& options) {
  return !options.changes_routes() && !routes.detours && !routes.choices &&
         map.key == QueueKey::destination && map.queues > kMostDenseQueues;
}

}  // namespace headway
