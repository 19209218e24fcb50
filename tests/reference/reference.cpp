// SPDX-License-Identifier: Apache-2.0
// docs/modelling.md written down a second time, in its order and with its words; speed is no concern here.
#include "tests/reference/reference.h"

#include <algorithm>
#include <set>

namespace headway::reference {

Reference::Reference(const Network& network, const Workload& workload, std::uint64_t seed)
    : network_(network),
      workload_(workload),
      seed_(seed),
      ports_(network.ports.size()),
      devices_(network.devices()),
      nodes_(network.nodes()),
      sources_(workload.sources.size()) {
  for (PortId port = 0; port < ports_.size(); ++port) {
    ports_[port].queues.resize(network.isolation ? 1 + network.isolation->lines : network.queue_map.queues);
    ports_[port].credits.assign(network.queue_map.queues, network.ports[port].capacity);
  }
  if (network.isolation) isolation_.emplace(network);
  for (std::uint32_t device = 0; device < devices_.size(); ++device)
    devices_[device].random = Rng(seed, StreamKind::arbiter, device);
  for (NodeId node = 0; node < nodes_.size(); ++node)
    nodes_[node].rings.resize(most_room() ? 1 : network.queue_map.queues);
  for (std::uint32_t source = 0; source < sources_.size(); ++source) {
    sources_[source].random = workload.stream(seed, source);
    const Flow& flow = workload.flows[workload.sources[source].flow];
    if (flow.arrivals) sources_[source].due = flow.arrivals->first(sources_[source].random);
  }
}

void Reference::run_until(Tick end) {
  for (; now_ < end; ++now_) {
    arrive();
    release();
    generate();
    for (const auto& [port, arrived] : unsettled_) settle(port, arrived);
    unsettled_.clear();
    for (std::uint32_t device = 0; device < devices_.size(); ++device) arbitrate(device);
    if (isolation_) isolation_->end_tick();
  }
}

// Phase 1.
void Reference::arrive() {
  for (; !flights_.empty() && flights_.begin()->first == now_; flights_.erase(flights_.begin())) {
    const Flight& flight = flights_.begin()->second;
    if (is_node(flight.input))
      deliver(flight.packet);
    else
      push(flight.input, flight.queue, flight.packet);
    if (isolation_ && !is_node(flight.input)) unsettled_[flight.input] = true;
  }
}

void Reference::deliver(const Packet& packet) {
  deliveries_.push_back({packet.source, packet.destination, packet.serial, now_});
  ++counters_.packets_delivered;
  counters_.bytes_delivered += packet.bytes;
  counters_.latency_ticks += static_cast<std::uint64_t>(now_ - packet.generated);
  counters_.network_latency_ticks += static_cast<std::uint64_t>(now_ - packet.injected);
  std::uint32_t& latest =
      latest_serial_.insert({{packet.source, packet.destination}, packet.serial}).first->second;
  if (packet.serial < latest) ++counters_.out_of_order;
  latest = std::max(latest, packet.serial);
}

// Phase 2. That transfers end needs no action: ports know until when they are busy.
void Reference::release() {
  if (isolation_) receive_messages();
  for (; !vacated_.empty() && vacated_.begin()->first == now_; vacated_.erase(vacated_.begin()))
    ports_[vacated_.begin()->second.input].pending_credits.push_back(vacated_.begin()->second.queue);
  for (; !rooms_.empty() && rooms_.begin()->first == now_; rooms_.erase(rooms_.begin())) {
    const Room& room = rooms_.begin()->second;
    ++ports_[room.input].credits[room.queue];
    if (is_node(room.input)) admit(network_.graph.node_of(room.input));
  }
}

void Reference::receive_messages() {
  for (const PortId output : isolation_->receive(now_)) {
    const std::uint32_t device = network_.ports[output].owner;
    for (std::uint32_t local = 0; local < ports_of(device); ++local)
      unsettled_.insert({network_.first_port[device] + local, false});
    if (!is_node(output)) continue;
    NodeState& node = nodes_[network_.graph.node_of(output)];
    for (; !node.aside.empty(); node.aside.pop_front()) node.rings[0].push_back(node.aside.front());
    admit(network_.graph.node_of(output));
  }
  for (const PortId port : isolation_->woken(now_)) unsettled_.insert({port, false});
}

void Reference::settle(PortId port, bool arrived) {
  auto& queues = ports_[port].queues;
  isolation_->settle(port,
                     {[&](std::uint32_t queue) { return queues[queue].packets.size(); },
                      [&](std::uint32_t queue) { return queues[queue].packets.front().destination; },
                      [&](std::uint32_t from, std::uint32_t to) {
                        queues[to].packets.push_back(queues[from].packets.front());
                        queues[from].packets.pop_front();
                      }},
                     now_, arrived);
}

// Phase 3.
void Reference::generate() {
  for (std::uint32_t source = 0; source < sources_.size(); ++source)
    while (may_generate(source)) generate_message(source);
}

bool Reference::may_generate(std::uint32_t source) const {
  const Flow& flow = workload_.flows[workload_.sources[source].flow];
  const NodeState& node = nodes_[workload_.sources[source].node];
  if (sources_[source].silent || node.waiting_packets + flow.packets > network_.admittance_limit)
    return false;
  if (flow.arrivals) return tick_of(sources_[source].due) <= now_;
  return now_ >= flow.start && now_ < flow.stop && sources_[source].waiting_messages < flow.backlog;
}

void Reference::generate_message(std::uint32_t source) {
  const NodeId id = workload_.sources[source].node;
  const Flow& flow = workload_.flows[workload_.sources[source].flow];
  NodeState& node = nodes_[id];
  SourceState& state = sources_[source];
  const NodeId destination = flow.destinations->next(id, state.random);
  if (destination == kNone) {
    state.silent = true;
    return;
  }
  if (flow.arrivals) {
    const bool stalled = tick_of(state.due) < now_;
    state.due = flow.arrivals->next(stalled ? instant_of(now_) : state.due, state.random);
  }
  const NodeId line = network_.admittance == Admittance::fifo ? 0 : destination;
  for (std::uint32_t i = 1; i <= flow.packets; ++i) {
    const bool last = i == flow.packets;
    const std::uint32_t bytes = last ? flow.last_bytes : network_.packet_bytes;
    node.line_of[line].push_back({id, destination, node.next_serial++, source, bytes, last, now_});
    ++node.waiting_packets;
    ++counters_.packets_generated;
    counters_.bytes_generated += bytes;
    if (node.line_of[line].size() == 1) join_ring(id, line);
  }
  ++state.waiting_messages;
  admit(id);
}

void Reference::join_ring(NodeId node, NodeId line) {
  const PortId leaf = network_.ports[network_.graph.node_port(node)].peer;
  const std::uint32_t ring = most_room() ? 0 : queue_at(nodes_[node].line_of[line].front(), leaf);
  nodes_[node].rings[ring].push_back(line);
}

void Reference::admit(NodeId node) {
  const PortId adapter = network_.graph.node_port(node);
  const auto& credits = ports_[adapter].credits;
  auto& rings = nodes_[node].rings;
  for (std::uint32_t ring = 0; ring < rings.size();) {
    const bool has_room =
        most_room() ? *std::max_element(credits.begin(), credits.end()) > 0 : credits[ring] > 0;
    if (rings[ring].empty() || !has_room) {
      ++ring;
      continue;
    }
    const NodeId line = rings[ring].front();
    if (isolation_ && isolation_->refuses(adapter, nodes_[node].line_of[line].front().destination)) {
      nodes_[node].aside.push_back(line);
      rings[ring].pop_front();
      continue;
    }
    admit_first(node, ring, most_room() ? take_most_room(adapter) : ring);
    ring = 0;  // the line may have joined a lower ring
  }
}

void Reference::admit_first(NodeId id, std::uint32_t ring, std::uint32_t queue) {
  NodeState& node = nodes_[id];
  const PortId adapter = network_.graph.node_port(id);
  const NodeId line = node.rings[ring].front();
  auto& packets = node.line_of[line];
  --ports_[adapter].credits[queue];
  --node.waiting_packets;
  if (packets.front().last_of_message) --sources_[packets.front().generator].waiting_messages;
  push(adapter, queue, packets.front());
  if (isolation_) unsettled_.insert({adapter, false});
  packets.pop_front();
  node.rings[ring].pop_front();
  if (!packets.empty()) join_ring(id, line);
}

// Phase 4.
void Reference::arbitrate(std::uint32_t device) {
  for (std::uint32_t local = 0; local < ports_of(device); ++local)
    send_credits(network_.first_port[device] + local);
  const std::vector<Request> requests = eligible_requests(device);
  const std::vector<PortId> outputs = wanted_outputs(device);
  const std::uint64_t draw = mix64(static_cast<std::uint64_t>(now_) ^ mix64(device)) >> 32;
  const std::size_t start = draw * outputs.size() >> 32;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const PortId output = outputs[(start + i) % outputs.size()];
    std::vector<Request> candidates;
    for (const Request& request : requests)
      if (request.output == output && ports_[request.input].input_busy_until <= now_)
        candidates.push_back(request);
    if (isolation_) keep_one_per_input(candidates);
    if (!candidates.empty()) grant(winner(output, std::move(candidates)));
  }
}

