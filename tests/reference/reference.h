// SPDX-License-Identifier: Apache-2.0
// A second implementation of docs/modelling.md: a deliberately simple simulator that examines everything in
// every tick. It shares nothing with the engine that was compiled from a spec (setup.h). If the two differ in
// a tick, there is a mistake in one of them or in compiling, or a rule is ambiguous.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "headway/engine/record.h"
#include "headway/engine/simulation.h"
#include "headway/engine/workload.h"
#include "headway/observe/photograph.h"
#include "tests/reference/control.h"
#include "tests/reference/isolation.h"
#include "tests/reference/jobs.h"
#include "tests/reference/overflow.h"
#include "tests/reference/setup.h"

namespace headway::reference {

struct Packet {
  NodeId source;
  NodeId destination;
  std::uint32_t serial;
  std::uint32_t generator;  // index among the workload's sources
  std::uint32_t bytes;      // on links and in memories
  std::uint32_t carried;    // of its message
  bool last_of_message;
  std::uint32_t message;  // serial number of the first packet of its message
  std::uint32_t packets;  // of its message
  Tick generated;
  std::uint32_t service = 0;  // level
  bool marked = false;        // because of congestion
  Tick injected = 0;          // when its adapter granted it
  Tick switchable = 0;        // when the device it waits in could first switch it
  Tick tail = 0;              // when it arrives, or arrived, at the device the packet is in
  PortId output = kNone;      // chosen by the selection function of the switch it is in
  std::uint32_t taken =
      0;  // the queue behind `output` that has room for this packet; at a slow node, its lane
  std::uint32_t via = kNone;  // detours: its waypoint
  bool undecided = false;     // a switch may still send it directly
  PortId lightest = kNone;    // the output that it chose by load when it arrived at the switch it is in
  bool escapes = false;       // `output` is its escape
  PortId kept = kNone;        // the output that it keeps to, because none was free, or as others of its flow
  bool has_asked = false;     // at the switch that it is in
  std::vector<PortId> crossed = {};  // outputs of the graph through which it left devices
  std::vector<bool> escaped = {};    // [crossed] was that output its escape?
  // [number of switches crossed] the routes that decide its output there; behind the last, those of the
  // present.
  std::vector<std::shared_ptr<const Routes>> routed_by = {};
};

struct Queue {
  std::deque<Packet> packets;
  std::uint32_t served = 0;       // weighted round robin: packets served in a row
  std::uint64_t head_number = 0;  // orders the queues of a network by the time when their heads became heads
};

// The turns of classes at an output.
struct Turns {
  std::vector<std::size_t> entry;                        // [level] that had the last turn
  std::vector<std::int64_t> left;                        // [level] units of that turn
  std::vector<std::vector<std::int64_t>> debt;           // [level][entry]
  std::int64_t first_left = 0;                           // bytes that the first level may still send
  std::map<std::uint32_t, std::uint32_t> input_pointer;  // by class
};

// Both sides of a port. `credits` count the room in this port's own queues as their sender knows it: the port
// at the other end of the link or, for an adapter, the node's admission.
struct PortState {
  std::vector<Queue> queues;
  std::vector<std::uint32_t> credits;
  std::uint32_t credit_pointer = 0;  // most_room: where the search for the best queue begins
  std::uint32_t input_pointer = 0;   // output side: the input that wins a tie
  // Output side: the input that goes first into a group of queues behind it, by the group's first queue.
  std::map<std::uint32_t, std::uint32_t> group_pointer;
  // Input side with pooled memory: the queue that is served first, by output.
  std::map<PortId, std::uint32_t> queue_pointer;
  Tick input_busy_until = 0;
  Tick output_busy_until = 0;
  bool is_down = false;  // the link behind the output side
  Turns turns;
  PortId sends_by = kNone;  // the output to which the input side sends, or last sent
  PortId held_by = kNone;   // the input that sends, or last sent, through the output side; kNone for feedback
  std::uint32_t sends_of = kNone;  // what generated that packet
  // memory that is free, unknown to the sender: queue, credits
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pending_credits;
  std::set<std::uint32_t> pending_pauses;  // lanes whose pause or resume waits for the link
};

struct DeviceState {
  Rng random;
  std::uint32_t turn = 0;  // turn of the selection function
};

// Identifies packets that are admitted in order: those of one destination and service level, or all of a
// node.
using Line = std::pair<NodeId, std::uint32_t>;

struct NodeState {
  std::map<Line, std::deque<Packet>> line_of;
  std::vector<std::deque<Line>>
      active;              // [group] active list: lines whose first packet belongs to this group
  std::deque<Line> aside;  // isolation: lines whose first packet may not be admitted now
  std::deque<Line> held;   // lines whose flow may not send yet, in the order in which that was found
  std::uint32_t next_serial = 0;
  std::uint64_t waiting_packets = 0;
  bool has_admitted = false;  // packets, since the sources last generated
  // Of a slow node:
  std::vector<std::uint32_t> receive_credits;  // [lane] room in its memory as its switch knows it
  std::deque<Packet> received;                 // the first one is being consumed, or will be in this tick
  Tick consumes_until = kIdle;
  static constexpr Tick kIdle = -1;
};

struct SourceState {
  Rng random;
  Instant due = 0;
  std::uint64_t bytes = 0;             // size of its next message
  std::uint32_t waiting_messages = 0;  // not completely admitted
  bool silent = false;                 // its pattern has no destination for it
  bool stalled = false;                // it wants to generate, and must wait
};

class Reference {
 public:
  struct Request {
    PortId input;
    std::uint32_t queue;
    PortId output;
    Tick since;  // when the packet became switchable or was injected
    std::uint64_t head_number;
    std::optional<std::uint32_t> group = {};  // of queues behind the output in which the head needs room
  };
  // What an arbiter has chosen from: all eligible requests for an output, of one class.
  struct Chosen {
    PortId output;
    std::uint32_t of_class;
    const std::vector<Request>& eligible;
    const Request& won;
  };
  // `setup` and `workload` must outlive the simulator.
  Reference(const Setup& setup, const Workload& workload, std::uint64_t seed);
  void run_until(Tick end);  // every tick before `end`
  void watch(std::function<void(const Chosen&)> watch) { watch_ = std::move(watch); }
  std::size_t inputs_of_device(PortId port) const { return ports_of(wired(port).device).size(); }
  const std::vector<Delivery>& deliveries() const { return deliveries_; }
  struct Generated {
    std::uint64_t packets = 0;
    std::uint64_t bytes = 0;
  };
  const std::vector<Generated>& generated() const { return generated_; }  // [generator]
  const Counters& counters() const { return counters_; }                  // `events` stays 0
  const NaiveIsolation* isolation() const { return isolation_ ? &*isolation_ : nullptr; }
  std::size_t ports() const { return ports_.size(); }
  const std::vector<Queue>& queues(PortId port) const { return ports_[port].queues; }  // input side
  const NaiveControl* control() const { return control_ ? &*control_ : nullptr; }
  std::size_t limited() const;  // flows; needs control()
  std::uint64_t marked() const { return marked_; }
  std::uint64_t lost() const { return lost_; }
  std::uint64_t pauses() const { return pauses_obeyed_; }
  const NaiveJobs& jobs() const { return jobs_; }
  const NaiveOverflow* overflow() const { return overflow_ ? &*overflow_ : nullptr; }

