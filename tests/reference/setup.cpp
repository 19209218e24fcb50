// SPDX-License-Identifier: Apache-2.0
// Derives from a spec the quantities of docs/modelling.md, one by one.
#include "tests/reference/setup.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

#include "headway/compile/cut_off.h"
#include "headway/compile/hosts.h"
#include "headway/compile/plan/parts.h"
#include "headway/compile/tick.h"

namespace headway::reference {
namespace {

Rational byte_time(const Link& link) {
  return {link.rate.bytes_per_ns.denominator(), link.rate.bytes_per_ns.numerator()};
}

Rational crossbar_speedup(const SwitchSpec& switches) {
  return {std::llround(switches.crossbar_speedup * 10'000), 10'000};
}

bool has_output_queues(const SwitchSpec& switches) {
  if (switches.architecture != Architecture::cioq) return false;
  return !switches.output_memory || switches.output_memory->count > 0 ||
         crossbar_speedup(switches) != Rational(1);
}

Rational rate_of(const LinkEventSpec& event) { return {std::llround(event.rate * 1'000'000), 1'000'000}; }

// Every time in nanoseconds that must be a whole number of ticks.
std::vector<Rational> times_of(const EventSpec& spec, const Graph& graph) {
  std::vector<Rational> times = {spec.switches.routing_delay.ns, spec.measure.duration.ns};
  for (PortId port = 0; port < graph.ports(); ++port) {
    if (graph.peer_of(port) == kNone) continue;
    times.push_back(graph.link(port).delay.ns);
    times.push_back(byte_time(graph.link(port)));
    if (has_output_queues(spec.switches))
      times.push_back(byte_time(graph.link(port)) / crossbar_speedup(spec.switches));
  }
  const auto add = [&](const std::optional<Duration>& time) {
    if (time) times.push_back(time->ns);
  };
  if (const auto plan = spec.switches.scheme->isolation()) {
    add(plan->idle);
    add(plan->signal_delay);
  }
  for (const auto& [key, time] : times_of(spec.node.reaction)) times.push_back(time.ns);
  for (const auto& [key, time] : times_of(spec.switches.flow_control)) times.push_back(time.ns);
  add(spec.node.notification_delay);
  add(spec.routing.reroute_after);
  if (spec.routing.choose_per == ChoosePer::flowlet) add(spec.routing.gap_of_flowlets());
  for (const LinkEventSpec& event : spec.events) {
    times.push_back(event.at.ns);
    add(event.lasts);
    add(event.every);
    if (event.rate == 0) continue;
    for (PortId port = 0; port < graph.ports(); ++port)
      if (graph.peer_of(port) != kNone) times.push_back(byte_time(graph.link(port)) / rate_of(event));
  }
  add(spec.measure.warmup);
  add(spec.measure.bin);
  for (const FlowSpec& flow : spec.traffic.flows) {
    add(flow.start);
    add(flow.stop);
    for (const LoadSpec::Point& point : flow.load.points) add(point.at);
  }
  return times;
}

// The greatest common divisor of the times, computed over a common denominator.
Rational tick_of(const std::vector<Rational>& times) {
  std::int64_t denominator = 1, tick = 0;
  for (const Rational& time : times) denominator = std::lcm(denominator, time.denominator());
  for (const Rational& time : times)
    tick = std::gcd(tick, time.numerator() * (denominator / time.denominator()));
  return {tick, denominator};
}

Tick in_ticks(const Rational& ns, const Duration& tick) {
  const std::int64_t dividend = ns.numerator() * tick.ns.denominator();
  const std::int64_t divisor = ns.denominator() * tick.ns.numerator();
  if (dividend % divisor != 0) throw std::logic_error("reference: a time is not a whole number of ticks");
  return dividend / divisor;
}

// The queues of the scheme, with one queue per virtual channel.
QueueMap queue_map_of(const SwitchSpec& switches, const Graph& graph) {
  QueueMap map = switches.scheme->build(graph);
  const auto channels = static_cast<std::uint32_t>(switches.virtual_channels);
  if (channels == 1) return map;
  for (std::uint32_t& queue : map.queue_of) queue *= channels;
  map.queues *= channels;
  map.channels = channels;
  map.choice = switches.channel;
  return map;
}

// The number of the class of a service lane: the first of the spec that has it. Lanes in no class follow.
std::uint32_t class_of(const EventSpec& spec, std::int64_t lane) {
  const auto has = [&](const ClassSpec& of_spec, std::int64_t wanted) {
    if (!of_spec.lanes.empty()) return std::ranges::find(of_spec.lanes, wanted) != of_spec.lanes.end();
    return std::ranges::any_of(of_spec.service_levels,
                               [&](std::int64_t level) { return level % spec.switches.lanes == wanted; });
  };
  std::uint32_t number = 0;
  for (const ClassSpec& of_spec : spec.classes) {
    if (has(of_spec, lane)) return number;
    ++number;
  }
  for (std::int64_t other = 0; other < lane; ++other)
    if (std::ranges::none_of(spec.classes, [&](const ClassSpec& of_spec) { return has(of_spec, other); }))
      ++number;
  return number;
}

// "0:4,1:8" as pairs of numbers.
LaneTurns::Level level_of(const std::string& table) {
  LaneTurns::Level level;
  std::istringstream text(table);
  for (std::string entry; std::getline(text, entry, ',');) {
    const std::size_t colon = entry.find(':');
    const std::int64_t units = 64 * std::stoll(entry.substr(colon + 1));
    if (units > 0) level.push_back({static_cast<std::uint32_t>(std::stoul(entry.substr(0, colon))), units});
  }
  return level;
}

LaneTurns turns_of(const EventSpec& spec, std::uint32_t lanes) {
  const SwitchSpec& switches = spec.switches;
  LaneTurns turns;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    const std::uint32_t service = lane % static_cast<std::uint32_t>(switches.lanes);
    const bool is_class = switches.lane_turns == TurnsOfLanes::infiniband;
    turns.class_of.push_back(static_cast<std::uint8_t>(is_class ? service : class_of(spec, service)));
    turns.classes = std::max(turns.classes, turns.class_of.back() + 1U);
  }
  if (switches.lane_turns == TurnsOfLanes::infiniband) {
    turns.levels = {level_of(switches.vlarb_high), level_of(switches.vlarb_low)};
    if (switches.high_limit < 255) turns.limit = std::max<std::int64_t>(1, 4096 * switches.high_limit);
    return turns;
  }
  LaneTurns::Level shared;
  std::vector<std::int64_t> weights;
  for (std::uint32_t number = 0; number < turns.classes; ++number) {
    const ClassSpec of_spec = number < spec.classes.size() ? spec.classes[number] : ClassSpec{};
    if (switches.lane_turns == TurnsOfLanes::strict || of_spec.strict) {
      turns.levels.push_back({{number, LaneTurns::kNoEnd}});
    } else {
      weights.push_back(of_spec.weight.value_or(1));
      shared.push_back({number, weights.back() * (spec.traffic.packet.count + spec.traffic.header.count)});
    }
  }
  if (switches.lane_turns == TurnsOfLanes::strict) return turns;
  if (!shared.empty()) turns.levels.push_back(shared);
  turns.carries = true;
  turns.units_per_byte = weights.empty() ? 65535 : *std::ranges::min_element(weights);
  return turns;
}

// The first link of node 0 or, if it has several, the first that is not for scale-up.
PortId usual_link(const Graph& graph) {
  for (NodeId node = 0; node < graph.nodes() && graph.node_of_spec(node) == 0; ++node)
    if (graph.hosts().none() || !graph.hosts().link(node).scale_up) return graph.node_port(node);
  return graph.node_port(0);
}

// The time of a packet from node 0 to the farthest node, if the network is empty, in which switches store
// `stored` bytes.
Tick farthest(const Graph& graph, const NetworkOptions& rules, std::int64_t bytes, std::int64_t stored) {
  const Link& of_node = graph.link(usual_link(graph));
  std::map<SwitchId, Rational> delay = {
      {graph.switch_of(graph.peer_of(usual_link(graph))), of_node.delay.ns}};
  std::vector<SwitchId> order = {delay.begin()->first};
  Rational most(0);
  for (std::size_t i = 0; i < order.size(); ++i)
    for (PortId port = graph.port(order[i], 0); port < graph.port(order[i], 0) + graph.radix(order[i]);
         ++port) {
      const PortId peer = graph.peer_of(port);
      if (peer == kNone) continue;
      const Rational time = delay[order[i]] + Rational(rules.routing_delay) * rules.tick.ns +
                            graph.link(port).delay.ns + Rational(stored) * byte_time(graph.link(port));
      if (graph.is_node_port(peer))
        most = std::max(most, time);
      else if (delay.emplace(graph.switch_of(peer), time).second)
        order.push_back(graph.switch_of(peer));
    }
  const Rational ticks = (most + Rational(bytes) * byte_time(of_node)) / rules.tick.ns;
  return ticks.numerator() / ticks.denominator();
}

// Bytes of the shortest packet of the flows.
std::int64_t shortest_packet(const EventSpec& spec) {
  const std::int64_t full = spec.traffic.packet.count;
  std::int64_t shortest = spec.traffic.traces.empty() ? full : 1;  // of what packets carry
  for (const FlowSpec& flow : spec.traffic.flows) {
    const SizeDistribution sizes = flow.sizes->build(full);
    if (sizes.fixed())
      shortest = std::min(shortest, (static_cast<std::int64_t>(sizes.least()) - 1) % full + 1);
    else
      shortest = std::min(shortest,
                          static_cast<std::int64_t>(sizes.shortest_packet(static_cast<std::uint64_t>(full))));
  }
  shortest = std::max(shortest + spec.traffic.header.count, spec.traffic.minimum_frame.count);
  const std::int64_t notification = spec.node.notification_packet.count;
  return notification > 0 ? std::min(shortest, std::max(notification, spec.traffic.minimum_frame.count))
                          : shortest;
}

// The unit in which the memory of lanes that pause is counted: a cell, or what divides every packet.
std::uint32_t unit_of_lanes(const EventSpec& spec, const NetworkOptions& rules) {
  if (rules.cell_bytes > 0) return rules.cell_bytes;
  const std::int64_t full = spec.traffic.packet.count;
  const std::int64_t header = spec.traffic.header.count, least = spec.traffic.minimum_frame.count;
  const std::int64_t notification = spec.node.notification_packet.count;
  std::int64_t unit = spec.traffic.traces.empty() ? full + header : 1;
  for (const FlowSpec& flow : spec.traffic.flows) {
    const SizeDistribution sizes = flow.sizes->build(full);
    if (header > 0 || least > 0) {
      const std::int64_t last = (static_cast<std::int64_t>(sizes.least()) - 1) % full + 1;
      unit = std::gcd(unit, sizes.fixed() ? std::max(last + header, least) : 1);
      continue;
    }
    unit = std::gcd(unit, sizes.fixed() ? static_cast<std::int64_t>(sizes.least())
                                        : static_cast<std::int64_t>(
                                              sizes.unit_of_packets(static_cast<std::uint64_t>(full))));
  }
  return static_cast<std::uint32_t>(std::gcd(unit, notification > 0 ? std::max(notification, least) : 0));
}

// The headroom of a lane behind this link: the largest sum of credits of packets that can join the lane after
// it was one credit below its threshold, found by trying all sequences of the shortest packets and full ones.
std::uint32_t headroom_behind(const Link& link, Tick delay, bool stores, const NetworkOptions& rules,
                              std::int64_t shortest, std::int64_t unit) {
  const Tick byte = in_ticks(byte_time(link), rules.tick);
  const auto room = [&](std::int64_t bytes) { return (bytes + unit - 1) / unit; };
  const std::int64_t full = rules.packet_bytes;
  std::int64_t best_room = 0, best_bytes = 1;  // the length that takes most credits per time
  for (std::int64_t bytes = shortest; bytes <= full; ++bytes)
    if (best_room == 0 || room(bytes) * best_bytes > best_room * bytes)
      best_room = room(bytes), best_bytes = bytes;
  const std::int64_t within = (delay - 1) * best_room / (best_bytes * byte);
  return static_cast<std::uint32_t>(within + (stores ? 2 : 1) * room(full) - 1);
}

// `of_port`: memory of an input port, which the spec gives; `of_node`: of a lane of a slow node.
void set_pauses(const EventSpec& spec, const PausePlan& plan, const Graph& graph, std::int64_t of_port,
                std::int64_t of_node, std::uint32_t lanes, NetworkOptions& rules) {
  PauseRules pause;
  pause.unit_bytes = unit_of_lanes(spec, rules);
  const std::int64_t slot = pause.unit_bytes;
  rules.capacity = static_cast<std::uint32_t>(of_port / lanes / slot);
  if (!rules.receive_rate.empty()) rules.receive_capacity = static_cast<std::uint32_t>(of_node / slot);
  pause.loses = plan.loses;
  pause.alpha = static_cast<std::uint32_t>(std::llround(plan.alpha * PauseRules::kAlphaUnit));
  if (plan.delay) pause.delay = in_ticks(plan.delay->ns, rules.tick);
  const std::vector<Link>& links = graph.link_classes();
  Rational slowest(0);
  for (const Link& link : links) slowest = std::max(slowest, byte_time(link));
  const Tick slow = in_ticks(slowest, rules.tick);
  const std::int64_t notification = rules.isolation ? rules.isolation->signal_bytes : 0;
  const std::int64_t frame = rules.credit_bytes + notification;
  for (const Link& link : links) {
    const Tick delay = in_ticks(link.delay.ns, rules.tick);
    Tick told = pause.delay.value_or(delay);
    if (rules.credit_bytes > 0)
      told = std::max<Tick>(rules.packet_bytes * slow, frame * slow) - 1 + frame * slow + delay;
    const bool stores = rules.store_and_forward || links.size() > 1;
    const std::int64_t shortest = shortest_packet(spec);
    pause.headroom = std::max(pause.headroom, headroom_behind(link, delay + rules.routing_delay + told,
                                                              stores, rules, shortest, slot));
    if (!rules.receive_rate.empty())
      pause.headroom =
          std::max(pause.headroom, headroom_behind(link, delay + told, true, rules, shortest, slot));
  }
  if (pause.alpha > 0) ++pause.headroom;  // for the packet that causes the pause
  if (plan.headroom) pause.headroom = static_cast<std::uint32_t>(plan.headroom->count / slot);
  pause.xoff =
      plan.xoff ? static_cast<std::uint32_t>(plan.xoff->count / slot) : rules.capacity - pause.headroom;
  pause.gap = plan.xon ? pause.xoff - static_cast<std::uint32_t>(plan.xon->count / slot)
                       : static_cast<std::uint32_t>(2 * ((rules.packet_bytes + slot - 1) / slot));
  rules.pause = pause;
}

void set_control(const EventSpec& spec, const Graph& graph, const QueueMap& map, NetworkOptions& rules) {
  const std::int64_t slot = rules.pause            ? rules.pause->unit_bytes
                            : rules.cell_bytes > 0 ? rules.cell_bytes
                                                   : rules.packet_bytes;
  const bool one_memory = rules.isolation || rules.overflow || rules.pause || rules.shares_lanes;
  const std::int64_t lane = slot * rules.capacity * (one_memory ? 1 : map.queues);
  rules.marking = spec.switches.marking->build({lane, rules.isolation ? rules.isolation->stop_threshold : 0});
  const Rational packet =
      Rational(rules.packet_bytes) * byte_time(graph.link(usual_link(graph))) / rules.tick.ns;
  const Tick time = packet.numerator() / packet.denominator();
  const Tick delay = spec.node.notification_delay ? in_ticks(spec.node.notification_delay->ns, rules.tick)
                                                  : farthest(graph, rules, 64, 0);
  const Tick trip =
      delay + farthest(graph, rules, rules.packet_bytes, rules.store_and_forward ? rules.packet_bytes : 0);
  rules.reaction = spec.node.reaction->build({rules.tick, time, rules.marking ? rules.marking->every : 1,
                                              (trip + time - 1) / time * rules.packet_bytes});
  if (!rules.reaction) return;
  rules.reaction->notification_delay = delay;
  rules.reaction->notification_bytes = static_cast<std::uint32_t>(spec.node.notification_packet.count);
}

// For nodes whose links take `byte_time` nanoseconds per byte.
Flow flow_of(const FlowSpec& spec, const NetworkOptions& rules, const Rational& byte_time, double part,
             std::shared_ptr<const Destinations> destinations) {
  const auto ticks = [&](const Duration& time) { return in_ticks(time.ns, rules.tick); };
  const auto sizes =
      std::make_shared<const SizeDistribution>(spec.sizes->build(rules.packet_bytes - rules.header_bytes));
  Flow flow;
  flow.destinations = std::move(destinations);
  flow.sizes = sizes->least() < sizes->most() ? sizes : nullptr;
  auto left = static_cast<std::int64_t>(sizes->least());
  const std::uint32_t most = rules.packet_bytes - rules.header_bytes;
  for (flow.packets = 1; left > most; left -= most) ++flow.packets;
  flow.last_bytes = static_cast<std::uint32_t>(left);
  if (spec.start) flow.start = ticks(*spec.start);
  if (spec.stop) flow.stop = ticks(*spec.stop);
  LoadPlan plan;
  plan.ramp = spec.load.change == Transition::ramp;
  plan.start = flow.start;
  plan.stop = flow.stop;
  for (const LoadSpec::Point& point : spec.load.points)
    plan.points.push_back({ticks(point.at), point.load * part});
  const double message_ticks = rules.framing().mean_frames(*sizes) * (byte_time / rules.tick.ns).to_double();
  const auto whole_ticks = std::max<Tick>(1, std::llround(message_ticks));
  flow.arrivals = spec.arrivals->build({compile(plan, whole_ticks), message_ticks});
  flow.backlog = spec.arrivals->backlog();
  if (spec.service_level) flow.service = static_cast<std::uint8_t>(*spec.service_level);
  return flow;
}

// The links of an event whose names are numbers, in both directions.
std::set<PortId> links_of(const LinkEventSpec& event, const Graph& graph) {
  std::set<PortId> links;
  if (!event.link.empty()) {
    const std::size_t colon = event.link.find(':');
    links.insert(graph.port(static_cast<SwitchId>(std::stoul(event.link.substr(0, colon))),
                            static_cast<std::uint32_t>(std::stoul(event.link.substr(colon + 1)))));
  }
  for (PortId port = 0; port < graph.switch_ports(); ++port)
    if (!event.sw.empty() && graph.switch_of(port) == std::stoul(event.sw) && graph.peer_of(port) != kNone)
      links.insert(port);
  for (NodeId node = 0; node < graph.nodes(); ++node)
    if (!event.node.empty() && graph.node_of_spec(node) == std::stoul(event.node))
      links.insert(graph.node_port(node));
  for (const PortId link : std::set(links))
    if (graph.peer_of(graph.peer_of(link)) != kNone) links.insert(graph.peer_of(link));
  return links;
}

void add_troubles(const EventSpec& spec, Setup& setup) {
  const Duration& tick = setup.rules.tick;
  const auto ticks = [&](const std::optional<Duration>& time, Tick otherwise) {
    return time ? in_ticks(time->ns, tick) : otherwise;
  };
  for (const LinkEventSpec& event : spec.events)
    for (const PortId link : links_of(event, setup.graph)) {
      LinkTrouble trouble{
          link, in_ticks(event.at.ns, tick), ticks(event.lasts, -1), ticks(event.every, 0), {}};
      if (event.rate > 0)
        trouble.ticks_per_byte = in_ticks(byte_time(setup.graph.link(link)) / rate_of(event), tick);
      setup.troubles.push_back(trouble);
    }
  setup.rules.down_links_lose = spec.switches.down_links == DownLinks::lose;
  if (!spec.routing.reroute_after) return;
  setup.reroute_after = in_ticks(spec.routing.reroute_after->ns, tick);
  setup.routes_without = [spec, graph = setup.graph, services = setup.services,
                          before = setup.routes](const std::set<PortId>& down) {
    Graph left = graph;
    for (const PortId link : down)
      if (left.peer_of(link) != kNone) left.fail(link);
    Routes routes = down.empty() ? before : spec.routing.algorithm->build(left, Unreachable::reported);
    routes.table.follow_seed(spec.seed);
    return routes;
  };
}

}  // namespace

Setup setup_of(const EventSpec& spec, Graph graph) {
  const SwitchSpec& switches = spec.switches;
  const QueueMap map = queue_map_of(switches, graph);
  const std::int64_t slot =
      switches.cell ? switches.cell->count : spec.traffic.packet.count + spec.traffic.header.count;
  const auto credits_in = [&](std::int64_t bytes) { return static_cast<std::uint32_t>(bytes / slot); };
  Routes routes = spec.routing.algorithm->build(graph, spec.network.faults.unreachable);
  routes.table.follow_seed(spec.seed);
  Mistakes none;
  ServiceLevels services = service_levels_of(spec, graph, none);
  if (services.lanes > 1 && services.table.varies()) routes.lanes = std::move(routes.lanes).breaking_rings();
  const std::uint32_t lanes = routes.lane_count() * services.lanes, queues = map.queues * lanes;
  NetworkOptions rules;
  rules.tick = Duration{tick_of(times_of(spec, graph))};
  const auto ticks = [&](const Duration& time) { return in_ticks(time.ns, rules.tick); };
  rules.routing_delay = ticks(switches.routing_delay);
  rules.store_and_forward = switches.switching == Switching::store_and_forward;
  rules.holds_faster_links = switches.slow_to_fast == Switching::cut_through;
  rules.arbiter = switches.arbiter;
  rules.admittance = spec.node.admittance;
  rules.packet_bytes = static_cast<std::uint32_t>(spec.traffic.packet.count + spec.traffic.header.count);
  rules.header_bytes = static_cast<std::uint32_t>(spec.traffic.header.count);
  rules.least_frame = static_cast<std::uint32_t>(spec.traffic.minimum_frame.count);
  if (switches.cell) rules.cell_bytes = static_cast<std::uint32_t>(switches.cell->count);
  // The specs of tests give their memory, or need no more than 4 KiB for a port.
  const std::int64_t usual = 4096;
  const std::int64_t of_port = switches.queue_memory ? switches.queue_memory->count * queues
                                                     : switches.input_memory.value_or(Bytes{usual}).count;
  rules.output_queued = switches.architecture == Architecture::oq;
  rules.shares_lanes = switches.flow_control.name == "lane-credits";
  rules.capacity = credits_in(of_port / (rules.shares_lanes ? lanes : queues));
  const std::int64_t for_injection = spec.node.reaction->traits() ? 0 : of_port;
  rules.injection_capacity = std::max(
      credits_in((spec.node.injection_memory ? spec.node.injection_memory->count : for_injection) / queues),
      credits_in(slot) * static_cast<std::uint32_t>((rules.packet_bytes + slot - 1) / slot));
  if (has_output_queues(switches)) {
    rules.one_output_queue = switches.output_queues == OutputQueues::one;
    rules.output_capacity = credits_in(switches.output_memory.value_or(Bytes{usual}).count /
                                       (rules.one_output_queue ? lanes : queues));
    rules.crossbar_speedup = crossbar_speedup(switches);
  }
  if (switches.output_arbiter == OutputArbiter::weighted_round_robin)
    for (std::uint32_t queue = 0; queue < queues; ++queue) {
      const std::int64_t weight = switches.weights.empty() ? 1 : switches.weights[queue];
      rules.weights.push_back(static_cast<std::uint16_t>(weight));
    }
  if (switches.lane_turns != TurnsOfLanes::none) rules.turns = turns_of(spec, lanes);
  const std::int64_t of_node = spec.node.receive_memory ? spec.node.receive_memory->count : of_port / lanes;
  if (spec.node.receive_rate || !spec.node.receivers.empty()) {
    const auto rational = [](double rate) { return Rational(std::llround(rate * 10'000), 10'000); };
    rules.receive_rate.assign(graph.nodes(), rational(spec.node.receive_rate.value_or(0)));
    std::vector<FlowSources> sets;
    for (const ReceiverSpec& receiver : spec.node.receivers) sets.push_back({receiver.nodes, ""});
    const auto chosen = choose_sources(sets, graph.nodes_of_spec(), spec.seed, none);
    for (std::size_t r = 0; r < chosen.size(); ++r)
      for (const NodeId of_spec : chosen[r])
        for (NodeId node = 0; node < graph.nodes(); ++node)
          if (graph.node_of_spec(node) == of_spec)
            rules.receive_rate[node] = rational(spec.node.receivers[r].rate);
    rules.receive_capacity = credits_in(of_node);
  }
  rules.link_rule = spec.routing.node_link;
  rules.link_salt = spec.seed;
  rules.credit_bytes = static_cast<std::uint32_t>(switches.credit_packet.count);
  if (spec.node.admittance_limit) rules.admittance_limit = credits_in(spec.node.admittance_limit->count);
  if (const auto plan = switches.scheme->isolation()) {
    rules.isolation = plan->rules;
    rules.isolation->idle = ticks(plan->idle);
    if (plan->signal_delay) rules.isolation->signal_delay = ticks(*plan->signal_delay);
  }
  rules.overflow = switches.scheme->overflow(graph.nodes());
  if (const auto plan = switches.flow_control->pauses())
    set_pauses(spec, *plan, graph, of_port, of_node, lanes, rules);
  set_control(spec, graph, map, rules);
  if (spec.routing.algorithm->adaptive()) {
    const auto at_arrival = spec.routing.algorithm->at_arrival();
    if (!at_arrival) {
      rules.selection = spec.routing.selection->build(graph);
      rules.selection->free = spec.routing.free_output;
      rules.selection->none_free = spec.routing.none_free;
      rules.selection->cp_counts = spec.routing.cp_counts;
    } else {
      const std::int64_t unit = rules.pause ? rules.pause->unit_bytes : slot;
      const auto units = [&](const Bytes& bytes) { return static_cast<std::uint32_t>(bytes.count / unit); };
      rules.arrival_choice = {
          spec.routing.selection->build_for_arrivals(graph), units(at_arrival->free_load),
          std::max(1U, units(at_arrival->step.value_or(Bytes{std::int64_t{rules.packet_bytes}})))};
      rules.arrival_choice->rule.cp_counts = spec.routing.cp_counts;
    }
  }
  if (spec.routing.choose_per != ChoosePer::packet) {
    const bool by_message = spec.routing.choose_per == ChoosePer::message;
    if (!spec.routing.algorithm->adaptive()) rules.draws_by_message = by_message;
    if (spec.routing.algorithm->adaptive()) {
      rules.follow_rule.emplace();
      rules.follow_rule->by_message = by_message;
      if (!by_message) rules.follow_rule->gap = ticks(spec.routing.gap_of_flowlets());
    }
  }
  Setup setup{std::move(graph), std::move(routes), map, rules, std::move(services)};
  setup.flow_table = static_cast<std::uint64_t>(spec.routing.flow_table.value_or(16'384));
  setup.labels = setup.routes.table.labels();
  add_troubles(spec, setup);
  return setup;
}

Setup setup_of(const Network& network) {
  Setup setup{network.graph, network.routes, network.queue_map, network, {}};
  if (network.follow_rule) setup.flow_table = network.follow_rule->entries;
  return setup;
}

// In bytes per nanosecond: the links for scale-up if all destinations of the node are over such links,
// otherwise the others.
Rational rate_at_full_load(const Graph& graph, const Destinations& destinations, NodeId of_spec) {
  const Hosts& hosts = graph.hosts();
  if (hosts.none()) return graph.link(graph.node_port(of_spec)).rate.bytes_per_ns;
  bool is_close = true;
  destinations.shares(of_spec, [&](NodeId destination, double) {
    bool has_common = false;
    for (NodeId a = hosts.home(of_spec); a < hosts.home(of_spec + 1); ++a)
      for (NodeId b = hosts.home(destination); b < hosts.home(destination + 1); ++b)
        has_common |= hosts.link(a).scale_up && hosts.link(b).scale_up &&
                      hosts.link(a).network == hosts.link(b).network;
    is_close &= has_common;
  });
  Rational scale_up(0), others(0);
  for (NodeId node = hosts.home(of_spec); node < hosts.home(of_spec + 1); ++node) {
    Rational& sum = hosts.link(node).scale_up ? scale_up : others;
    sum = sum + graph.link(graph.node_port(node)).rate.bytes_per_ns;
  }
  return (is_close && scale_up > Rational(0)) || others == Rational(0) ? scale_up : others;
}

// Splits a flow if its sources differ in link rate or in their part of the load. The part with the first
// source keeps the flow's number; the other parts follow behind all flows of the spec. All parts have the
// random streams of the flow.
Workload workload_of(const EventSpec& spec, const Setup& setup) {
  const Graph& graph = setup.graph;
  const std::uint32_t nodes = graph.nodes_of_spec();
  std::vector<FlowSources> wanted;
  for (const FlowSpec& flow : spec.traffic.flows) wanted.push_back({flow.sources, ""});
  Mistakes mistakes;
  auto sources_of = choose_sources(wanted, nodes, spec.seed, mistakes);

  std::shared_ptr<const PathsLeft> paths;
  if (spec.network.faults.unreachable == Unreachable::reported)
    paths = std::make_shared<const PathsLeft>(std::make_shared<const Graph>(setup.graph), setup.routes.table);
  Workload workload;
  workload.flows.resize(spec.traffic.flows.size());
  for (std::uint32_t f = 0; f < spec.traffic.flows.size(); ++f) {
    const FlowSpec& of_spec = spec.traffic.flows[f];
    std::shared_ptr<const Destinations> destinations =
        of_spec.pattern->build(NodeSpace::of(*spec.network.topology), spec.seed);
    const auto is_silent = [&, pattern = destinations](NodeId node) {
      Rng unused(spec.seed, node);
      return pattern->next(node, unused) == kNone;
    };
    std::erase_if(sources_of[f], is_silent);
    if (paths && !paths->has_all())
      destinations = std::make_shared<const DestinationsLeft>(std::move(destinations), paths, sources_of[f]);
    std::map<std::pair<Rational, double>, std::uint32_t> number_of;  // by byte time and load factor
    const std::shared_ptr<const Destinations> between =
        between_homes(destinations, std::make_shared<const Graph>(graph));
    for (const NodeId node : sources_of[f]) {
      const Rational time = Rational(1) / rate_at_full_load(graph, *destinations, node);
      const std::pair kind(time, destinations->load_of(node));
      if (!number_of.contains(kind)) {
        std::uint32_t number = f;
        if (!number_of.empty()) {
          number = static_cast<std::uint32_t>(workload.flows.size());
          workload.flows.emplace_back();
        }
        number_of[kind] = number;
        workload.flows[number] = flow_of(of_spec, setup.rules, time, kind.second, between);
        workload.flows[number].copy_of = f;
      }
      workload.sources.push_back({graph.home(node), number_of[kind]});
      workload.node_of_spec.push_back(node);
    }
  }
  workload.notifies = setup.rules.reaction && setup.rules.reaction->notification_bytes > 0;
  if (workload.notifies && setup.services.lanes > 1)
    workload.notification_service = static_cast<std::uint8_t>(spec.node.notification_service_level);
  return workload;
}

bool LinkTrouble::holds(Tick now) const {
  if (now < at) return false;
  const Tick since = every == 0 ? now - at : (now - at) % every;
  return lasts < 0 || since < lasts;
}

Wiring wiring_of(const Setup& setup) {
  const Graph& graph = setup.graph;
  Wiring wiring;
  const auto add_device = [&](WiredPort::Kind kind, std::uint32_t ports) {
    const auto device = static_cast<std::uint32_t>(wiring.devices.size());
    wiring.devices.emplace_back();
    for (std::uint32_t local = 0; local < ports; ++local) {
      wiring.devices[device].push_back(static_cast<PortId>(wiring.ports.size()));
      wiring.ports.push_back({kind, device, local});
    }
  };
  const bool has_output_units = setup.rules.output_capacity > 0;
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) add_device(WiredPort::Kind::of_switch, graph.radix(sw));
  for (NodeId node = 0; node < graph.nodes(); ++node) add_device(WiredPort::Kind::adapter, 1);
  for (PortId port = 0; has_output_units && port < graph.switch_ports(); ++port)
    add_device(WiredPort::Kind::output_unit, 1);

  const auto join = [&](PortId from, PortId to, const Rational& delay, const Rational& time) {
    wiring.ports[from].peer = to;
    wiring.ports[to].source = from;
    wiring.ports[from].delay = in_ticks(delay, setup.rules.tick);
    wiring.ports[from].ticks_per_byte = in_ticks(time, setup.rules.tick);
  };
  for (PortId port = 0; port < graph.ports(); ++port) {
    if (graph.peer_of(port) == kNone) continue;
    const Link& link = graph.link(port);
    PortId sender = port;
    if (has_output_units && !graph.is_node_port(port)) {
      sender = graph.ports() + port;
      join(port, sender, 0, byte_time(link) / setup.rules.crossbar_speedup);
    }
    join(sender, graph.peer_of(port), link.delay.ns, byte_time(link));
    wiring.ports[graph.peer_of(port)].read_ticks_per_byte =
        in_ticks(byte_time(link) / setup.rules.crossbar_speedup, setup.rules.tick);
  }
  return wiring;
}

}  // namespace headway::reference