// The credits of the input port beside a free link go back in one packet.
void Reference::send_credits(PortId link) {
  const PortId input = is_output_stage(link) ? network_.ports[link].source : link;
  auto& pending = ports_[input].pending_credits;
  if (pending.empty() || network_.ports[link].peer == kNone || is_output_stage(network_.ports[link].peer) ||
      ports_[link].output_busy_until > now_)
    return;
  const Port& port = network_.ports[link];
  const Tick end = now_ + static_cast<Tick>(network_.credit_bytes) * port.ticks_per_byte;
  ports_[link].output_busy_until = end;
  for (const std::uint32_t queue : pending) rooms_.insert({end + port.delay, {input, queue}});
  pending.clear();
}

// The output ports that are free and requested by some head, ascending.
std::vector<PortId> Reference::wanted_outputs(std::uint32_t device) const {
  std::set<PortId> outputs;
  for (std::uint32_t local = 0; local < ports_of(device); ++local)
    for (const Queue& queue : ports_[network_.first_port[device] + local].queues)
      if (!queue.packets.empty()) outputs.insert(output_of(queue.packets.front(), device));
  std::erase_if(outputs, [&](PortId output) { return ports_[output].output_busy_until > now_; });
  return {outputs.begin(), outputs.end()};
}

std::vector<Reference::Request> Reference::eligible_requests(std::uint32_t device) const {
  std::vector<Request> requests;
  for (std::uint32_t local = 0; local < ports_of(device); ++local) {
    const PortId input = network_.first_port[device] + local;
    for (std::uint32_t queue = 0; queue < ports_[input].queues.size(); ++queue) {
      const Queue& waiting = ports_[input].queues[queue];
      if (waiting.packets.empty()) continue;
      const Packet& head = waiting.packets.front();
      const PortId output = output_of(head, device);
      if (room_for(head, output) && !is_refused(queue, head, output))
        requests.push_back({input, queue, output, head.switchable, waiting.head_number});
    }
  }
  return requests;
}