  // Why packets wait, by docs/waiting.md (waiting.cpp): numbers of packets by Waiting, and of links by
  // LinkTime. Starved links are counted as unwanted, and throttled links as lost for room.
  struct Waits {
    std::array<std::uint64_t, kWaitings> packets{};
    std::uint64_t movable = 0;
    std::uint64_t drain = 0;
    std::array<std::uint64_t, kLinkTimes> links{};
    friend bool operator==(const Waits&, const Waits&) = default;
  };
  Waits waits() const;

  // A queue of the input side of a port.
  struct Place {
    PortId input;
    std::uint32_t queue;
  };
  // A packet and why it waits. If it is in a queue, `at` is that queue. `head` is the packet at the head of
  // the queue, or null if it is this one.
  struct Looked {
    const Packet& packet;
    Waiting waiting;
    Place at;
    const Packet* head;
  };
  void for_each_packet(const std::function<void(const Looked&)>& visit) const;
  // What generated the packet that a root of congestion sends, or that its receiver consumes; kNone: it sends
  // none.
  std::uint32_t sends(const Root& root) const;

 private:
  struct Flight {  // a packet in transit to a queue or to its destination's adapter
    PortId input;
    std::uint32_t queue;
    Packet packet;
  };
  struct Room {  // a queue whose sender is about to get credits
    PortId input;
    std::uint32_t queue;
    std::uint32_t credits;
  };
  struct LaneAt {  // of an input port or, at the port of a node, of its receive memory
    PortId input;
    std::uint32_t lane;
    friend auto operator<=>(const LaneAt&, const LaneAt&) = default;
  };
  struct Channels {  // the queues of a port that a packet may enter
    std::uint32_t first;
    std::uint32_t count;
  };
  // Links that go down or come up, and routes that change.
  void change_network();
  std::set<PortId> links_down(Tick when) const;
  bool is_withheld(PortId output) const { return ports_[output].is_down && !rules_.down_links_lose; }
  // Returns true if nothing can leave by the output in this tick.
  bool is_taken(PortId output) const {
    return ports_[output].output_busy_until > now_ || is_withheld(output);
  }
  const Routes& routes_for(const Packet& packet) const;
  const LaneRules& lanes_for(const Packet& packet) const {
    return packet.routed_by.empty() ? routes_now_->lanes : packet.routed_by.front()->lanes;
  }
  void join_again(NodeId node);
  void arrive();
  void deliver(const Packet& packet);
  // Slow nodes.
  void finish_consumption();
  void begin_consumption();
  bool is_slow(NodeId node) const {
    return !rules_.receive_rate.empty() && rules_.receive_rate[node] > Rational(0);
  }
  std::uint32_t receive_lane(const Packet& packet) const {
    return lane_over(packet, wired(graph_.node_port(packet.destination)).source);
  }
  void release();
  // Pauses (pauses.cpp).
  LaneAt lane_at(PortId input, std::uint32_t queue) const;
  std::uint64_t held_in(const LaneAt& lane) const;
  std::uint64_t memory_of(const LaneAt& lane) const;
  std::uint64_t shared_room(SwitchId sw) const;
  void join_lanes();
  void note_shared_room();
  bool links_differ() const;
  bool joins_lane(const LaneAt& lane, const Packet& packet);
  void has_left_lane(const LaneAt& lane, std::uint64_t room);
  void tell_sender(const LaneAt& lane, bool pauses);
  void obey_pauses();
  // Do senders count credits for this input port?
  bool counts_credits(PortId input) const { return !rules_.pause || is_node(input) || is_output_unit(input); }
  void generate();
  void arbitrate(std::uint32_t device);
  void receive_signals();
  void settle(PortId port, bool arrived);

