// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/inspect.h"

#include <fmt/format.h>

#include <algorithm>

#include "headway/engine/adaptive.h"
#include "headway/engine/next_hop.h"
#include "headway/engine/pausing.h"

namespace headway {
namespace {

template <class... Args>
[[noreturn]] void fail(const State& state, PortId port, std::uint32_t queue, std::string_view rule,
                       fmt::format_string<Args...> seen = "", Args&&... args) {
  throw InvariantError(fmt::format("tick {}: {} queue {}: {}: {}", state.wheel.now(),
                                   place_of(state.network, port), queue, rule,
                                   fmt::format(seen, std::forward<Args>(args)...)));
}

// [account] what is on the way: packets to the queue, the credits that they take, and credits back to its
// sender. For an adapter or output unit, the last are those that become free when the transfer from it ends.
// Packets to a slow node, or in its memory, are on the way until it has consumed them; `received`: credits of
// those in its memory.
struct OnTheWay {
  std::vector<std::uint32_t> packets, taken, credits, received;
  std::uint64_t deliveries = 0;

  explicit OnTheWay(const State& state)
      : packets(accounts(state.network)),
        taken(packets.size()),
        credits(packets.size()),
        received(packets.size()) {
    const Network& network = state.network;
    state.wheel.for_each(EventKind::arrive, [&](const Event& event) {
      ++packets[event.a];
      taken[event.a] += state.credits_of(state.packets[event.b]);
    });
    const auto add_room = [&](auto room) { credits[room.queue] += room.credits; };
    const auto add_behind = [&](std::uint32_t freed, std::uint32_t first_queue) {
      if (state.counts_credits)
        add_room(FreedRoom<true>::of(freed, first_queue));
      else
        add_room(FreedRoom<false>::of(freed, first_queue));
    };
    const auto add = [&](std::uint32_t freed, PortId port) {
      add_behind(freed, network.ports[port].first_queue);
    };
    if (!network.pause) {
      state.wheel.for_each(EventKind::credit, [&](const Event& event) {
        add_behind(event.a, state.ports[event.b].next_first_queue);
      });
      for (std::uint32_t q = 0; q < state.feedback.credits().size(); ++q)
        credits[q] += state.feedback.credits()[q];
    }
    state.wheel.for_each(EventKind::vacate, [&](const Event& event) {
      if (event.b == kNone) return;
      const PortId input = network.feedback_of(event.a);
      if (network.pause)
        add_room(FreedRoom<true>::of(event.b, network.ports[input].first_queue));
      else
        add(event.b, input);
    });
    state.wheel.for_each(EventKind::sent, [&](const Event& event) {
      if (!network.is_switch(event.a)) add(event.b, network.first_port[event.a]);
    });
    state.wheel.for_each(EventKind::deliver, [&](const Event& event) {
      ++deliveries;
      const Packet& packet = state.packets[event.a];
      if (!state.is_for_slow_node(packet)) return;
      taken[packet.target] += state.credits_of(packet);
      if (event.b == 1)
        received[packet.target] += network.pause ? state.lane_credits_of(packet) : state.credits_of(packet);
    });
  }

