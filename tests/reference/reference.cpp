// SPDX-License-Identifier: Apache-2.0
// A second implementation of docs/modelling.md, in its order and with its terms. Speed does not matter here.
#include "tests/reference/reference.h"

#include <algorithm>
#include <set>
#include <variant>

#include "headway/arbitration/arbiters.h"
#include "headway/congestion/marking.h"
#include "headway/congestion/reaction.h"
#include "tests/reference/known.h"

namespace headway::reference {

Reference::Reference(const Setup& setup, const Workload& workload, std::uint64_t seed)
    : graph_(setup.graph),
      setup_(setup),
      lanes_(setup.routes.lanes),
      detours_(setup.routes.detours),
      choices_(setup.rules.selection ? setup.routes.choices : std::nullopt),
      services_(setup.services),
      queue_map_(setup.queue_map),
      rules_(setup.rules),
      wiring_(wiring_of(setup)),
      usual_(wiring_),
      workload_(workload),
      seed_(seed),
      routes_now_(std::make_shared<const Routes>(setup.routes)),
      ports_(wiring_.ports.size()),
      devices_(wiring_.devices.size()),
      nodes_(setup.graph.nodes()),
      sources_(workload.generators()),
      generated_(sources_.size()),
      jobs_(workload, setup.rules.packet_bytes - setup.rules.header_bytes) {
  routes_without_[{}] = routes_now_;
  if (rules_.marking)
    expect_plain<Red, InfiniBandMarking, IsolationMarking, IsolationRed>("marking", rules_.marking->own);
  if (rules_.reaction)
    expect_plain<Dcqcn, DcqcnNic, InfiniBandReaction, Timely, CongestionWindow>("reaction",
                                                                                rules_.reaction->own);
  if (rules_.selection)
    expect_plain<FirstFree, Ssp, Sdp, Sop, Sadp, Cyclic, RandomPort, MostCredits>("selection function",
                                                                                  rules_.selection->own);
  if (rules_.arbiter > ArbiterKind::random) lacks("arbiter", name_of(rules_.arbiter));
  for (PortId port = 0; port < ports_.size(); ++port) {
    ports_[port].queues.resize(queues_of(port));
    // credits count the whole memory if queues share it
    ports_[port].credits.assign(is_pooled() ? 1 : queues_of(port), capacity_of(port));
  }
  if (rules_.isolation) isolation_.emplace(setup, wiring_);
  if (rules_.turns) prepare_turns();
  if (rules_.reaction) control_.emplace(*rules_.reaction);
  if (rules_.overflow) overflow_.emplace(*rules_.overflow);
  for (std::uint32_t device = 0; device < devices_.size(); ++device)
    devices_[device].random = Rng(seed, StreamKind::arbiter, device);
  for (NodeId node = 0; node < nodes_.size(); ++node) {
    nodes_[node].active.resize(lane_count() * queue_map_.queues / queue_map_.channels);
    if (is_slow(node)) nodes_[node].receive_credits.assign(lane_count(), rules_.receive_capacity);
  }
  for (NodeId node = 0; node < nodes_.size(); ++node) {
    std::set<SwitchId> reached = {graph_.switch_of(graph_.peer_of(graph_.node_port(node)))};
    for (std::size_t before = 0; before < reached.size();) {
      before = reached.size();
      for (PortId port = 0; port < graph_.switch_ports(); ++port)
        if (const PortId peer = graph_.peer_of(port); peer != kNone && !graph_.is_node_port(peer))
          if (reached.contains(graph_.switch_of(port))) reached.insert(graph_.switch_of(peer));
    }
    network_of_.push_back(*reached.begin());
  }
  for (std::uint32_t source = 0; source < workload.sources.size(); ++source) {
    sources_[source].random = workload.stream(seed, source);
    const Flow& flow = workload.flows[workload.sources[source].flow];
    if (flow.arrivals) sources_[source].due = flow.arrivals->first(sources_[source].random);
    draw_size(source);
  }
  for (const Trace& trace : workload.traces) {
    auto& messages = traces_.emplace_back();
    const auto cursor = trace.messages->open();
    while (const auto message = cursor->next()) messages.push_back(*message);
  }
}

void Reference::run_until(Tick end) {
  for (; now_ < end && !jobs_.done(); ++now_) {
    change_network();
    arrive();
    release();
    generate();
    for (const auto& [port, arrived] : unsettled_) settle(port, arrived);
    unsettled_.clear();
    for (std::uint32_t device = 0; device < devices_.size(); ++device) arbitrate(device);
    if (isolation_) isolation_->end_tick();
  }
}

// Links between switches that are down, in both directions.
std::set<PortId> Reference::links_down(Tick when) const {
  std::set<PortId> down;
  for (const LinkTrouble& trouble : setup_.troubles)
    if (!trouble.ticks_per_byte && trouble.holds(when) && !graph_.is_node_port(trouble.link) &&
        !graph_.is_node_port(graph_.peer_of(trouble.link)))
      down.insert(trouble.link);
  return down;
}

// Before all else in a tick.
void Reference::change_network() {
  for (const LinkTrouble& each : setup_.troubles) {
    const PortId link = link_of(each.link);
    bool is_down = false;
    Tick slowest = usual_.ports[link].ticks_per_byte;
    for (const LinkTrouble& trouble : setup_.troubles)
      if (trouble.link == each.link && trouble.holds(now_)) {
        is_down = is_down || !trouble.ticks_per_byte;
        slowest = std::max(slowest, trouble.ticks_per_byte.value_or(0));
      }
    ports_[link].is_down = is_down;
    if (!is_down) wiring_.ports[link].ticks_per_byte = slowest;  // what it loses takes as long as before
  }
  if (!setup_.reroute_after || now_ < *setup_.reroute_after) return;
  auto& routes = routes_without_[links_down(now_ - *setup_.reroute_after)];
  if (!routes)
    routes = std::make_shared<const Routes>(setup_.routes_without(links_down(now_ - *setup_.reroute_after)));
  if (std::exchange(routes_now_, routes) == routes) return;
  for (NodeId node = 0; node < nodes_.size(); ++node) join_again(node);
}

// The routes that decide the output of a packet at the switch that it has come to.
const Routes& Reference::routes_for(const Packet& packet) const {
  const std::size_t place = packet.crossed.size() - 1;  // its first link leads from its node
  if (rules_.arrival_choice || place >= packet.routed_by.size()) return *routes_now_;
  return *packet.routed_by[place];
}

// Phase 1.
void Reference::arrive() {
  // Decisions on detours use the queues as they were before the arrivals of this tick.
  const auto [first, last] = flights_.equal_range(now_);
  std::vector<Flight> decided;
  for (auto flight = first; flight != last; ++flight) {
    decided.push_back(flight->second);
    if (!is_node(flight->second.input) && detours_ && detours_->kind != Detour::always)
      decide(decided.back().packet, wired(flight->second.input).device);
  }
  for (auto flight = first; flight != last; ++flight)
    flight->second = decided[static_cast<std::size_t>(std::distance(first, flight))];
  if (rules_.arrival_choice)
    for (SwitchId sw = 0; sw < graph_.switches(); ++sw) choose_at_arrival(sw);
  if (rules_.pause) join_lanes();
  if (rules_.marking && rules_.marking->at == MarkAt::arrival) {
    std::map<std::pair<PortId, std::uint32_t>, std::uint64_t> before;
    for (auto flight = flights_.begin(); flight != last; ++flight) {
      if (is_node(flight->second.input)) continue;
      const PortId output = output_of(flight->second.packet, wired(flight->second.input).device);
      const std::uint32_t lane = lane_over(flight->second.packet, output);
      before[{output, lane}] = bytes_waiting(output, lane);
    }
    for (auto flight = flights_.begin(); flight != last; ++flight)
      if (!is_node(flight->second.input)) mark_arrival(flight->second.packet, flight->second.input, before);
  }
  finish_consumption();
  for (; !flights_.empty() && flights_.begin()->first == now_; flights_.erase(flights_.begin())) {
    const Flight& flight = flights_.begin()->second;
    if (is_node(flight.input) && is_slow(flight.packet.destination))
      nodes_[flight.packet.destination].received.push_back(flight.packet);
    else if (is_node(flight.input))
      deliver(flight.packet);
    else {
      count_routed(flight.packet, wired(flight.input).device);
      push(flight.input, queue_on_arrival(flight), flight.packet);
      ports_[flight.input].queues[queue_on_arrival(flight)].packets.back().routed_by.push_back(routes_now_);
    }
    if (is_pooled() && !is_node(flight.input)) unsettled_[flight.input] = true;
  }
  joining_.clear();
  begin_consumption();
}

// A slow node delivers the packet that it has consumed; the credits then go back to its switch.
void Reference::finish_consumption() {
  for (NodeState& node : nodes_) {
    if (node.consumes_until != now_) continue;
    const Packet packet = node.received.front();
    node.received.pop_front();
    node.consumes_until = NodeState::kIdle;
    deliver(packet);
    const PortId adapter = graph_.node_port(packet.destination);
    if (rules_.pause)
      leaving_.insert({now_, {adapter, packet.taken, lane_room_of(packet)}});
    else
      received_rooms_.insert(
          {now_ + wired(wired(adapter).source).delay, {adapter, packet.taken, room_of(packet)}});
  }
}

void Reference::begin_consumption() {
  for (NodeId id = 0; id < nodes_.size(); ++id) {
    NodeState& node = nodes_[id];
    if (node.received.empty() || node.consumes_until != NodeState::kIdle) continue;
    const Rational on_link(static_cast<Tick>(node.received.front().bytes) *
                           usual_.ports[wired(graph_.node_port(id)).source].ticks_per_byte);
    const Rational time = on_link / rules_.receive_rate[id];
    Tick ticks = time.numerator() / time.denominator();
    if (Rational(ticks) < time) ++ticks;
    node.consumes_until = now_ + ticks;
  }
}

void Reference::deliver(const Packet& packet) {
  if (is_notice(packet)) {
    control_->arrive(travelling_.at({packet.source, packet.serial}), now_);
  } else if (control_) {
    control_->deliver(control_->flow(packet.source, packet.destination, packet.service), packet.marked,
                      packet.bytes, now_ - packet.injected, now_);
    for (const NaiveControl::Travelling& sent : control_->take_sent())
      to_send_.insert({{packet.destination, packet.source}, sent});
  }
  deliveries_.push_back({packet.source, packet.destination, packet.serial, now_, packet.generator,
                         packet.message, packet.packets, packet.generated, packet.injected, packet.carried});
  if (is_notice(packet)) return;
  jobs_.delivered(packet.source, packet.message, packet.serial, now_);
  ++counters_.packets_delivered;
  counters_.bytes_delivered += packet.bytes;
  counters_.payload_delivered += packet.carried;
  counters_.latency_ticks += static_cast<std::uint64_t>(now_ - packet.generated);
  counters_.network_latency_ticks += static_cast<std::uint64_t>(now_ - packet.injected);
  std::uint32_t& latest =
      latest_serial_.insert({{packet.source, packet.destination}, packet.serial}).first->second;
  if (packet.serial < latest) ++counters_.out_of_order;
  latest = std::max(latest, packet.serial);
}

// Phase 2. The end of a transfer needs no action because ports know how long they are busy.
void Reference::release() {
  if (isolation_) receive_signals();
  if (rules_.pause) obey_pauses();
  for (; !vacated_.empty() && vacated_.begin()->first == now_; vacated_.erase(vacated_.begin()))
    ports_[vacated_.begin()->second.input].pending_credits.emplace_back(vacated_.begin()->second.queue,
                                                                        vacated_.begin()->second.credits);
  for (; !rooms_.empty() && rooms_.begin()->first == now_; rooms_.erase(rooms_.begin())) {
    const Room& room = rooms_.begin()->second;
    ports_[room.input].credits[room.queue] += room.credits;
    if (is_node(room.input)) admit(graph_.node_of(room.input));
  }
  for (; !received_rooms_.empty() && received_rooms_.begin()->first == now_;
       received_rooms_.erase(received_rooms_.begin())) {
    const Room& room = received_rooms_.begin()->second;
    nodes_[graph_.node_of(room.input)].receive_credits[room.queue] += room.credits;
  }
}

void Reference::receive_signals() {
  for (const PortId output : isolation_->receive(now_)) {
    const std::uint32_t device = wired(output).device;
    for (const PortId port : ports_of(device)) unsettled_.insert({port, false});
    if (!is_node(output)) continue;
    NodeState& node = nodes_[graph_.node_of(output)];
    for (; !node.aside.empty(); node.aside.pop_front()) node.active[0].push_back(node.aside.front());
    admit(graph_.node_of(output));
  }
  for (const PortId port : isolation_->woken(now_)) unsettled_.insert({port, false});
}

void Reference::settle(PortId port, bool arrived) {
  auto& queues = ports_[port].queues;
  if (overflow_) {
    overflow_->settle(port,
                      [&](std::uint32_t queue) -> std::deque<Packet>& { return queues[queue].packets; });
    return;
  }
  isolation_->settle(port,
                     {[&](std::uint32_t queue) { return queues[queue].packets.size(); },
                      [&](std::uint32_t queue) { return room_of(queues[queue].packets); },
                      [&](std::uint32_t queue) { return queues[queue].packets.front().destination; },
                      [&](std::uint32_t from, std::uint32_t to) {
                        queues[to].packets.push_back(queues[from].packets.front());
                        queues[from].packets.pop_front();
                      }},
                     now_, arrived);
}

// Phase 4.
void Reference::arbitrate(std::uint32_t device) {
  const auto feed_back = [&] {
    for (const PortId port : ports_of(device)) send_feedback(port);
  };
  feed_back();
  const bool chooses = rules_.selection && is_switch(device);
  if (chooses) choose_outputs(device);
  const std::vector<Request> requests = eligible_requests(device);
  std::vector<PortId> outputs = wanted_outputs(device);
  const std::uint64_t draw = mix64(static_cast<std::uint64_t>(now_) ^ mix64(device)) >> 32;
  std::ranges::sort(outputs, {}, [&](PortId output) { return wired(output).local ^ draw; });
  if (rules_.turns) arbitrate_in_turns(outputs, requests);
  for (const PortId output : outputs) {
    if (rules_.turns) break;
    std::vector<Request> candidates;
    for (const Request& request : requests)
      if (request.output == output && ports_[request.input].input_busy_until <= now_)
        candidates.push_back(request);
    if (!candidates.empty()) grant(winner(output, 0, candidates, ports_[output].input_pointer));
  }
  if (chooses && rules_.selection->free != FreeOutput::now) choose_outputs(device);
  feed_back();
}

// Sends feedback of the input port over the link of the same port, if the link is free: all credits and one
// signal.
void Reference::send_feedback(PortId link) {
  const WiredPort& port = wired(link);
  if (port.peer == kNone || is_output_unit(port.peer) || is_taken(link)) return;
  const PortId input = is_output_unit(link) ? port.source : link;
  auto& credits = ports_[input].pending_credits;
  auto& pauses = ports_[input].pending_pauses;
  const bool notifies = isolation_ && isolation_->has_waiting(input);
  if (credits.empty() && pauses.empty() && !notifies) return;
  const std::uint32_t bytes = (credits.empty() && pauses.empty() ? 0 : rules_.credit_bytes) +
                              (notifies ? rules_.isolation->signal_bytes : 0);
  const Tick end = now_ + static_cast<Tick>(bytes) * port.ticks_per_byte;
  ports_[link].output_busy_until = end;
  ports_[link].held_by = kNone;
  ports_[link].sends_of = kNone;
  for (const auto& [queue, count] : credits) rooms_.insert({end + port.delay, {input, queue, count}});
  credits.clear();
  for (const std::uint32_t lane : pauses) {
    const LaneAt told{input, lane};
    told_.insert({end + port.delay, {told, pausing_.contains(told)}});
  }
  pauses.clear();
  if (notifies) isolation_->carry_first(input, end);
}

void Reference::grant(const Request& request) {
  const WiredPort& out = wired(request.output);
  const WiredPort& in = wired(request.input);
  Queue& queue = ports_[request.input].queues[request.queue];
  Packet packet = queue.packets.front();
  queue.packets.pop_front();
  const std::uint32_t per_weight =
      is_output_unit(request.input) && rules_.one_output_queue ? queue_map_.queues : 1;
  const bool goes_on = takes_turns(request.input) && !queue.packets.empty() &&
                       ++queue.served < rules_.weights[request.queue * per_weight];
  if (!goes_on) {
    queue.served = 0;
    if (!queue.packets.empty()) queue.head_number = ++heads_;
  }

  if (is_node(request.input)) {
    packet.injected = now_;
    ++counters_.packets_injected;
  } else if (!is_output_unit(request.input)) {
    ++counters_.packet_hops;
  }

  const auto [reading, transfer] = transfer_times(packet, request.input, request.output);
  // the memory of an output-queued switch serves all outputs at once
  if (!rules_.output_queued || is_node(request.input))
    ports_[request.input].input_busy_until = now_ + reading;
  ports_[request.output].output_busy_until = now_ + transfer;
  ports_[request.input].sends_by = request.output;
  ports_[request.output].held_by = request.input;
  ports_[request.output].sends_of = packet.generator;

  if (is_node(request.input)) jobs_.leaves(packet.source, packet.message, packet.serial, now_ + transfer);

  packet.tail = now_ + out.delay + transfer;
  const bool is_lost = ports_[request.output].is_down;
  std::uint32_t target = packet.taken;
  if (!is_node(out.peer) && packet.output == kNone && !is_lost) {
    target = choose_channel(out.peer, channels_at(packet, out.peer),
                            needed_for(packet, request.input, request.output));
    if (counts_credits(out.peer)) ports_[out.peer].credits[target] -= room_of(packet);
  }
  const Tick header = now_ + out.delay + rules_.routing_delay;
  const bool stored = !is_node(out.peer) && !is_output_unit(out.peer) && is_stored(packet, request.output);
  const bool leaves_switch = !is_node(request.input) && !is_output_unit(out.peer);
  if (!is_node(request.input) && !is_output_unit(request.input))
    mark_isolated(packet, request.input, request.queue, request.output);
  if (is_node(out.peer) && is_slow(packet.destination) && !is_lost) {
    packet.taken = receive_lane(packet);
    if (!rules_.pause) nodes_[packet.destination].receive_credits[packet.taken] -= room_of(packet);
  }
  if (leaves_switch) mark_departure(packet, request.output);
  if (!is_output_unit(out.peer)) packet = behind(packet, request.output);
  if (is_lost) {
    ++lost_;
    if (is_notice(packet)) travelling_.erase({packet.source, packet.serial});
  } else if (is_node(out.peer))
    flights_.insert({now_ + out.delay + transfer, {out.peer, 0, packet}});
  else if (is_output_unit(out.peer))
    push(out.peer, target, packet);
  else
    flights_.insert({stored ? header + transfer : header, {out.peer, target, packet}});
  const bool from_switch = !is_node(request.input) && !is_output_unit(request.input);
  const Tick credit_delay = from_switch ? wired(in.source).delay : 0;
  // if pooled, all queues of the port share one credit count
  const bool of_lane = from_switch && rules_.shares_lanes;
  const Room room{request.input,
                  is_pooled() ? 0
                  : of_lane   ? request.queue / queue_map_.queues * queue_map_.queues
                              : request.queue,
                  room_of(packet)};
  if (from_switch && rules_.pause)
    leaving_.insert({now_ + reading, {room.input, room.queue, lane_room_of(packet)}});
  else if (from_switch && rules_.credit_bytes > 0)
    vacated_.insert({now_ + reading, room});
  else
    rooms_.insert({now_ + reading + credit_delay, room});
  if (!is_pooled()) return;
  ports_[request.input].queue_pointer[request.output] =
      (request.queue + 1) % static_cast<std::uint32_t>(ports_[request.input].queues.size());
  settle(request.input, false);
}

// For how long a packet occupies its input, and its output. Its tail may still be arriving over a slower
// link.
Reference::Times Reference::transfer_times(const Packet& packet, PortId input, PortId output) const {
  const Tick bytes = packet.bytes;
  const Tick sending = std::max(bytes * wired(output).ticks_per_byte, packet.tail - now_);
  if (is_node(input) || is_output_unit(input)) return {sending, sending};
  const Tick crossing = rules_.output_queued
                            ? wired(output).ticks_per_byte
                            : std::min(wired(input).read_ticks_per_byte, wired(output).ticks_per_byte);
  const Tick reading = std::max(bytes * crossing, packet.tail - now_);
  return {reading, is_output_unit(wired(output).peer) ? reading : sending};
}

void Reference::push(PortId input, std::uint32_t queue, const Packet& packet) {
  Queue& joined = ports_[input].queues[queue];
  joined.packets.push_back(packet);
  joined.packets.back().switchable = now_;
  joined.packets.back().output = kNone;
  joined.packets.back().has_asked = false;
  if (joined.packets.size() == 1) joined.head_number = ++heads_;
}

// Does the switch behind this link store the whole packet first?
bool Reference::is_stored(const Packet& packet, PortId link) const {
  if (rules_.store_and_forward) return true;
  if (rules_.holds_faster_links) return false;
  const SwitchId sw = wired(wired(link).peer).device;
  const auto is_faster = [&](PortId output) {
    return wired(link_of(output)).ticks_per_byte < wired(link).ticks_per_byte;
  };
  if (rules_.arrival_choice) return std::ranges::any_of(routed_outputs(behind(packet, link), sw), is_faster);
  if (!rules_.selection) return is_faster(output_of(behind(packet, link), sw));
  if (choices_ && is_faster(routed_output(packet, sw))) return true;
  return std::ranges::any_of(candidates_of(packet, sw), is_faster);
}

PortId Reference::output_of(const Packet& packet, std::uint32_t device) const {
  if (!is_switch(device)) return ports_of(device).front();
  if (rules_.selection && candidates_of(packet, device).size() > (choices_ ? 0 : 1)) return packet.output;
  return routed_output(packet, device);
}

// A pseudorandom number below 2^32 that depends on packet and switch only.
std::uint64_t Reference::draw(const Packet& packet, SwitchId sw) const {
  const std::uint64_t serial_at_source = static_cast<std::uint64_t>(packet.source) << 32 | packet.serial;
  return mix64(mix64(mix64(seed_) ^ serial_at_source) ^ mix64(sw)) >> 32;
}

// A number below 2^32 by which a packet takes one of several equal paths at a switch.
std::uint64_t Reference::draw_of_path(const RouteTable& routes, const Packet& packet, SwitchId sw) const {
  Packet drawn = packet;
  if (rules_.draws_by_message) drawn.serial = packet.message;
  if (setup_.labels == 0) return draw(drawn, sw);
  const std::uint64_t label = draw(drawn, kNone) * setup_.labels >> 32;
  const std::uint64_t pair = std::uint64_t{packet.source} << 32 | packet.destination;
  const std::uint64_t salt = routes.salt() == 0 ? 0 : mix64(routes.salt());
  return mix64(mix64(label == 0 ? pair : pair ^ mix64(label)) ^ mix64(sw) ^ salt) >> 32;
}

// The queues of a switch's input port or output unit that a packet may enter.
Reference::Channels Reference::channels_at(const Packet& packet, PortId input) const {
  const QueueMap& map = queue_map_;
  if (is_output_unit(input)) {
    const PortId next = wired(input).peer;
    const std::uint32_t lane =
        is_node(next) && !rules_.turns ? 0 : lane_over(packet, wired(next).source);  // that has a queue
    if (rules_.one_output_queue) return {lane, 1};
    return is_node(next) ? Channels{lane * map.queues, map.channels} : channels_at(packet, next);
  }
  const PortId link = wired(input).source;
  const std::uint32_t first = lane_over(packet, link) * map.queues;
  if (sorts_arrivals()) return {first, map.channels};  // only its lane is known
  return {first + number_in_lane(behind(packet, link), input), map.channels};
}

// Do packets find their queue when they arrive, because queues share the memory of their lane?
bool Reference::sorts_arrivals() const {
  return rules_.shares_lanes || (rules_.arrival_choice && queue_map_.uses_output());
}

std::uint32_t Reference::queue_on_arrival(const Flight& flight) const {
  return flight.queue + (sorts_arrivals() ? number_in_lane(flight.packet, flight.input) : 0);
}

// The number, in its lane, of the queue of a packet that has crossed the link to this input.
std::uint32_t Reference::number_in_lane(const Packet& packet, PortId input) const {
  const QueueMap& map = queue_map_;
  if (map.key == QueueKey::none) return 0;
  if (map.key == QueueKey::destination) return map.queue_of[packet.destination];
  std::uint32_t key = 0;
  const auto add = [&](const std::vector<std::uint32_t>& of, std::uint32_t value) {
    if (!of.empty()) key += of[value];
  };
  if (map.key == QueueKey::table) {
    add(map.at_input, input);
    add(map.of_source, packet.source);
    add(map.of_destination, packet.destination);
    if (map.at_output.empty()) return map.queue_of[key];
  }
  const PortId output = output_of(packet, wired(input).device);
  if (map.key == QueueKey::output) return map.queue_of[wired(output).local];
  add(map.at_output, wired(output).local);
  return map.queue_of[key];
}

std::uint32_t Reference::room_of(std::uint64_t bytes) const {
  std::uint32_t cells = 1;
  if (rules_.cell_bytes == 0) return cells;
  while (std::uint64_t{cells} * rules_.cell_bytes < bytes) ++cells;
  return cells;
}

std::uint64_t Reference::room_of(const std::deque<Packet>& packets) const {
  std::uint64_t room = 0;
  for (const Packet& packet : packets) room += room_of(packet);
  return room;
}

std::uint64_t Reference::waiting_room(const NodeState& node) const {
  std::uint64_t room = 0;
  for (const auto& [line, packets] : node.line_of) room += room_of(packets);
  return room;
}

// A packet that joins a ring leaves a slot free.
std::uint32_t Reference::needed_for(const Packet& packet, PortId input, PortId output) const {
  return room_of(packet) + (joins_ring(input, output) ? 1 : 0);
}

bool Reference::has_room(PortId input, Channels channels, std::uint32_t needed) const {
  if (!counts_credits(input)) return !holding_.contains(lane_at(input, channels.first));
  const auto first = ports_[input].credits.begin() + channels.first;
  return std::any_of(first, first + channels.count, [&](std::uint32_t credits) { return credits >= needed; });
}

bool Reference::room_for(const Packet& packet, PortId input, PortId output) const {
  const PortId next = wired(output).peer;
  if (is_node(next) && is_slow(packet.destination) && rules_.pause)
    return !holding_.contains({next, receive_lane(packet)});
  if (is_node(next) && is_slow(packet.destination))
    return nodes_[packet.destination].receive_credits[receive_lane(packet)] >= room_of(packet);
  return is_node(next) || has_room(next, channels_at(packet, next), needed_for(packet, input, output));
}

// Does a packet enter a ring of a torus when it goes from this input of a switch to this output?
bool Reference::joins_ring(PortId input, PortId output) const {
  const auto* grid = std::get_if<GridShape>(&graph_.shape());
  if (grid == nullptr || !grid->wraps || lanes_.break_rings() || output >= graph_.switch_ports())
    return false;
  const std::uint32_t from = graph_.local(input), to = graph_.local(output);
  if (to < grid->nodes_per_switch) return false;
  if (from < grid->nodes_per_switch) return true;
  const std::uint32_t dimension_from = (from - grid->nodes_per_switch) / 2;
  const std::uint32_t dimension_to = (to - grid->nodes_per_switch) / 2;
  return dimension_from != dimension_to || from == to;
}

// The first channel with room, or the channel with the most room. Among equals it is the first at or after
// the pointer; the pointer then moves behind it.
std::uint32_t Reference::choose_channel(PortId input, Channels channels, std::uint32_t needed) {
  PortState& port = ports_[input];
  const auto room = [&](std::uint32_t channel) { return port.credits[channels.first + channel]; };
  std::uint32_t best = 0;
  if (channels.count == 1) return channels.first;
  if (queue_map_.choice == ChannelChoice::first_room) {
    while (room(best) < needed) ++best;
    return channels.first + best;
  }
  best = port.credit_pointer;
  for (std::uint32_t i = 1; i < channels.count; ++i) {
    const std::uint32_t channel = (port.credit_pointer + i) % channels.count;
    if (room(channel) > room(best)) best = channel;
  }
  port.credit_pointer = (best + 1) % channels.count;
  return channels.first + best;
}

PortId Reference::link_of(PortId output) const {
  const PortId next = wired(output).peer;
  return next != kNone && is_output_unit(next) ? next : output;
}

std::uint32_t Reference::queues_of(PortId port) const {
  if (rules_.isolation) return 1 + rules_.isolation->lines;
  if (rules_.overflow) return 2 + rules_.overflow->queues;
  return lane_count() * (is_output_unit(port) && rules_.one_output_queue ? 1 : queue_map_.queues);
}

std::uint32_t Reference::capacity_of(PortId port) const {
  if (is_node(port)) return rules_.injection_capacity;
  return is_output_unit(port) ? rules_.output_capacity : rules_.capacity;
}

}  // namespace headway::reference