  void draw_size(std::uint32_t source);
  bool wants_to_generate(std::uint32_t source) const;
  bool may_generate(std::uint32_t source) const;
  void generate_message(std::uint32_t source);
  void generate_traces();
  // Returns the serial number of its first packet.
  std::uint32_t make_message(std::uint32_t source, NodeId from, NodeId to, std::uint64_t bytes);
  // Nodes with several links.
  std::vector<NodeId> links_of(NodeId node) const;
  std::vector<std::pair<NodeId, NodeId>> ways_between(NodeId from, NodeId to) const;
  void choose_links(NodeId& from, NodeId& to);
  void join_active(NodeId node, Line line);
  void admit(NodeId node);
  void admit_first(NodeId node, std::uint32_t group);

  void choose_outputs(SwitchId sw);
  std::vector<PortId> asked_by(const Packet& packet, SwitchId sw) const;
  std::vector<PortId> candidates_of(const Packet& packet, SwitchId sw) const;
  PortId choose_output(SwitchId sw, PortId input, Packet& packet);
  std::pair<SwitchId, std::uint64_t> place_of_flow(SwitchId sw, const Packet& packet) const;
  PortId followed(SwitchId sw, const Packet& packet) const;
  void remember(SwitchId sw, const Packet& packet, PortId output);
  void choose_at_arrival(SwitchId sw);
  void pass_turn(const SelectionRule& rule, SwitchId sw, std::size_t taken);
  void count_routed(const Packet& packet, SwitchId sw);
  std::uint32_t preferred(const SelectionRule& rule, SwitchId sw, const Packet& packet, std::uint32_t count,
                          const std::function<std::uint32_t(std::size_t)>& room_of) const;
  bool is_free(PortId input, PortId output, const Packet& packet) const;
  bool has_room_behind(PortId input, PortId output, const Packet& packet) const;
  std::uint32_t room_in(PortId input, Channels channels) const;
  bool waits_for_output(const Queue& queue, SwitchId sw) const;
  std::uint64_t draw(const Packet& packet, SwitchId sw) const;
  std::uint64_t draw_of_path(const RouteTable& routes, const Packet& packet, SwitchId sw) const;