bool Reference::is_refused(std::uint32_t queue, const Packet& head, PortId output) const {
  if (!isolation_ || (queue == 0 && network_.isolation->pass_when_full)) return false;
  return isolation_->refuses(output, head.destination);
}

// The queues of an input take turns.
void Reference::keep_one_per_input(std::vector<Request>& requests) const {
  const auto turn = [&](const Request& request) {
    const PortState& port = ports_[request.input];
    const auto queues = static_cast<std::uint32_t>(port.queues.size());
    return (request.queue + queues - port.queue_pointer) % queues;
  };
  std::map<PortId, Request> first;
  for (const Request& request : requests) {
    const auto [found, is_new] = first.insert({request.input, request});
    if (!is_new && turn(request) < turn(found->second)) found->second = request;
  }
  requests.clear();
  for (const auto& [input, request] : first) requests.push_back(request);
}

// `requests` are eligible and for this output, from free inputs; not empty.
Reference::Request Reference::winner(PortId output, std::vector<Request> requests) {
  const std::uint32_t device = network_.ports[output].owner;
  const std::uint32_t inputs = ports_of(device);
  std::uint32_t first = ports_[output].input_pointer;
  if (network_.arbiter == ArbiterKind::random) {
    std::vector<std::uint32_t> asking;
    for (const Request& request : requests) asking.push_back(network_.ports[request.input].local);
    std::sort(asking.begin(), asking.end());
    asking.erase(std::unique(asking.begin(), asking.end()), asking.end());
    const auto choices = static_cast<std::uint32_t>(asking.size());
    first = asking[choices == 1 ? 0 : devices_[device].random.below(choices)];
  }
  const auto behind_first = [&](const Request& request) {
    return (network_.ports[request.input].local + inputs - first) % inputs;
  };
  return *std::min_element(requests.begin(), requests.end(), [&](const Request& a, const Request& b) {
    if (network_.arbiter == ArbiterKind::oldest_first && !takes_turns(a.input) &&
        a.switchable != b.switchable)
      return a.switchable < b.switchable;
    if (behind_first(a) != behind_first(b)) return behind_first(a) < behind_first(b);
    return a.head_number < b.head_number;
  });
}

