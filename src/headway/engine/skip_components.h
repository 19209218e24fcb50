// SPDX-License-Identifier: Apache-2.0
// The components of skip.h: where they are, and how they are found (skip.cpp), compared and frozen
// (skip_states.cpp), and moved on (skip_moves.cpp).
#pragma once

#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "headway/engine/next_hop.h"
#include "headway/engine/skip.h"

namespace headway {

constexpr Tick kNoStop = std::numeric_limits<Tick>::max();
// A skip of fewer periods does not pay.
constexpr std::uint64_t kFewestPeriods = 3;

class Components final : public Skip {
 public:
  Components(State& state, Jobs& jobs, bool has_flows, const SimulationOptions& options, Engine engine);
  ~Components() override;
  void stop() override;
  void make_way(NodeId node, NodeId destination) override;
  void thaw_all() override;
  void draw_matters(PortId output) override;

 private:
  struct Component;
  struct Place {  // a queue of a switch or an output unit, and the account of its room
    std::uint32_t device, account, queue;
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  struct Injection;
  struct Member;

  template <class Visit>
  void walk(NodeId node, NodeId destination, std::uint8_t service, Visit&& visit) const;
  template <class Visit>
  void walk_links(NodeId node, NodeId destination, Visit&& visit) const;
  PortId link_of(EventKind kind, const Event& event) const;
  std::uint32_t queue_of(const Injection& injection) const;
  Component* component_at(PortId link) const;

  void look();
  bool is_worth_a_look() const;
  struct Departures;
  void find_components();
  std::uint64_t cost_of_flows() const { return state_.queues.size() / 64; }
  bool find_ways_of_flows(std::vector<std::pair<NodeId, NodeId>>& ways) const;
  bool may_repeat(Component& component, const Departures& departures) const;
  void verify();
  void end_look();
  bool is_frozen(NodeId node) const;
  template <class Wanted>
  void collect_events(Wanted&& wanted);
  const Member& member_of(const Component& component, PacketId packet) const;
  void read_injection(const Component& component, Injection& injection) const;
  void write_sketch(const Component& component, std::vector<std::uint64_t>& words);
  void write_words(Component& component, std::vector<std::uint64_t>& words);
  template <class Words>
  void write_state(Component& component, Words& words);
  std::vector<std::uint64_t> counts_of(const Component& component) const;
  void begin_period(Component& component) const;
  bool repeats(Component& component);
  bool keeps_order(const Component& component) const;
  bool has_come_true(const Component& component, const std::vector<std::uint64_t>& words) const;
  void compare(Component& component, std::vector<Component*>& repeating);
  void limit_periods(Component& component) const;
  void freeze(const std::vector<Component*>& components);
  void count_hop(Member& member, PortId input, PortId output) const;
  void release(Component& component);
  void thaw(Component& component, Tick instant);
  void advance(Component& component, std::uint64_t periods);
  void advance_injection(Component& component, const Injection& injection, std::uint64_t periods);
  void count(Component& component, std::uint64_t periods);
  void set_next_stop();