  // Arbiters (arbiters.cpp).
  std::vector<PortId> wanted_outputs(std::uint32_t device) const;
  std::vector<Request> eligible_requests(std::uint32_t device) const;
  Tick age_of(const Packet& head, PortId input) const;
  bool is_refused(std::uint32_t queue, const Packet& head, PortId output) const;
  void keep_one_per_input(std::vector<Request>& requests) const;
  // `pointer`: of the output or class, to the input that goes first.
  Request winner(PortId output, std::uint32_t of_class, const std::vector<Request>& requests,
                 std::uint32_t& pointer);
  std::uint32_t drawn_input(std::uint32_t device, const std::vector<Request>& requests);
  std::uint32_t behind(PortId input) const;  // the next input of its device
  std::optional<std::uint32_t> group_of(const Packet& head, PortId output) const;
  Request first_from(PortId output, const std::vector<Request>& requests, std::uint32_t first) const;
  // Turns of classes (turns.cpp).
  // Marks (marks.cpp).
  std::uint64_t bytes_waiting(PortId output, std::uint32_t lane) const;
  void mark_arrival(Packet& packet, PortId input,
                    const std::map<std::pair<PortId, std::uint32_t>, std::uint64_t>& before);
  bool is_marked(const Packet& packet, PortId output, std::uint32_t lane, std::uint64_t waiting, bool root);
  bool is_drawn_by(const RedThresholds& red, const Packet& packet, PortId output,
                   std::uint64_t waiting) const;
  bool is_counted(PortId output, std::uint32_t lane);
  bool is_root(const Packet& packet, PortId link) const;
  void mark_departure(Packet& packet, PortId link);
  void mark_isolated(Packet& packet, PortId input, std::uint32_t queue, PortId output);
  void open_gates();
  NaiveControl::Flow flow_of(NodeId node, const Line& line) const {
    return control_->flow(node, line.first, line.second);
  }
  void prepare_turns();
  void arbitrate_in_turns(const std::vector<PortId>& outputs, const std::vector<Request>& requests);
  void grant_in_turn(PortId output, std::size_t level, const std::vector<Request>& requests);
  std::vector<std::size_t> order_of_entries(const Turns& turns, std::size_t level) const;
  void charge(Turns& turns, std::size_t level, std::size_t entry, std::uint32_t bytes) const;
  void grant(const Request& request);
  struct Times {
    Tick input;
    Tick output;
  };
  Times transfer_times(const Packet& packet, PortId input, PortId output) const;
  void send_feedback(PortId link);
  bool takes_turns(PortId input) const {
    return !rules_.weights.empty() && (is_node(input) || is_output_unit(input));
  }

  void push(PortId input, std::uint32_t queue, const Packet& packet);
  // For waits().
  bool is_held(PortId output) const {
    return ports_[output].output_busy_until >= now_ || is_withheld(output);
  }
  bool is_sending(PortId input) const {
    const bool is_never_busy = rules_.output_queued && !is_node(input);
    return !is_never_busy && ports_[input].input_busy_until >= now_;
  }
  std::vector<PortId> options(const Packet& packet, PortId input) const;
  bool has_chosen(const Packet& packet, PortId input) const;
  std::vector<std::uint32_t> stops(const Packet& packet, Place at) const;
  bool has_room_by(const Packet& packet, Place at, PortId output) const;
  Waiting wait_of_head(const Packet& head, Place at) const;
  bool is_paused(const Packet& head, Place at) const;
  Waiting wait_behind(const Packet& packet, const Packet& head, Place at) const;
  bool needs_the_same(const Packet& packet, const Packet& head, Place at) const;
  bool waits_for_room(const NodeState& node) const;
  LinkTime time_of_link(PortId link) const;