void Reference::grant(const Request& request) {
  const Port& out = network_.ports[request.output];
  const Port& in = network_.ports[request.input];
  Queue& queue = ports_[request.input].queues[request.queue];
  Packet packet = queue.packets.front();
  queue.packets.pop_front();
  const bool goes_on = takes_turns(request.input) && !queue.packets.empty() &&
                       ++queue.served < network_.weights[request.queue];
  if (!goes_on) {
    queue.served = 0;
    if (!queue.packets.empty()) queue.head_number = ++heads_;
  }

  if (is_node(request.input)) {
    packet.injected = now_;
    ++counters_.packets_injected;
  } else if (!is_output_stage(request.input)) {
    ++counters_.packet_hops;
  }

  Tick transfer = static_cast<Tick>(packet.bytes) * out.ticks_per_byte;
  if (is_output_stage(out.peer)) transfer = std::max(transfer, packet.tail - now_);
  ports_[request.input].input_busy_until = now_ + transfer;
  ports_[request.output].output_busy_until = now_ + transfer;
  ports_[request.output].input_pointer = (in.local + 1) % ports_of(out.owner);

  if (is_node(out.peer)) {
    flights_.insert({now_ + out.delay + transfer, {out.peer, 0, packet}});
  } else {
    const std::uint32_t target = most_room() ? take_most_room(out.peer) : queue_at(packet, out.peer);
    --ports_[out.peer].credits[target];
    packet.tail = now_ + out.delay + transfer;
    const Tick header = now_ + out.delay + network_.routing_delay;
    if (is_output_stage(out.peer))
      push(out.peer, target, packet);
    else
      flights_.insert({network_.store_and_forward ? header + transfer : header, {out.peer, target, packet}});
  }
  const bool from_switch = !is_node(request.input) && !is_output_stage(request.input);
  const Tick credit_delay = from_switch ? network_.ports[in.source].delay : 0;
  // with isolation all queues of the port share its memory
  const std::uint32_t queue_freed = isolation_ ? 0 : request.queue;
  if (from_switch && network_.credit_bytes > 0)
    vacated_.insert({now_ + transfer, {request.input, queue_freed}});
  else
    rooms_.insert({now_ + transfer + credit_delay, {request.input, queue_freed}});
  if (!isolation_) return;
  ports_[request.input].queue_pointer =
      (request.queue + 1) % static_cast<std::uint32_t>(ports_[request.input].queues.size());
  settle(request.input, false);
}

void Reference::push(PortId input, std::uint32_t queue, const Packet& packet) {
  Queue& joined = ports_[input].queues[queue];
  joined.packets.push_back(packet);
  joined.packets.back().switchable = now_;
  if (joined.packets.size() == 1) joined.head_number = ++heads_;
}

PortId Reference::output_of(const Packet& packet, std::uint32_t device) const {
  if (device >= network_.switches()) return network_.first_port[device];
  const PortRange candidates = network_.routes.at(device, packet.destination);
  const std::uint64_t serial_at_source = static_cast<std::uint64_t>(packet.source) << 32 | packet.serial;
  const std::uint64_t salt = mix64(mix64(seed_) ^ serial_at_source);
  const std::uint64_t choice = (mix64(salt ^ mix64(device)) >> 32) * candidates.count >> 32;
  return network_.first_port[device] + candidates.first + static_cast<std::uint32_t>(choice);
}

// The queue of a switch's input port or output stage that a packet enters, unless that is decided by room.
std::uint32_t Reference::queue_at(const Packet& packet, PortId input) const {
  if (is_output_stage(input)) {
    const PortId next = network_.ports[input].peer;
    return is_node(next) ? 0 : queue_at(packet, next);
  }
  const QueueMap& map = network_.queue_map;
  if (map.key == QueueKey::destination) return map.queue_of[packet.destination];
  if (map.key == QueueKey::none) return 0;
  return map.queue_of[network_.ports[output_of(packet, network_.ports[input].owner)].local];
}

bool Reference::room_for(const Packet& packet, PortId output) const {
  const PortId next = network_.ports[output].peer;
  if (is_node(next)) return true;
  const auto& credits = ports_[next].credits;
  if (most_room()) return *std::max_element(credits.begin(), credits.end()) > 0;
  return credits[queue_at(packet, next)] > 0;
}

// The queue with most room; among equals the first at or after the pointer, which moves behind it.
std::uint32_t Reference::take_most_room(PortId input) {
  PortState& port = ports_[input];
  const auto queues = static_cast<std::uint32_t>(port.credits.size());
  std::uint32_t best = port.credit_pointer;
  for (std::uint32_t i = 1; i < queues; ++i) {
    const std::uint32_t queue = (port.credit_pointer + i) % queues;
    if (port.credits[queue] > port.credits[best]) best = queue;
  }
  port.credit_pointer = (best + 1) % queues;
  return best;
}

std::uint32_t Reference::ports_of(std::uint32_t device) const {
  return network_.first_port[device + 1] - network_.first_port[device];
}

}  // namespace headway::reference