  State& state_;
  Jobs& jobs_;
  bool has_flows_;                // beside the jobs
  const FlowNumbers* flow_of_;    // null: nothing is counted by flow
  const ClassNumbers* class_of_;  // null: nothing is counted by class
  Engine engine_;
  bool always_looks_;
  bool proves_;             // simulates what it could skip, and compares
  std::uint32_t left_out_;  // parts of a state
  JobWatch watch_;
  std::unique_ptr<Wheel> alone_;                        // for components that are simulated alone
  std::vector<std::unique_ptr<Component>> components_;  // some are null
  std::vector<std::uint32_t> component_of_;             // [port] of its link, or none
  std::vector<std::uint32_t> first_at_;                 // [port] none, but while components are made
  std::vector<std::uint32_t> free_;                     // components that are null
  std::vector<std::uint32_t> member_of_;                // [message] its number in its component
  std::uint32_t frozen_messages_ = 0;
  std::uint32_t frozen_now_ = 0;  // components, by this look
  bool observes_ = false;
  Tick packet_time_ = 1;
  Tick window_ = 1;
  Tick look_at_ = 0;
  std::uint64_t spent_ = 0;  // on looking, in packet-hops that could have been simulated
};

// A message of a component.
struct Components::Member {
  std::uint32_t message;
  NodeId node, destination;
  std::uint32_t serial;  // of its first packet
  std::uint32_t to_leave, to_arrive;
  std::uint32_t hops = 0;       // switches
  std::uint32_t events = 0;     // of each packet
  std::uint32_t in_period = 0;  // packets that leave and arrive
};

// An injection queue of a component.
struct Components::Injection {
  NodeId node;
  std::uint32_t number;  // at its node
  // All its packets are of one message, and only this message waits for it. What waits, or where the queue
  // ends, does not matter then: it never runs empty. `alone`: nothing waits behind the message.
  bool is_of_one = false;
  bool alone = false;
  std::uint32_t member = kNone;  // is_of_one: its number
  std::uint32_t waiting = 0;     // is_of_one: packets
  friend bool operator<(const Injection& a, const Injection& b) {
    return std::pair(a.node, a.number) < std::pair(b.node, b.number);
  }
  friend bool operator==(const Injection& a, const Injection& b) {
    return a.node == b.node && a.number == b.number;
  }
};

struct Components::Component {
  // Its queues have been compared, its whole state; it is frozen or, to prove that it could be, goes on.
  enum class Phase { sketched, seen, frozen, proving };
  Phase phase = Phase::sketched;
  std::uint32_t number = 0;
  std::vector<Member> members;
  std::vector<PortId> links;  // their outputs, and those of switches to output units
  std::vector<Place> places;
  std::vector<std::size_t> lanes;  // with pauses: of inputs behind the links (Network::lane_place)
  std::vector<Injection> injections;
  Tick period = 0;
  Tick since = 0;  // the first sketch or state; then when it was frozen
  Tick due = 0;    // the next comparison; then the end of the last period that is skipped
  bool cancelled = false;
  bool is_new = false;                     // while it is being frozen
  std::vector<std::uint64_t> words;        // the first sketch or state
  std::vector<std::uint64_t> counts;       // counts_of() at the first state; then their growth in a period
  std::uint64_t periods = 0;               // that can be skipped
  std::vector<JobWatch::Arrived> arrived;  // in a period
  std::vector<TimedEvent> events;          // of its packets; while frozen, they are in no wheel
};

// Calls visit(output, account, queue) for the links of a message, and for the outputs of switches to output
// units. The queue is that behind the output, and the account that of its room; or both are the sink.
template <class Visit>
void Components::walk(NodeId node, NodeId destination, std::uint8_t service, Visit&& visit) const {
  const Network& network = state_.network;
  const bool has_lanes = network.has_lanes();
  Course course;
  if (has_lanes) course = first_course(state_, node, destination, 0, service);
  for (PortId output = network.adapter_port(node); output != kNone;) {
    const NextHop next = has_lanes ? look_ahead</*kEnds=*/true>(state_, output, node, destination, 0, course)
                                   : look_ahead</*kEnds=*/false>(state_, output, node, destination, 0);
    const PortId link = network.link_port(output);
    if (link != output) {
      const std::uint32_t queue = state_.output_queue(output, next.target, course.lane);
      visit(output, queue, queue);
    }
    std::uint32_t queue = next.target;
    if (network.sorts_arrivals && queue != state_.sink()) {
      const PortState& port = state_.ports[output];
      queue += network.queue_on_arrival(network.ports[output].peer, next.output - port.next_first_port, node,
                                        destination);
    }
    visit(link, next.target, queue);
    output = next.output;
  }
}

// Calls visit(output) for the same links, which do not depend on the lane.
template <class Visit>
void Components::walk_links(NodeId node, NodeId destination, Visit&& visit) const {
  walk(node, destination, 0, [&](PortId output, std::uint32_t, std::uint32_t) { visit(output); });
}

// Puts the events of the components for which wanted(component) returns true into their lists.
template <class Wanted>
void Components::collect_events(Wanted&& wanted) {
  std::uint64_t seen = 0;
  state_.wheel.for_each_event([&](EventKind kind, Tick tick, const Event& event) {
    ++seen;
    Component* const component = component_at(link_of(kind, event));
    if (component != nullptr && wanted(*component)) component->events.push_back({tick, event, kind});
  });
  spent_ += seen / 8 + 1;
}

}  // namespace headway