  // Lanes and detours (paths.cpp).
  struct PathAhead {
    PortId first = kNone;
    std::uint64_t ahead = 0;  // slots or cells of the packets ahead at the output that is compared
    std::uint64_t links = 0;  // between switches
  };
  std::uint32_t part_of(SwitchId sw) const;
  void plan_detour(Packet& packet) const;
  Packet behind(const Packet& packet, PortId output) const;
  std::vector<SwitchId> switches_of(const Packet& packet) const;
  bool goes_to_waypoint(const Packet& packet) const;
  std::vector<PortId> routed_outputs(const Packet& packet, SwitchId sw) const;
  PortId routed_output(const Packet& packet, SwitchId sw) const;
  std::uint32_t lane_over(const Packet& packet, PortId output) const;
  // All lanes: those of the routing times those of the service levels.
  std::uint32_t lane_count() const { return (lanes_.lanes() + (choices_ ? 1 : 0)) * services_.lanes; }
  std::uint32_t service_level(std::uint32_t source, NodeId from, NodeId to) const;
  std::uint32_t routing_lane(const Packet& packet, const std::vector<PortId>& path) const;
  std::uint32_t service_lane(const Packet& packet, const std::vector<PortId>& path) const;
  std::uint32_t lane_of_choice(const Packet& packet, const std::vector<PortId>& path) const;
  std::uint64_t room_ahead(PortId output) const;
  PathAhead path_from(Packet packet, SwitchId sw) const;
  Packet with_lightest(Packet packet, SwitchId sw) const;
  std::pair<Packet, std::uint64_t> with_cheapest(const Packet& packet, SwitchId sw, std::uint64_t bias) const;
  void decide(Packet& packet, SwitchId sw) const;

  PortId output_of(const Packet& packet, std::uint32_t device) const;
  bool is_stored(const Packet& packet, PortId link) const;
  Channels channels_at(const Packet& packet, PortId input) const;
  bool sorts_arrivals() const;
  std::uint32_t queue_on_arrival(const Flight& flight) const;
  std::uint32_t number_in_lane(const Packet& packet, PortId input) const;
  // The slots or cells that a packet takes.
  std::uint32_t room_of(std::uint64_t bytes) const;
  std::uint32_t most_carried() const { return rules_.packet_bytes - rules_.header_bytes; }
  // With its header and padding.
  std::uint32_t length_of(std::uint32_t carried) const {
    const std::uint32_t length = carried + rules_.header_bytes;
    return length < rules_.least_frame ? rules_.least_frame : length;
  }
  std::uint32_t room_of(const Packet& packet) const { return room_of(packet.bytes); }
  std::uint64_t room_of(const std::deque<Packet>& packets) const;
  // With pauses, in its lane.
  std::uint32_t lane_room_of(const Packet& packet) const {
    return rules_.lane_credits_of(static_cast<std::uint32_t>(packet.bytes));
  }
  std::uint64_t waiting_room(const NodeState& node) const;
  std::uint32_t needed_for(const Packet& packet, PortId input, PortId output) const;
  bool has_room(PortId input, Channels channels, std::uint32_t needed) const;
  bool room_for(const Packet& packet, PortId input, PortId output) const;
  bool joins_ring(PortId input, PortId output) const;
  std::uint32_t choose_channel(PortId input, Channels channels, std::uint32_t needed);
  std::uint32_t queues_of(PortId port) const;
  std::uint32_t capacity_of(PortId port) const;  // slots or cells per queue
  const WiredPort& wired(PortId port) const { return wiring_.ports[port]; }
  const std::vector<PortId>& ports_of(std::uint32_t device) const { return wiring_.devices[device]; }
  PortId switch_port(SwitchId sw, std::uint32_t local) const { return wiring_.devices[sw][local]; }
  PortId link_of(PortId output) const;  // the port whose output side is the link behind this output
  bool is_switch(std::uint32_t device) const { return device < graph_.switches(); }
  bool is_node(PortId port) const { return wired(port).kind == WiredPort::Kind::adapter; }
  bool is_output_unit(PortId port) const { return wired(port).kind == WiredPort::Kind::output_unit; }
  bool is_pooled() const { return rules_.isolation || rules_.overflow; }  // queues share their port's memory

