// SPDX-License-Identifier: Apache-2.0
// The states of components: written as numbers, compared, and frozen when they repeat.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "headway/engine/describe.h"
#include "headway/engine/inspect.h"
#include "headway/engine/skip_components.h"

namespace headway {
namespace {

// Choice: a state that does not repeat after the period of the nodes may repeat after a multiple of it.
constexpr Tick kMultiples = 4;
// Choice: so many periods are simulated to prove that they could be skipped.
constexpr std::uint64_t kMostProved = 16;

// Writes a state as numbers that are equal if and only if the states are, whenever they are. A test can leave
// parts of it out.
template <bool kLeavesOut>
struct Words {
  std::vector<std::uint64_t>& words;
  Tick now;
  std::uint32_t left_out = 0;
  std::uint32_t first_serial = 0;  // of the packets of a message that have not left
  StatePart part = StatePart::room;

  // What follows is of this part.
  void of(StatePart which) {
    if constexpr (kLeavesOut) part = which;
  }
  void add(std::uint64_t word) {
    if constexpr (kLeavesOut)
      if ((left_out >> static_cast<std::uint32_t>(part) & 1) != 0) return;
    words.push_back(word);
  }
  template <class... T>
  void same(const T&... members) {
    (add(static_cast<std::uint64_t>(members)), ...);
  }
  void time(Tick tick) { add(static_cast<std::uint64_t>(tick - now)); }
  void serial(std::uint32_t serial) { add(serial - first_serial); }
  template <class... T>
  void count(const T&...) {}
  template <class... T>
  void derived(const T&...) {}
  template <class... T>
  void fixed(const T&...) {}
};

}  // namespace

// Finds out whether an injection queue is of one message.
void Components::read_injection(const Component& component, Injection& injection) const {
  const PortId adapter = state_.network.adapter_port(injection.node);
  const std::uint32_t id = queue_of(injection);
  const Queue& queue = state_.queues[id];
  const ActiveList& active = state_.admittance.active[id - state_.admittance.first_adapter_queue];
  injection.is_of_one = false;
  injection.alone = true;
  injection.waiting = 0;
  if (queue.length < 2 || state_.network.ports[adapter].credits < 3 * state_.packet_credits) return;
  const std::uint32_t message = jobs_.message_of(injection.node, state_.packets.origin(queue.head).message);
  injection.member = member_of_[message];
  const Member& member = component.members[injection.member];
  if (active.first != kNone) {
    const AdmittanceQueue& waiting = state_.admittance.queues[active.first];
    const Message& first = state_.admittance.messages[waiting.first];
    if (active.first != active.last || first.serial - waiting.begun != member.serial) return;
    injection.alone = waiting.kept == 1 && waiting.tail == kNone;
    injection.waiting = first.packets;
  }
  // its packets have consecutive numbers, so those of others are missing if all are there
  injection.is_of_one = jobs_.moving(message).to_leave == queue.length + injection.waiting;
}

// What is cheap to compare: most states that do not repeat differ in it.
void Components::write_sketch(const Component& component, std::vector<std::uint64_t>& words) {
  words.clear();
  if (left_out_ != 0) return;
  for (const PortId link : component.links) words.push_back(state_.ports[link].next_input);
  for (const Place& place : component.places)
    words.push_back(std::uint64_t{state_.flow.room(place.account)} << 32 | state_.queues[place.queue].length);
  spent_ += words.size() / 16 + 1;
}

void Components::write_words(Component& component, std::vector<std::uint64_t>& list) {
  list.clear();
  list.reserve(component.words.size());
  if (left_out_ != 0) {
    Words<true> words{list, state_.wheel.now(), left_out_};
    write_state(component, words);
  } else {
    Words<false> words{list, state_.wheel.now()};
    write_state(component, words);
  }
  component.events.clear();
  spent_ += list.size() / 8 + 1;
}

template <class Words>
void Components::write_state(Component& component, Words& words) {
  State& state = state_;
  // mostly that of the packet before
  NodeId source = kNone;
  std::uint32_t message = kNone, number = kNone;
  const auto write_packet = [&](PacketId id, PacketAt at) {
    if (state.packets[id].source != source || state.packets.origin(id).message != message) {
      source = state.packets[id].source;
      message = state.packets.origin(id).message;
      number = member_of(component, id).message;
      const MovingMessage moving = jobs_.moving(number);
      words.first_serial = moving.serial + moving.packets - moving.to_leave;
    }
    words.of(StatePart::message);
    words.add(number);
    words.of(StatePart::packet);
    describe(words, state.packets[id], at, state.network.links_differ);
    words.of(StatePart::injected);
    describe(words, state.packets.origin(id), at);
  };
  const auto write_queue = [&](std::uint32_t id, std::uint32_t account, const Device& device) {
    Queue& queue = state.queues[id];
    words.of(StatePart::room);
    words.add(state.flow.room(account));
    words.of(StatePart::length);
    words.add(queue.length);
    words.of(StatePart::request);
    if (queue.length > 0) describe(words, queue, device.first_list != kNone);
  };

  words.of(StatePart::pointer);
  for (const PortId link : component.links) describe(words, state.ports[link]);
  for (const Place& place : component.places) {
    write_queue(place.queue, place.account, state.devices[place.device]);
    words.of(StatePart::pointer);
    if (!state.next_inputs.empty()) words.add(state.next_inputs[place.account]);
    state.for_each_packet(place.queue, [&](PacketId packet) { write_packet(packet, PacketAt::queue); });
  }
  words.of(StatePart::pause);
  for (const std::size_t place : component.lanes) describe(words, state.pauses->lane(place));
  for (Injection& injection : component.injections) {
    const PortId adapter = state.network.adapter_port(injection.node);
    const std::uint32_t id = queue_of(injection);
    read_injection(component, injection);
    words.of(StatePart::waiting);
    words.add(injection.is_of_one);
    describe(words, state.admittance.nodes[injection.node]);
    const bool is_open = injection.is_of_one && injection.alone;
    if (injection.is_of_one) {
      const bool is_listed = state.devices[state.ports[adapter].owner].first_list != kNone;
      words.add(injection.member);
      words.of(StatePart::request);
      describe(words, state.queues[id], is_listed);
    } else {
      write_queue(id, id, state.devices[state.ports[adapter].owner]);
      state.for_each_packet(id, [&](PacketId packet) { write_packet(packet, PacketAt::injection_queue); });
    }
    if (is_open) continue;
    words.of(StatePart::waiting);
    const ActiveList& active = state.admittance.active[id - state.admittance.first_adapter_queue];
    for (std::uint32_t q = active.first; q != kNone; q = state.admittance.queues[q].next_active) {
      AdmittanceQueue& waiting = state.admittance.queues[q];
      words.add(q);
      describe(words, waiting);
      for (std::uint32_t m = waiting.first; m != kNone; m = state.admittance.messages[m].next) {
        Message& message = state.admittance.messages[m];
        words.add(message.serial - (m == waiting.first ? waiting.begun : 0));
        describe(words, message);
      }
    }
    words.add(kNone);
  }
  // Events of a tick have no order, but for packets that arrive over the same link: one that is stored can
  // arrive with the next one. No two are equal but for the packet.
  struct Key {
    std::uint64_t tick, kind, of, by;
    PacketId packet;
    auto operator<=>(const Key&) const = default;
  };
  std::vector<Key> keys;
  for (const TimedEvent& it : component.events) {
    Key key{static_cast<std::uint64_t>(it.tick - words.now), static_cast<std::uint64_t>(it.kind), it.event.a,
            it.event.b, kNone};
    if (it.kind == EventKind::arrive) {
      key.by = 0;
      if (state.network.links_differ)
        key.by = static_cast<std::uint64_t>(state.packets[it.event.b].tail - words.now);
      key.packet = it.event.b;
    } else if (it.kind == EventKind::deliver) {
      key.of = state.packets[it.event.a].destination;
      key.packet = it.event.a;
    }
    keys.push_back(key);
  }
  std::ranges::sort(keys);
  for (const Key& key : keys) {
    words.of(StatePart::event_tick);
    words.same(key.tick);
    words.of(StatePart::event);
    words.same(key.kind, key.of, key.by);
    if (key.packet != kNone) write_packet(key.packet, PacketAt::link);
  }
}

// Comparing -------------------------------------------------------------------------------------------------

void Components::verify() {
  const Tick now = state_.wheel.now();
  for (const auto& [node, destination] : watch_.begun)
    walk_links(node, destination, [&](PortId output) {
      if (Component* const component = component_at(output)) component->cancelled = true;
    });
  watch_.begun.clear();
  const auto is_due = [&](const Component& c) { return c.phase != Component::Phase::frozen && c.due == now; };
  std::vector<Component*> due, repeating;
  bool any = false;
  for (const std::unique_ptr<Component>& component : components_) {
    if (component == nullptr || !is_due(*component)) continue;
    due.push_back(component.get());
    for (const Member& member : component->members)
      component->cancelled |=
          !jobs_.is_moving(member.message) || jobs_.moving(member.message).serial != member.serial;
    any |= !component->cancelled;
  }
  if (any) collect_events([&](const Component& c) { return is_due(c) && !c.cancelled; });
  for (Component* const component : due) {
    if (!component->cancelled) compare(*component, repeating);
    if (component->due > now) continue;
    --verifying_;
    if (component->cancelled) release(*component);
  }
  if (!repeating.empty()) freeze(repeating);
  if (verifying_ == 0) end_look();
}

// Compares the state of a component with an earlier one. If it is to be compared again, it is due then.
void Components::compare(Component& component, std::vector<Component*>& repeating) {
  const Tick now = state_.wheel.now();
  const auto again = [&] {
    component.cancelled = now >= component.since + kMultiples * component.period;
    if (!component.cancelled) component.due += component.period;
  };
  std::vector<std::uint64_t> words;
  switch (component.phase) {
    case Component::Phase::sketched:
      write_sketch(component, words);
      if (words != component.words) {
        component.events.clear();
        return again();
      }
      component.period = now - component.since;
      component.since = now;
      component.due = now + component.period;
      component.phase = Component::Phase::seen;
      write_words(component, component.words);
      return begin_period(component);
    case Component::Phase::seen:
      write_words(component, words);
      if (words != component.words || !repeats(component)) return again();
      limit_periods(component);
      component.cancelled = component.periods < kFewestPeriods || !keeps_order(component);
      if (component.cancelled) return;
      if (!proves_) return repeating.push_back(&component);
      // its counters, as they are to be
      component.periods = std::min(component.periods, kMostProved);
      for (std::size_t i = 0; const std::uint64_t count : counts_of(component)) {
        component.counts[i] = count + component.periods * (count - component.counts[i]);
        ++i;
      }
      for (Member& member : component.members) {
        const auto packets = static_cast<std::uint32_t>((component.periods + 1) * member.in_period);
        member.to_leave -= packets;
        member.to_arrive -= packets;
      }
      component.due = now + static_cast<Tick>(component.periods) * (now - component.since);
      component.phase = Component::Phase::proving;
      return;
    case Component::Phase::proving:
      write_words(component, words);
      if (!has_come_true(component, words))
        throw InvariantError(fail_text(state_, "a stretch of time does not repeat itself as it seemed to",
                                       component.links.front()));
      component.cancelled = true;
      ++counts_.skips;
      return;
    case Component::Phase::frozen:
      return;
  }
}

// The bytes that its links have sent; of each lane, the pauses of its sender and how long they lasted.
std::vector<std::uint64_t> Components::counts_of(const Component& component) const {
  std::vector<std::uint64_t> counts;
  counts.reserve(component.links.size() + 2 * component.lanes.size());
  for (const PortId link : component.links) counts.push_back(state_.ports[link].bytes_sent);
  for (const std::size_t place : component.lanes) {
    const Pauses::Lane& lane = state_.pauses->lane(place);
    counts.push_back(lane.pauses);
    counts.push_back(lane.ticks);
  }
  return counts;
}

void Components::begin_period(Component& component) const {
  component.counts = counts_of(component);
  for (Member& member : component.members) {
    const MovingMessage moving = jobs_.moving(member.message);
    member.to_leave = moving.to_leave;
    member.to_arrive = moving.to_arrive;
  }
}

// The state is what it was; returns true if as many packets of each message have arrived as have left.
bool Components::repeats(Component& component) {
  for (Member& member : component.members) {
    const MovingMessage moving = jobs_.moving(member.message);
    member.in_period = member.to_leave - moving.to_leave;
    if (member.in_period != member.to_arrive - moving.to_arrive) return false;
  }
  return true;
}

// Returns true if no packet of a component is or will be overtaken by one of its pair in another lane, which
// would be counted.
bool Components::keeps_order(const Component& component) const {
  if (state_.network.in_order) return true;
  std::vector<std::pair<NodeId, NodeId>> pairs;
  for (const Member& member : component.members) {
    const MovingMessage moving = jobs_.moving(member.message);
    const std::uint32_t next = moving.serial + moving.packets - moving.to_arrive;
    if (engine_.next_serial(member.node, member.destination) > next) return false;
    pairs.emplace_back(member.node, member.destination);
  }
  std::ranges::sort(pairs);
  return std::ranges::adjacent_find(pairs) == pairs.end();
}

// With checks: the periods that could have been skipped have been simulated.
bool Components::has_come_true(const Component& component, const std::vector<std::uint64_t>& words) const {
  bool is_true = words == component.words && counts_of(component) == component.counts;
  for (const Member& member : component.members) {
    const MovingMessage moving = jobs_.moving(member.message);
    is_true &= moving.to_leave == member.to_leave && moving.to_arrive == member.to_arrive;
  }
  return is_true;
}

// How often the period can be skipped so that no message is completely admitted, sent or received in it,
// unless nothing else waits for that.
void Components::limit_periods(Component& component) const {
  // With cells, the last packet, which can be shorter, can have room where a full one has none.
  const std::uint64_t kept_waiting = state_.network.has_cells() ? 2 : 1;
  std::uint64_t most = UINT64_MAX;
  const auto limit = [&](std::uint64_t packets, std::uint64_t kept, std::uint64_t in_period) {
    if (in_period > 0) most = std::min(most, packets < kept ? 0 : (packets - kept) / in_period);
  };
  for (const Member& member : component.members)
    limit(jobs_.moving(member.message).to_leave, 2, member.in_period);
  for (const Injection& injection : component.injections) {
    if (injection.is_of_one) {
      if (!injection.alone && injection.waiting > 0)
        limit(injection.waiting, kept_waiting, component.members[injection.member].in_period);
      continue;
    }
    const std::uint32_t id = queue_of(injection);
    std::vector<std::uint32_t> waiting(component.members.size());
    const AdmittanceState& waits = state_.admittance;
    const ActiveList& active = waits.active[id - waits.first_adapter_queue];
    for (std::uint32_t q = active.first; q != kNone; q = waits.queues[q].next_active) {
      const AdmittanceQueue& queue = waits.queues[q];
      const Message& first = waits.messages[queue.first];
      waiting[member_of_[jobs_.message_of(injection.node, first.serial - queue.begun)]] = first.packets;
    }
    state_.for_each_packet(id, [&](PacketId packet) {
      const Member& member = member_of(component, packet);
      limit(waiting[static_cast<std::size_t>(&member - component.members.data())], kept_waiting,
            member.in_period);
    });
    for (std::size_t m = 0; m < waiting.size(); ++m)
      if (waiting[m] > 0) limit(waiting[m], kept_waiting, component.members[m].in_period);
  }
  component.periods = most == UINT64_MAX ? 0 : most;
}

void Components::freeze(const std::vector<Component*>& components) {
  const Tick now = state_.wheel.now();
  for (Component* const component : components) {
    component->phase = Component::Phase::frozen;
    component->is_new = true;
  }
  const auto is_new = [](const Component* component) { return component != nullptr && component->is_new; };
  state_.wheel.take_if([&](EventKind kind, Tick tick, const Event& event) {
    Component* const component = component_at(link_of(kind, event));
    if (!is_new(component)) return false;
    component->events.push_back({tick, event, kind});
    return true;
  });
  for (const JobWatch::Arrived& arrived : watch_.arrived) {
    Component* const component = component_at(state_.network.adapter_port(arrived.source));
    if (is_new(component) && arrived.tick >= component->since) component->arrived.push_back(arrived);
  }
  for (Component* const component : components) {
    component->is_new = false;
    component->period = now - component->since;
    component->since = now;
    component->due = now + static_cast<Tick>(component->periods) * component->period;
    for (std::size_t i = 0; const std::uint64_t count : counts_of(*component)) {
      component->counts[i] = count - component->counts[i];
      ++i;
    }
    spent_ += component->arrived.size() / 8 + component->events.size() / 8;
    ++frozen_;
    ++frozen_now_;
    frozen_messages_ += static_cast<std::uint32_t>(component->members.size());
  }
}

}  // namespace headway