  static std::size_t accounts(const Network& network) {
    return network.queues + 1 + network.layout.receive_lanes;
  }
};

std::uint32_t listed(const State& state, std::uint32_t first) {
  std::uint32_t count = 0;
  for (std::uint32_t q = first; q != kNone; q = state.queues[q].next_request) ++count;
  return count;
}

// Returns true if a head of this switch with several candidates could choose an output.
template <PortCount kPorts>
bool has_free_output(State& state, SwitchId sw, const Packet& packet) {
  Device& device = state.devices[sw];
  bool free = false;
  for_each_candidate(state, sw, packet, [&](const Candidate& candidate) {
    const std::uint32_t to_leave =
        candidate.escapes ? 0 : state.network.room_to_leave(device.first_port + packet.input);
    const bool lets_in = !state.is_down(state.network.link_port(candidate.output)) &&
                         (!state.chooses_now || state.crossbar<kPorts>(device).is_free_output(
                                                    candidate.output - device.first_port));
    free |= lets_in && has_room_behind(state, device, candidate.output, candidate.target, to_leave, packet);
  });
  return free;
}

// The heads of the queues of an input that request an output. Ports are numbered within the device.
struct Heads {
  std::uint32_t output;
  std::uint32_t input;
  std::uint32_t count;
  friend auto operator<=>(const Heads&, const Heads&) = default;
};

// By output, then by input; a switch can have so many ports that a number for each pair does not fit. Also
// checks the list of heads without an output.
template <PortCount kPorts>
std::vector<Heads> count_heads(State& state, Device& device) {
  auto crossbar = state.crossbar<kPorts>(device);
  const PortId first = device.first_port;
  std::vector<Heads> heads;
  for (std::uint32_t i = 0; i < device.radix; ++i) {
    const Port& port = state.network.ports[first + i];
    std::uint32_t unbound = 0;
    for (std::uint32_t q = port.first_queue; q < port.first_queue + port.queues; ++q) {
      if (state.queues[q].length == 0) continue;
      const PortId output = state.packets[state.queues[q].head].output;
      if (output == kNone)
        ++unbound;
      else
        heads.push_back({output - first, i, 1});
    }
    if (crossbar.unbound().contains(i) != (unbound > 0) ||
        (unbound > 0 && listed(state, first_unbound(state, device, i)) != unbound))
      fail(state, first + i, 0, "heads without an output differ from their list", "{}", unbound);
  }
  std::ranges::sort(heads);
  std::vector<Heads> counted;
  for (const Heads& head : heads)
    if (!counted.empty() && counted.back().output == head.output && counted.back().input == head.input)
      ++counted.back().count;
    else
      counted.push_back(head);
  return counted;
}

// The requests at a crossbar are those of the heads of its queues.
template <PortCount kPorts>
void check_requests(State& state, Device& device) {
  auto crossbar = state.crossbar<kPorts>(device);
  const PortId first = device.first_port;
  const std::vector<Heads> heads = count_heads<kPorts>(state, device);
  for (const auto& [output, input, count] : heads) {
    if (!crossbar.requests(input, output))
      fail(state, first + output, 0, "request set differs from the heads", "input {}", input);
    if (device.first_list == kNone) {
      if (count > 1) fail(state, first + input, 0, "several requests without a list", "output {}", output);
      continue;
    }
    if (const std::uint32_t requests = listed(state, first_request(state, device, input, output));
        requests != count)
      fail(state, first + input, 0, "request list differs from the heads", "{} != {}", requests, count);
  }
  auto next = heads.begin();
  for (std::uint32_t o = 0; o < device.radix; ++o) {
    const auto begin = next;
    next = std::find_if(begin, heads.end(), [&](const Heads& of) { return of.output != o; });
    if (crossbar.is_requested(o) != (next != begin))
      fail(state, first + o, 0, "requested outputs differ from the requests");
    if (state.ports[first + o].peer == kNone && next == begin)
      continue;  // no link; counting takes long in a wide switch
    if (crossbar.inputs_that_request(o) != static_cast<std::uint32_t>(next - begin))
      fail(state, first + o, 0, "request set differs from the heads", "inputs without a head");
  }
}

// Work conservation of feedback: no link is free while feedback waits for it.
template <PortCount kPorts>
void check_feedback_moves(State& state, std::uint32_t id) {
  const Network& network = state.network;
  const bool has_links = network.has_output_units() != network.is_switch(id);
  if (!state.feedback.shares_links() || !has_links || network.is_adapter(id)) return;
  Device& device = state.devices[id];
  auto crossbar = state.crossbar<kPorts>(device);
  for (std::uint32_t o = 0; o < device.radix; ++o) {
    const PortId link = device.first_port + o;
    const PortId input = network.feedback_of(link);
    if (crossbar.is_free_output(o) && (state.feedback.has_credits(input) || state.feedback.has_signal(input)))
      fail(state, link, 0, "feedback sleeps at a free link");
  }
}

// Returns true if heads of this switch will ask again in the next tick, because a packet has left an output
// queue that is shared.
bool asks_next(const State& state, std::uint32_t id) {
  bool asks = false;
  if (state.shorter_queue_frees)
    state.wheel.for_each(EventKind::control, [&](const Event& event) { asks |= event.a == id; });
  return asks;
}

// Work conservation of packets: no output is free while a head at a free input could be transferred to it.
template <PortCount kPorts>
void check_heads_move(State& state, std::uint32_t id) {
  Device& device = state.devices[id];
  auto crossbar = state.crossbar<kPorts>(device);
  const PortId first = device.first_port;
  for (std::uint32_t i = 0; i < device.radix; ++i) {
    const bool input_free = crossbar.is_free_input(i);
    const Port& port = state.network.ports[first + i];
    for (std::uint32_t q = port.first_queue; q < port.first_queue + port.queues; ++q) {
      const Queue& queue = state.queues[q];
      if (queue.length > 0 && queue.output == kNone) {
        const bool asks = input_free || state.network.selection->free != FreeOutput::now;
        if (asks && !asks_next(state, id) && has_free_output<kPorts>(state, id, state.packets[queue.head]))
          fail(state, first + i, q - port.first_queue, "head sleeps although an output is free");
      } else if (input_free && queue.length > 0 && crossbar.is_free_output(queue.output - first) &&
                 state.head_has_room(queue, device.channels) &&
                 (!state.isolation || !state.is_refused(queue, q - port.first_queue)))
        fail(state, first + i, q - port.first_queue, "grantable head sleeps", "output {}",
             queue.output - first);
    }
  }
}

template <PortCount kPorts>
void check_device(State& state, std::uint32_t id) {
  check_requests<kPorts>(state, state.devices[id]);
  check_feedback_moves<kPorts>(state, id);
  check_heads_move<kPorts>(state, id);
}

// Rules of isolation that hold between ticks: lines and their queues at an input port and, if no signal
// is on its way, the copies of the lines at the other end of its link.
void check_isolation(const State& state, PortId id, bool signals_on_the_way) {
  const Isolation& isolation = *state.isolation;
  const Port& port = state.network.ports[id];
  for (std::uint32_t line = 0; line < isolation.rules().lines; ++line) {
    const Queue& queue = state.queues[port.first_queue + 1 + line];
    const bool active = isolation.is_active(id, line);
    if (!active && queue.length > 0)
      fail(state, id, 1 + line, "packets in the queue of a line that is free", "{}", queue.length);
    const Isolation::Line& entry = isolation.line(id, line);
    if (active && entry.orphan() && queue.length == 0) fail(state, id, 1 + line, "an empty orphan is kept");
    if (queue.length > 0 && (isolation.holding(id, state.packets[queue.head].destination) >> line & 1) == 0)
      fail(state, id, 1 + line, "a line does not hold its head's destination");
    if (port.source == kNone || signals_on_the_way || state.network.is_adapter_port(id)) continue;
    if (isolation.has_copy(port.source, line) != (active && entry.propagated) ||
        isolation.is_stopped(port.source, line) != (active && entry.sent_stop))
      fail(state, id, 1 + line, "the copy upstream differs from its line");
  }
}

// Rules of the overflow queue: the arrival queue is empty, a queue with an owner holds only packets of this
// owner, and no destination is in two queues.
void check_overflow(const State& state, PortId id) {
  const Overflow& overflow = *state.overflow;
  const Port& port = state.network.ports[id];
  if (state.queues[port.first_queue + Overflow::kArrival].length > 0)
    fail(state, id, Overflow::kArrival, "a packet has no place");
  std::vector<std::pair<NodeId, std::uint32_t>> places;
  for (std::uint32_t q = Overflow::kOverflow; q < port.queues; ++q) {
    const Queue& queue = state.queues[port.first_queue + q];
    std::uint32_t place = 0;
    state.for_each_packet(port.first_queue + q, [&](PacketId p) {
      const NodeId destination = state.packets[p].destination;
      places.emplace_back(destination, q);
      const NodeId expected =
          q == Overflow::kOverflow ? overflow.overflow(id)[place++] : overflow.owner(id, q);
      if (expected != destination)
        fail(state, id, q, "a packet in a queue of another destination", "{}", destination);
    });
    if (q != Overflow::kOverflow && queue.length == 0 && overflow.owner(id, q) != kNone)
      fail(state, id, q, "an empty queue has an owner");
  }
  std::ranges::sort(places);
  for (std::size_t i = 1; i < places.size(); ++i)
    if (places[i].first == places[i - 1].first && places[i].second != places[i - 1].second)
      fail(state, id, places[i].second, "a destination in two queues", "{}", places[i].first);
}

// [queue] credits that a head has taken although its transfer has not begun.
std::vector<std::uint32_t> room_taken(const State& state) {
  std::vector<std::uint32_t> taken(state.network.queues);
  for (const Queue& queue : state.queues)
    if (queue.length > 0 && queue.output != kNone && queue.target == state.sink())
      if (const Packet& head = state.packets[queue.head]; head.target != state.sink())
        taken[head.target] += state.credits_of(head);
  return taken;
}

// [output] whether signals are on their way to it. Empty without isolation.
std::vector<bool> notified(const State& state) {
  std::vector<bool> control(state.isolation ? state.network.ports.size() : 0);
  if (state.isolation)
    state.wheel.for_each(EventKind::control, [&](const Event& event) {
      if (event.a != kNone) control[event.b] = true;
    });
  return control;
}

// A lane holds what has joined it and not left it. Its sender obeys its last message, unless another one is
// on the way, and its accounts are open or closed accordingly.
void check_lane(const State& state, PortId input, std::uint32_t lane, std::uint64_t held, bool told,
                std::uint32_t first_account) {
  const std::size_t place = state.network.lane_place(input, lane);
  const Pauses::Lane& seen = state.pauses->lane(place);
  if (seen.stored != held)
    fail(state, input, lane, "memory of a lane", "{} held, {} counted", held, seen.stored);
  const PauseRules& rules = state.pauses->rules();
  const bool shares = rules.alpha > 0 && !state.network.is_adapter_port(input);
  if (!shares && held > state.pauses->memory(place))
    fail(state, input, lane, "a lane holds more than its memory", "{}", held);
  if (seen.beyond > rules.headroom || seen.beyond > held)
    fail(state, input, lane, "a lane holds more than its headroom", "{}", seen.beyond);
  if (!told && seen.paused != seen.holds_sender)
    fail(state, input, lane, "the sender of a lane does not know its last pause");
  if ((state.flow.room(first_account) == 0) != seen.holds_sender)
    fail(state, input, lane, "the accounts of a lane differ from its pause");
}

// The lanes that can pause their senders.
void check_pauses(const State& state, const OnTheWay& way) {
  if (!state.pauses) return;
  const Network& network = state.network;
  std::vector<bool> told(state.pauses->lanes().size());
  state.wheel.for_each(EventKind::credit, [&](const Event& event) {
    told[network.lane_place(state.ports[event.b].peer, PauseWord::of(event.a).lane)] = true;
  });
  for (PortId input = 0; input < network.layout.graph_ports; ++input) {
    const Port& port = network.ports[input];
    for (std::uint32_t lane = 0; lane < network.lanes; ++lane) {
      if (state.pauses->memory(network.lane_place(input, lane)) == 0) continue;
      bool waits = told[network.lane_place(input, lane)];
      if (network.is_adapter_port(input)) {
        const std::uint32_t account = network.account_of_node(network.graph.node_of(input)) + lane;
        check_lane(state, input, lane, way.received[account], waits, account);
        continue;
      }
      const std::uint32_t queues = network.is_pooled() ? port.queues : network.queues_per_lane(input);
      const std::uint32_t first = port.first_queue + lane * queues;
      std::uint64_t held = 0;
      for (std::uint32_t q = first; q < first + queues; ++q) {
        held += way.credits[q];
        state.for_each_packet(q, [&](PacketId p) { held += state.lane_credits_of(state.packets[p]); });
      }
      if (network.credit_bytes > 0) waits |= state.feedback.has_credits_of(first);
      if (queues > 0) check_lane(state, input, lane, held, waits, first);
    }
  }
}

// The credits of a lane whose queues share them. `held`: those that its packets take.
void check_lane_memory(const State& state, PortId id, std::uint32_t first, std::uint32_t held,
                       const OnTheWay& way, const std::vector<std::uint32_t>& taken) {
  const Port& port = state.network.ports[id];
  const std::uint32_t total =
      state.flow.room(first) + taken[first] + way.taken[first] + held + way.credits[first];
  if (port.source != kNone && total != port.credits)
    fail(state, id, first - port.first_queue,
         "credits + taken + on the way + held + returning = capacity of the lane",
         "{} + {} + {} + {} + {} != {}", state.flow.room(first), taken[first], way.taken[first], held,
         way.credits[first], port.credits);
}

// Checks the queues of a port and the credits for them. Returns the packets in the port and on the way to it.
std::uint64_t check_memory(const State& state, PortId id, const OnTheWay& way,
                           const std::vector<std::uint32_t>& taken) {
  const Network& network = state.network;
  const Port& port = network.ports[id];
  const bool of_link = !network.is_adapter_port(id) && id < network.layout.graph_ports;
  const bool has_credits = port.source != kNone && !(network.pause && of_link);
  const bool shares_lanes = network.shares_lanes && of_link;
  std::uint64_t arriving = 0;
  std::uint32_t packets = 0;  // in the port's memory
  std::uint32_t held = 0;     // credits that they take
  std::uint32_t in_lane = 0;  // of these, those of the queues of a lane that have been counted
  for (std::uint32_t q = port.first_queue; q < port.first_queue + port.queues; ++q) {
    std::uint32_t here = 0;
    state.for_each_packet(q, [&](PacketId p) {
      here += state.credits_of(state.packets[p]);
      if (state.packets[p].queue != q) fail(state, id, q - port.first_queue, "packet in a queue not its own");
    });
    if (!state.cells_in.empty() && state.cells_in[q] != here)
      fail(state, id, q - port.first_queue, "cells of a queue differ from those of its packets", "{} != {}",
           state.cells_in[q], here);
    arriving += way.packets[q];
    packets += state.queues[q].length;
    held += here;
    if (network.is_pooled()) continue;
    if (shares_lanes) {
      in_lane += here;
      const auto lane = *network.shared_lane(id, q);
      if (q + 1 == lane.first + lane.queues) check_lane_memory(state, id, lane.first, in_lane, way, taken);
      in_lane = q + 1 == lane.first + lane.queues ? 0 : in_lane;
      continue;
    }
    const std::uint32_t total = state.flow.room(q) + taken[q] + way.taken[q] + here + way.credits[q];
    if (has_credits && total != port.credits)
      fail(state, id, q - port.first_queue, "credits + taken + on the way + held + returning = capacity",
           "{} + {} + {} + {} + {} != {}", state.flow.room(q), taken[q], way.taken[q], here, way.credits[q],
           port.credits);
  }
  const std::uint32_t nfq = port.first_queue;
  if (shares_lanes) return arriving + packets;
  const std::uint32_t total =
      network.is_pooled() ? state.flow.room(nfq) + way.taken[nfq] + held + way.credits[nfq] : port.credits;
  if (has_credits && total != port.credits)
    fail(state, id, 0, "credits + on the way + held + returning = capacity of the port",
         "{} + {} + {} + {} != {}", state.flow.room(nfq), way.taken[nfq], held, way.credits[nfq],
         port.credits);
  return arriving + packets;
}

// The credits of slow nodes.
void check_receive_memory(const State& state, const OnTheWay& way) {
  const Network& network = state.network;
  if (network.pause) return;
  for (std::uint32_t account = state.sink() + 1; account < OnTheWay::accounts(network); ++account) {
    const std::uint32_t total = state.flow.room(account) + way.taken[account] + way.credits[account];
    if (total != network.receive_capacity)
      throw InvariantError(
          fmt::format("tick {}: receive memory {}: credits + taken + returning = capacity: "
                      "{} + {} + {} != {}",
                      state.wheel.now(), account - state.sink() - 1, state.flow.room(account),
                      way.taken[account], way.credits[account], network.receive_capacity));
  }
}

// Every generated packet is delivered, in the network or waiting.
void check_counts(const State& state, std::uint64_t held) {
  if (held != state.record.packets_in_network)
    throw InvariantError(fmt::format("tick {}: packets in the network: {} counted, {} recorded",
                                     state.wheel.now(), held, state.record.packets_in_network));
  const Counters& counters = state.record.counters;
  const std::uint64_t delivered = counters.packets_delivered + counters.notices_delivered;
  if (counters.packets_generated + counters.notices_generated !=
      delivered + counters.packets_lost + held + state.record.waiting_packets)
    throw InvariantError(
        fmt::format("tick {}: generated {} + {} != delivered {} + lost {} + in the network {} + waiting {}",
                    state.wheel.now(), counters.packets_generated, counters.notices_generated, delivered,
                    counters.packets_lost, held, state.record.waiting_packets));
}

// The packets of an admittance queue are those of its generators.
void check_generators(const State& state) {
  const AdmittanceState& all = state.admittance;
  if (!all.by_generator) return;
  for (std::uint32_t queue = 0; queue < all.queues.size(); ++queue) {
    std::uint64_t packets = 0;
    all.by_generator->for_each(queue, [&](std::uint32_t, std::uint64_t part) { packets += part; });
    if (packets != all.queues[queue].packets)
      throw InvariantError(fmt::format("tick {}: admittance queue {}: {} packets, of its generators {}",
                                       state.wheel.now(), queue, all.queues[queue].packets, packets));
  }
}

// The bytes by which switches mark packets.
void check_marks(const State& state) {
  if (!state.control) return;
  const Network& network = state.network;
  const Control& control = *state.control;
  std::vector<std::uint64_t> waiting(network.layout.marks);
  for (PortId id = 0; id < network.ports.size(); ++id) {
    if (network.is_adapter_port(id)) continue;
    const Port& port = network.ports[id];
    for (std::uint32_t q = port.first_queue; q < port.first_queue + port.queues; ++q)
      state.for_each_packet(q, [&](PacketId p) {
        const Packet& packet = state.packets[p];
        if (packet.output != kNone)
          waiting[network.lane_place(network.graph_port(packet.output), packet.course.lane)] += packet.length;
      });
  }
  for (std::size_t place = 0; place < waiting.size(); ++place)
    if (waiting[place] != control.marks.waiting(place))
      fail(state, static_cast<PortId>(place / network.lanes), 0,
           "bytes for this output differ from their count", "{} in queues, {} counted", waiting[place],
           control.marks.waiting(place));
}

// The timer of the flows that wait until they may send.
void check_limiter(const State& state) {
  if (state.limiter && state.limiter->timer > state.limiter->flows.next())
    throw InvariantError(fail_text(state, "limited flows have no timer for their next event",
                                   static_cast<std::uint64_t>(state.limiter->flows.next())));
}

template <PortCount kPorts>
void check_all(State& state) {
  const Network& network = state.network;
  const OnTheWay way(state);
  const std::vector<std::uint32_t> taken = room_taken(state);
  const std::vector<bool> control = notified(state);
  std::uint64_t held = way.deliveries;
  for (PortId id = 0; id < network.ports.size(); ++id) {
    const PortId source = network.ports[id].source;
    if (state.overflow) check_overflow(state, id);
    if (state.isolation)
      check_isolation(state, id,
                      source != kNone && (control[source] ||
                                          (state.feedback.shares_links() && state.feedback.has_signal(id))));
    held += check_memory(state, id, way, taken);
  }
  check_receive_memory(state, way);
  check_pauses(state, way);
  check_counts(state, held);
  check_generators(state);
  check_marks(state);
  check_limiter(state);
  for (std::uint32_t device = 0; device < network.devices(); ++device) check_device<kPorts>(state, device);
}

}  // namespace

std::string place_of(const Network& network, PortId port_id) {
  if (network.is_adapter_port(port_id))
    return fmt::format("node {} adapter", network.graph.node_name(network.graph.node_of(port_id)));
  if (port_id >= network.graph.ports()) return place_of(network, network.ports[port_id].source) + " output";
  const Port& port = network.ports[port_id];
  return fmt::format("switch {} port {}", network.graph.switch_name(port.owner), port.local);
}

std::string fail_text(const State& state, std::string_view what, std::uint64_t value) {
  return fmt::format("tick {}: {} ({})", state.wheel.now(), what, value);
}

void check_invariants(State& state) {
  with_ports(state.port_count, [&]<PortCount kPorts>() { check_all<kPorts>(state); });
}

}  // namespace headway