  const Graph& graph_;
  const Setup& setup_;
  const LaneRules& lanes_;  // at the start
  const std::optional<Detours>& detours_;
  const std::optional<MinimalPorts> choices_;
  const ServiceLevels& services_;
  const QueueMap& queue_map_;
  const NetworkOptions& rules_;
  Wiring wiring_;  // with the present rates of links
  const Wiring usual_;
  const Workload& workload_;
  std::uint64_t seed_;
  Tick now_ = 0;
  std::shared_ptr<const Routes> routes_now_;
  std::map<std::set<PortId>, std::shared_ptr<const Routes>> routes_without_;
  std::uint64_t heads_ = 0;  // number of heads so far, over all queues
  std::vector<PortState> ports_;
  std::vector<DeviceState> devices_;
  struct Remembered {
    Tick when;
    std::pair<NodeId, std::uint32_t> message;
    PortId output;
  };
  std::map<std::pair<SwitchId, std::uint64_t>, Remembered> flows_;  // by switch and entry
  std::vector<NodeState> nodes_;
  std::vector<std::uint32_t> network_of_;         // [node] the lowest switch that is connected to it
  std::map<NodeId, std::uint32_t> link_turns_;    // by node of the spec
  std::vector<SourceState> sources_;              // sources of the flows, then one per trace and job
  std::vector<std::deque<TimedMessage>> traces_;  // remaining messages of each
  std::multimap<Tick, Flight> flights_;
  std::multimap<Tick, Room> rooms_;
  std::multimap<Tick, Room> received_rooms_;  // room in the memory of slow nodes: adapter, lane, credits
  std::multimap<Tick, Room> vacated_;         // slots that become free; their credits then wait for the link
  std::multimap<Tick, Room> leaving_;         // with pauses: packets whose transfer from a lane goes on
  std::multimap<Tick, std::pair<LaneAt, bool>> told_;  // pauses (true) and resumes on their way
  std::map<LaneAt, std::uint64_t> joining_;            // room of packets that join in this tick
  std::vector<std::uint64_t> shared_before_;     // [switch] free room that its lanes share, before the tick
  std::set<LaneAt> pausing_;                     // lanes that have told their sender to pause
  std::set<LaneAt> holding_;                     // lanes whose sender obeys a pause
  std::map<LaneAt, std::uint64_t> in_headroom_;  // shared memory: room that a lane takes of its headroom
  std::uint64_t lost_ = 0;
  std::uint64_t pauses_obeyed_ = 0;
  // Notifications that travel as packets: by their source and destination, those of this tick; by source and
  // serial number, those that have been sent.
  std::set<std::pair<std::pair<NodeId, NodeId>, NaiveControl::Travelling>> to_send_;
  std::map<std::pair<NodeId, std::uint32_t>, NaiveControl::Travelling> travelling_;
  bool is_notice(const Packet& packet) const {
    return workload_.notifies && packet.generator == workload_.notifier();
  }
  std::vector<Delivery> deliveries_;
  std::vector<Generated> generated_;
  std::optional<NaiveIsolation> isolation_;
  std::optional<NaiveOverflow> overflow_;
  std::optional<NaiveControl> control_;
  std::map<std::pair<PortId, std::uint32_t>, std::uint32_t> passed_;  // packets since the last mark
  std::map<PortId, bool> congested_;                                  // isolation marking
  std::uint64_t marked_ = 0;
  std::map<PortId, bool> unsettled_;  // ports to settle in this tick; true if a packet arrived
  std::map<std::pair<NodeId, NodeId>, std::uint32_t> latest_serial_;  // by source and destination
  Counters counters_;
  NaiveJobs jobs_;
  std::function<void(const Chosen&)> watch_;
};

}  // namespace headway::reference
