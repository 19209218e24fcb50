// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/skip.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "headway/engine/deliveries.h"
#include "headway/engine/describe.h"
#include "headway/engine/inspect.h"
#include "headway/engine/next_hop.h"

namespace headway {
namespace {

constexpr std::uint64_t kShareOfLooks = 100;
// Choice: about what a look costs, in packet-hops.
constexpr std::uint32_t kCostOfMessage = 40;
// Choice: the length of the first look, and of the longest one, in times of a full packet on a link.
constexpr Tick kFirstWindow = 8, kLongestWindow = 1024;
// Choice: a state that does not repeat after the period of the nodes may repeat after a multiple of it.
constexpr Tick kMultiples = 4;
// A skip of fewer periods does not pay.
constexpr std::uint64_t kFewestPeriods = 3;
// Choice: so many periods are simulated to prove that they could be skipped.
constexpr std::uint64_t kMostProved = 16;

constexpr Tick kNoStop = std::numeric_limits<Tick>::max();

// Writes a state as numbers that are equal if and only if the states are, whenever they are.
struct Words {
  std::vector<std::uint64_t>& words;
  Tick now;
  std::uint32_t first_serial = 0;  // of the packets of a message that have not left

  void add(std::uint64_t word) { words.push_back(word); }
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

// While the first packets of a message are on their way, nothing repeats.
bool has_arrived(const MovingMessage& message) { return message.to_arrive < message.packets; }

// Moves a state to a later time.
struct Shift {
  Tick ticks;
  std::uint32_t packets = 0;  // of the message that have left since
  std::uint64_t growth = 0;   // of a count

  template <class... T>
  void same(const T&...) {}
  void time(Tick& tick) const { tick += ticks; }
  void serial(std::uint32_t& serial) const { serial += packets; }
  template <class... T>
  void count(T&... members) const {
    ((members = static_cast<T>(members + growth)), ...);
  }
  template <class... T>
  void derived(const T&...) {}
  template <class... T>
  void fixed(const T&...) {}
};

class Components final : public Skip {
 public:
  Components(State& state, Jobs& jobs, const SimulationOptions& options, Engine engine);
  ~Components() override;
  void stop() override;
  void make_way(NodeId node, NodeId destination) override;
  void thaw_all() override;
  void draw_matters(PortId output) override;

 private:
  struct Component;
  struct Place {  // a queue behind an output
    PortId output;
    std::uint32_t queue;
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  struct Injection;
  struct Member;

  template <class Visit>
  void walk(NodeId node, NodeId destination, Visit&& visit) const;
  PortId link_of(EventKind kind, const Event& event) const;
  std::uint32_t queue_of(const Injection& injection) const;
  Component* component_at(PortId link) const;

  void look();
  bool is_worth_a_look() const;
  struct Departures;
  void find_components();
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
  void begin_period(Component& component) const;
  bool repeats(Component& component);
  bool has_come_true(const Component& component, const std::vector<std::uint64_t>& words) const;
  void compare(Component& component, std::vector<Component*>& repeating);
  void limit_periods(Component& component) const;
  void freeze(const std::vector<Component*>& components);
  void release(Component& component);
  void thaw(Component& component, Tick instant);
  void advance(Component& component, std::uint64_t periods);
  void advance_injection(Component& component, const Injection& injection, std::uint64_t periods);
  void count(Component& component, std::uint64_t periods);
  void set_next_stop();

  State& state_;
  Jobs& jobs_;
  const FlowNumbers* flow_of_;  // null: nothing is counted by flow
  Engine engine_;
  bool always_looks_;
  bool proves_;  // simulates what it could skip, and compares
  JobWatch watch_;
  std::unique_ptr<Wheel> alone_;                        // for components that are simulated alone
  std::vector<std::unique_ptr<Component>> components_;  // some are null
  std::vector<std::uint32_t> component_of_;             // [port of the graph] of its link, or none
  std::vector<std::uint32_t> first_at_;   // [port of the graph] none, but while components are made
  std::vector<std::uint32_t> free_;       // components that are null
  std::vector<std::uint32_t> member_of_;  // [message] its number in its component
  std::uint32_t frozen_messages_ = 0;
  std::uint32_t frozen_now_ = 0;  // components, by this look
  bool observes_ = false;
  Tick packet_time_ = 1;
  Tick window_ = 1;
  Tick look_at_ = 0;
  std::uint64_t spent_ = 0;  // on looking, in packet-hops that could have been simulated
};

}  // namespace

std::string why_no_skip(const Network& network, const Workload& workload, const SimulationOptions& options) {
  if (!options.skip) return "it is switched off";
  if (workload.jobs.empty()) return "there are no jobs";
  if (!workload.sources.empty() || !workload.traces.empty()) return "flows or traces send besides jobs";
  if (!network.in_order) return "packets between two nodes can take several paths";
  if (network.has_output_units()) return "switches have output queues";
  if (network.selection) return "switches choose among outputs";
  if (network.is_pooled()) return "queues share the memory of a port";
  if (network.has_lanes()) return "links have lanes";
  if (network.has_cells()) return "memory is counted in cells";
  if (network.pause || network.has_slow_nodes()) return "receivers pause their senders";
  if (network.marking || network.reaction) return "sources react to congestion";
  if (network.feedback_shares_links()) return "credits share links with packets";
  if (network.links_differ) return "links differ in rate";
  if (network.turns || !network.weights.empty()) return "queues take turns by weight";
  if (network.admittance_limit != UINT64_MAX) return "nodes limit what waits for admission";
  if (network.arbiter != ArbiterKind::round_robin) return "the arbiter is not round-robin";
  if (options.deliveries) return "every delivery is followed";
  if (options.count_by_generator || options.keep_sent) return "it is observed why packets wait";
  return "";
}

// Choice: 1024 packets. Collectives of 64 ranks with messages of 256 packets gain nothing, those of 1024
// packets up to ten times, and those of 4096 five to fifty times; two threads gain at most two.
bool skipping_pays(const Network& network, const Workload& workload, const SimulationOptions& options) {
  if (!why_no_skip(network, workload, options).empty()) return false;
  constexpr std::uint64_t kLong = 1024;  // packets
  double of_long = 0, all = 0;           // bytes
  for (const Job& job : workload.jobs)
    job.program->for_each_size([&](std::uint64_t bytes, std::uint64_t messages) {
      const double sum = static_cast<double>(bytes) * static_cast<double>(messages);
      all += sum;
      if (bytes >= kLong * network.packet_bytes) of_long += sum;
    });
  return of_long > all / 2;
}

namespace {

// A message of a component.
struct Components::Member {
  std::uint32_t message;
  NodeId node, destination;
  std::uint32_t serial;  // of its first packet
  std::uint32_t to_leave, to_arrive;
  std::uint32_t links;
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
  std::vector<PortId> links;  // their outputs
  std::vector<Place> places;  // of switches
  std::vector<Injection> injections;
  Tick period = 0;
  Tick since = 0;  // the first sketch or state; then when it was frozen
  Tick due = 0;    // the next comparison; then the end of the last period that is skipped
  bool cancelled = false;
  bool is_new = false;                     // while it is being frozen
  std::vector<std::uint64_t> words;        // the first sketch or state
  std::vector<std::uint64_t> bytes;        // [link] sent until the first state; then in a period
  std::uint64_t periods = 0;               // that can be skipped
  std::vector<JobWatch::Arrived> arrived;  // in a period
  std::vector<TimedEvent> events;          // of its packets; while frozen, they are in no wheel
};

Components::Components(State& state, Jobs& jobs, const SimulationOptions& options, Engine engine)
    : state_(state),
      jobs_(jobs),
      flow_of_(options.count_flows),
      engine_(std::move(engine)),
      always_looks_(options.always_look),
      proves_(options.check),
      component_of_(state.network.layout.graph_ports, kNone),
      first_at_(component_of_) {
  jobs_.watch(&watch_);
  const Port& link = state.network.ports[state.network.adapter_port(0)];
  packet_time_ = std::max<Tick>(Tick{state.network.packet_bytes} * link.ticks_per_byte, 1);
  window_ = kFirstWindow * packet_time_;
}

Components::~Components() { jobs_.watch(nullptr); }

// Where things are ------------------------------------------------------------------------------------------

// Calls visit(output, queue) for the links of a message; the queue is that behind the output, or the sink.
template <class Visit>
void Components::walk(NodeId node, NodeId destination, Visit&& visit) const {
  for (PortId output = state_.network.adapter_port(node); output != kNone;) {
    const NextHop next = look_ahead(state_, output, node, destination, 0);
    visit(output, next.target);
    output = next.output;
  }
}

// The output of the link that an event belongs to.
PortId Components::link_of(EventKind kind, const Event& event) const {
  switch (kind) {
    case EventKind::arrive:
      return state_.packets[event.b].output;
    case EventKind::deliver:
      return state_.packets[event.a].output;
    case EventKind::release:
      return state_.devices[event.a].first_port + (event.b & 0xffff);
    case EventKind::sent:
      return state_.devices[event.a].first_port;
    case EventKind::credit:
      return event.b;
    default:
      return kNone;
  }
}

std::uint32_t Components::queue_of(const Injection& injection) const {
  return state_.ports[state_.network.adapter_port(injection.node)].first_queue + injection.number;
}

const Components::Member& Components::member_of(const Component& component, PacketId packet) const {
  return component.members[member_of_[jobs_.message_of(state_.packets[packet].source,
                                                       state_.packets.origin(packet).message)]];
}

Components::Component* Components::component_at(PortId link) const {
  const std::uint32_t number = link == kNone ? kNone : component_of_[link];
  return number == kNone ? nullptr : components_[number].get();
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

// Looking for components that may repeat --------------------------------------------------------------------

void Components::stop() {
  const Tick now = state_.wheel.now();
  if (frozen_ > 0)
    for (std::size_t c = 0; c < components_.size(); ++c)
      if (Component* const it = components_[c].get();
          it != nullptr && it->phase == Component::Phase::frozen && it->due <= now)
        thaw(*it, now);
  if (verifying_ > 0)
    verify();
  else if (now >= look_at_)
    look();
  set_next_stop();
}

void Components::set_next_stop() {
  next_stop_ = verifying_ > 0 ? kNoStop : look_at_;
  if (frozen_ + verifying_ == 0) return;
  for (const std::unique_ptr<Component>& component : components_)
    if (component != nullptr) next_stop_ = std::min(next_stop_, component->due);
}

// A look has two parts: which packets leave their nodes, and whether states repeat.
void Components::look() {
  const Tick now = state_.wheel.now();
  if (!observes_) {
    // make_way() goes on if nothing moves that is not frozen
    const bool moves = frozen_ == 0 || jobs_.moving_messages() > frozen_messages_;
    look_at_ = moves ? now + window_ : kNoStop;
    if (!moves || !is_worth_a_look()) return;
    watch_.left.clear();
    watch_.sees_left = observes_ = true;
    return;
  }
  watch_.sees_left = observes_ = false;
  ++counts_.looks;
  find_components();
  if (verifying_ == 0) return end_look();
  watch_.arrived.clear();
  watch_.begun.clear();
  watch_.sees_arrived = true;
}

// Choice: looks cost at most a 100th of the hops that have been simulated, and a quarter of those that they
// have saved; and messages that have begun to leave last longer than those that have nearly left.
bool Components::is_worth_a_look() const {
  const std::uint32_t messages = jobs_.moving_messages() - frozen_messages_;
  if (always_looks_) return messages > 0;
  const std::uint64_t simulated = state_.record.counters.packet_hops - counts_.packet_hops;
  if (messages == 0 ||
      spent_ + std::uint64_t{kCostOfMessage} * messages > simulated / kShareOfLooks + counts_.packet_hops / 4)
    return false;
  std::uint64_t packets = 0, to_leave = 0;
  for (std::uint32_t message = 0; message < jobs_.most_messages(); ++message) {
    if (!jobs_.is_moving(message)) continue;
    const MovingMessage moving = jobs_.moving(message);
    if (!has_arrived(moving) || is_frozen(moving.node)) continue;
    packets += moving.packets;
    to_leave += moving.to_leave;
  }
  return to_leave > 0 && 2 * to_leave >= packets;
}

void Components::end_look() {
  watch_.sees_arrived = false;
  look_at_ = state_.wheel.now() + 1;
  if (std::exchange(frozen_now_, 0) > 0)
    window_ = std::max(window_ / 2, kFirstWindow * packet_time_);
  else
    window_ = window_ > kLongestWindow * packet_time_ ? kFirstWindow * packet_time_ : window_ + window_ / 2;
}

bool Components::is_frozen(NodeId node) const {
  return component_at(state_.network.adapter_port(node)) != nullptr;
}

// The packets that have been seen to leave their nodes.
struct Components::Departures {
  const std::vector<JobWatch::Left>& left;
  std::vector<std::uint32_t> last, before;  // [node] and [packet], or none

  Departures(const std::vector<JobWatch::Left>& packets, std::uint32_t nodes)
      : left(packets), last(nodes, kNone) {
    for (std::uint32_t i = 0; i < left.size(); ++i) before.push_back(std::exchange(last[left[i].node], i));
  }

  // The period of those of a node, in packets, or 0. `latest`: those of the node, the latest one first.
  std::size_t period_of(NodeId node, std::vector<JobWatch::Left>& latest) const {
    latest.clear();
    for (std::uint32_t i = last[node]; i != kNone; i = before[i]) latest.push_back(left[i]);
    for (std::size_t p = 1; 3 * p <= latest.size() && latest.size() > 3; ++p) {
      const auto repeats = [&](std::size_t i) {
        return latest[i].message == latest[i + p].message &&
               latest[i].tick - latest[i + p].tick == latest[0].tick - latest[p].tick;
      };
      std::size_t i = 0;
      while (i < 2 * p && i + p < latest.size() && repeats(i)) ++i;
      if (i == 2 * p || i + p == latest.size()) return p;
    }
    return 0;
  }
};

// Makes the components of all messages that move and are not frozen, of which those stay that may repeat.
void Components::find_components() {
  const Tick now = state_.wheel.now();
  std::vector<std::uint32_t> messages, root;
  member_of_.resize(jobs_.most_messages(), kNone);
  for (std::uint32_t message = 0; message < jobs_.most_messages(); ++message)
    if (jobs_.is_moving(message) && !is_frozen(jobs_.moving(message).node)) messages.push_back(message);
  const Departures departures(watch_.left, state_.network.nodes());
  spent_ += watch_.left.size() / 8 + state_.network.nodes() / 64;
  // messages that share a link have the same root
  root.resize(messages.size());
  std::iota(root.begin(), root.end(), 0U);
  const auto root_of = [&](std::uint32_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (std::uint32_t i = 0; i < messages.size(); ++i) {
    const MovingMessage moving = jobs_.moving(messages[i]);
    walk(moving.node, moving.destination, [&](PortId output, std::uint32_t) {
      if (first_at_[output] == kNone)
        first_at_[output] = i;
      else
        root[root_of(i)] = root_of(first_at_[output]);
      ++spent_;
    });
  }
  std::vector<Component*> of_root(messages.size(), nullptr);
  for (std::uint32_t i = 0; i < messages.size(); ++i) {
    Component*& component = of_root[root_of(i)];
    if (component == nullptr) {
      const std::uint32_t number =
          free_.empty() ? static_cast<std::uint32_t>(components_.size()) : free_.back();
      if (free_.empty())
        components_.emplace_back();
      else
        free_.pop_back();
      components_[number] = std::make_unique<Component>();
      component = components_[number].get();
      component->number = number;
    }
    const MovingMessage moving = jobs_.moving(messages[i]);
    Member member{
        messages[i], moving.node, moving.destination, moving.serial, moving.to_leave, moving.to_arrive, 0};
    walk(moving.node, moving.destination, [&](PortId output, std::uint32_t queue) {
      component->links.push_back(output);
      first_at_[output] = kNone;
      if (member.links == 0)
        component->injections.push_back(
            {.node = moving.node, .number = queue - state_.ports[output].next_first_queue});
      if (queue != state_.sink()) component->places.push_back({output, queue});
      ++member.links;
    });
    member_of_[messages[i]] = static_cast<std::uint32_t>(component->members.size());
    component->members.push_back(member);
  }
  for (Component* const component : of_root) {
    if (component == nullptr) continue;
    const auto unique = [](auto& list) {
      std::ranges::sort(list);
      list.erase(std::unique(list.begin(), list.end()), list.end());
    };
    unique(component->links);
    unique(component->places);
    std::sort(component->injections.begin(), component->injections.end());
    component->injections.erase(std::unique(component->injections.begin(), component->injections.end()),
                                component->injections.end());
    for (const PortId link : component->links) component_of_[link] = component->number;
    if (!may_repeat(*component, departures)) {
      release(*component);
      continue;
    }
    component->since = now;
    component->due = now + component->period;
    write_sketch(*component, component->words);
    ++verifying_;
  }
}

// Returns true if what leaves the nodes of a component has a period, which its messages last for.
bool Components::may_repeat(Component& component, const Departures& departures) const {
  for (const Member& member : component.members)
    if (!has_arrived(jobs_.moving(member.message))) return false;
  std::vector<JobWatch::Left> latest;
  component.period = 1;
  std::vector<std::pair<NodeId, std::size_t>> period_of;  // [node] in packets
  for (const Injection& injection : component.injections) {
    if (!period_of.empty() && period_of.back().first == injection.node) continue;
    const std::size_t p = departures.period_of(injection.node, latest);
    if (p == 0) return false;
    period_of.emplace_back(injection.node, p);
    component.period = std::lcm(component.period, latest[0].tick - latest[p].tick);
    if (component.period > 4 * window_) return false;
  }
  for (const auto& [node, p] : period_of) {
    departures.period_of(node, latest);
    const auto times = static_cast<std::uint64_t>(component.period / (latest[0].tick - latest[p].tick));
    for (std::size_t i = 0; i < p; ++i)
      if (!jobs_.is_moving(latest[i].message) ||
          jobs_.moving(latest[i].message).to_leave < (kFewestPeriods + 1) * times + 2)
        return false;
  }
  return true;
}

// Does not change the state.
void Components::release(Component& component) {
  for (const PortId link : component.links) component_of_[link] = kNone;
  free_.push_back(component.number);
  components_[component.number].reset();
}

void Components::draw_matters(PortId output) {
  if (Component* const component = component_at(output)) component->cancelled = true;
}

// States ----------------------------------------------------------------------------------------------------

// Finds out whether an injection queue is of one message.
void Components::read_injection(const Component& component, Injection& injection) const {
  const PortId adapter = state_.network.adapter_port(injection.node);
  const std::uint32_t id = queue_of(injection);
  const Queue& queue = state_.queues[id];
  const ActiveList& active = state_.admittance.active[id - state_.admittance.first_adapter_queue];
  injection.is_of_one = false;
  injection.alone = true;
  injection.waiting = 0;
  if (queue.length < 2 || state_.network.ports[adapter].credits < 3) return;
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
  for (const PortId link : component.links) words.push_back(state_.ports[link].next_input);
  for (const auto& [output, queue] : component.places)
    words.push_back(std::uint64_t{state_.flow.room(queue)} << 32 | state_.queues[queue].length);
  spent_ += words.size() / 16 + 1;
}

void Components::write_words(Component& component, std::vector<std::uint64_t>& list) {
  State& state = state_;
  list.clear();
  list.reserve(component.words.size());
  Words words{list, state.wheel.now()};
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
    words.add(number);
    describe(words, state.packets[id], at);
    describe(words, state.packets.origin(id), at);
  };
  const auto write_queue = [&](std::uint32_t id, const Device& device) {
    Queue& queue = state.queues[id];
    words.add(state.flow.room(id));
    words.add(queue.length);
    if (queue.length > 0) describe(words, queue, device.first_list != kNone);
  };

  for (const PortId link : component.links) describe(words, state.ports[link]);
  for (const auto& [output, id] : component.places) {
    const PortState& port = state.ports[output];
    write_queue(id, state.devices[port.next_switch]);
    if (!state.next_inputs.empty()) words.add(state.next_inputs[id]);
    state.for_each_packet(id, [&](PacketId packet) { write_packet(packet, PacketAt::queue); });
  }
  for (Injection& injection : component.injections) {
    const PortId adapter = state.network.adapter_port(injection.node);
    const std::uint32_t id = queue_of(injection);
    read_injection(component, injection);
    words.add(injection.is_of_one);
    describe(words, state.admittance.nodes[injection.node]);
    const bool is_open = injection.is_of_one && injection.alone;
    if (injection.is_of_one) {
      const bool is_listed = state.devices[state.ports[adapter].owner].first_list != kNone;
      words.add(injection.member);
      describe(words, state.queues[id], is_listed);
    } else {
      write_queue(id, state.devices[state.ports[adapter].owner]);
      state.for_each_packet(id, [&](PacketId packet) { write_packet(packet, PacketAt::injection_queue); });
    }
    if (is_open) continue;
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
  // Events of a tick have no order, and no two are equal but for the packet.
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
      key.packet = it.event.b;
    } else if (it.kind == EventKind::deliver) {
      key.of = state.packets[it.event.a].destination;
      key.packet = it.event.a;
    }
    keys.push_back(key);
  }
  std::ranges::sort(keys);
  for (const Key& key : keys) {
    words.same(key.tick, key.kind, key.of, key.by);
    if (key.packet != kNone) write_packet(key.packet, PacketAt::link);
  }
  component.events.clear();
  spent_ += list.size() / 8 + 1;
}

// Comparing -------------------------------------------------------------------------------------------------

void Components::verify() {
  const Tick now = state_.wheel.now();
  for (const auto& [node, destination] : watch_.begun)
    walk(node, destination, [&](PortId output, std::uint32_t) {
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
      component.cancelled = component.periods < kFewestPeriods;
      if (component.cancelled) return;
      if (!proves_) return repeating.push_back(&component);
      // its counters, as they are to be
      component.periods = std::min(component.periods, kMostProved);
      for (std::size_t i = 0; i < component.links.size(); ++i) {
        const std::uint64_t sent = state_.ports[component.links[i]].bytes_sent;
        component.bytes[i] = sent + component.periods * (sent - component.bytes[i]);
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

void Components::begin_period(Component& component) const {
  component.bytes.clear();
  for (const PortId link : component.links) component.bytes.push_back(state_.ports[link].bytes_sent);
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

// With checks: the periods that could have been skipped have been simulated.
bool Components::has_come_true(const Component& component, const std::vector<std::uint64_t>& words) const {
  bool is_true = words == component.words;
  for (std::size_t i = 0; i < component.links.size(); ++i)
    is_true &= state_.ports[component.links[i]].bytes_sent == component.bytes[i];
  for (const Member& member : component.members) {
    const MovingMessage moving = jobs_.moving(member.message);
    is_true &= moving.to_leave == member.to_leave && moving.to_arrive == member.to_arrive;
  }
  return is_true;
}

// How often the period can be skipped so that no message is completely admitted, sent or received in it,
// unless nothing else waits for that.
void Components::limit_periods(Component& component) const {
  std::uint64_t most = UINT64_MAX;
  const auto limit = [&](std::uint64_t packets, std::uint64_t kept, std::uint64_t in_period) {
    if (in_period > 0) most = std::min(most, packets < kept ? 0 : (packets - kept) / in_period);
  };
  for (const Member& member : component.members)
    limit(jobs_.moving(member.message).to_leave, 2, member.in_period);
  for (const Injection& injection : component.injections) {
    if (injection.is_of_one) {
      if (!injection.alone && injection.waiting > 0)
        limit(injection.waiting, 1, component.members[injection.member].in_period);
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
      limit(waiting[static_cast<std::size_t>(&member - component.members.data())], 1, member.in_period);
    });
    for (std::size_t m = 0; m < waiting.size(); ++m)
      if (waiting[m] > 0) limit(waiting[m], 1, component.members[m].in_period);
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
    for (std::size_t i = 0; i < component->links.size(); ++i)
      component->bytes[i] = state_.ports[component->links[i]].bytes_sent - component->bytes[i];
    spent_ += component->arrived.size() / 8 + component->events.size() / 8;
    ++frozen_;
    ++frozen_now_;
    frozen_messages_ += static_cast<std::uint32_t>(component->members.size());
  }
}

// Moving on -------------------------------------------------------------------------------------------------

void Components::make_way(NodeId node, NodeId destination) {
  const Tick now = state_.wheel.now();
  walk(node, destination, [&](PortId output, std::uint32_t) {
    Component* const component = component_at(output);
    if (component != nullptr && component->phase == Component::Phase::frozen) thaw(*component, now);
  });
  if (look_at_ == kNoStop) look_at_ = now + window_;
  set_next_stop();
}

void Components::thaw_all() {
  if (frozen_ == 0) return;
  for (std::size_t c = 0; c < components_.size(); ++c)
    if (components_[c] != nullptr && components_[c]->phase == Component::Phase::frozen)
      thaw(*components_[c], state_.wheel.now());
  set_next_stop();
}

void Components::thaw(Component& component, Tick instant) {
  const auto periods = static_cast<std::uint64_t>((instant - component.since) / component.period);
  advance(component, periods);
  const Tick from = component.since + static_cast<Tick>(periods) * component.period;
  const auto schedule = [&] {
    for (const TimedEvent& it : component.events)
      state_.wheel.schedule_at_any_distance(it.kind, it.tick, it.event.a, it.event.b);
  };
  if (from < instant) {
    if (alone_ == nullptr) alone_ = std::make_unique<Wheel>(state_.network.layout.horizon);
    state_.wheel.exchange(*alone_);
    state_.wheel.restart(from);
    schedule();
    engine_.simulate(instant);
    component.events.clear();
    state_.wheel.take_if([&](EventKind kind, Tick tick, const Event& event) {
      component.events.push_back({tick, event, kind});
      return true;
    });
    state_.wheel.exchange(*alone_);
  }
  schedule();
  if (look_at_ == kNoStop) look_at_ = instant + window_;
  --frozen_;
  frozen_messages_ -= static_cast<std::uint32_t>(component.members.size());
  ++counts_.skips;
  release(component);
}

// Moves the packets, events and counters of a component by so many periods.
void Components::advance(Component& component, std::uint64_t periods) {
  if (periods == 0) return;
  State& state = state_;
  const Tick ticks = static_cast<Tick>(periods) * component.period;
  Shift shift{.ticks = ticks};
  const auto move_packet = [&](PacketId id, PacketAt at) {
    shift.packets = static_cast<std::uint32_t>(member_of(component, id).in_period * periods);
    describe(shift, state.packets[id], at);
    describe(shift, state.packets.origin(id), at);
  };
  for (const Place& place : component.places)
    state.for_each_packet(place.queue, [&](PacketId packet) { move_packet(packet, PacketAt::queue); });
  for (TimedEvent& it : component.events) {
    it.tick += ticks;
    if (it.kind == EventKind::arrive) move_packet(it.event.b, PacketAt::link);
    if (it.kind == EventKind::deliver) move_packet(it.event.a, PacketAt::link);
  }
  for (std::size_t i = 0; i < component.links.size(); ++i) {
    shift.growth = component.bytes[i] * periods;
    describe(shift, state.ports[component.links[i]]);
  }
  for (const Injection& injection : component.injections) advance_injection(component, injection, periods);
  count(component, periods);
}

void Components::advance_injection(Component& component, const Injection& injection, std::uint64_t periods) {
  AdmittanceState& waits = state_.admittance;
  AdmittanceState::Node& node = waits.nodes[injection.node];
  const std::uint32_t id = queue_of(injection);
  const ActiveList& active = waits.active[id - waits.first_adapter_queue];
  const auto leave = [&](const Member& member) {
    return static_cast<std::uint32_t>(member.in_period * periods);
  };
  // So many packets of the first message of an admittance queue are admitted.
  const auto admit = [&](std::uint32_t queue, std::uint32_t packets) {
    AdmittanceQueue& waiting = waits.queues[queue];
    Message& message = waits.messages[waiting.first];
    message.serial += packets;
    message.packets -= packets;
    waiting.begun += packets;
    waiting.packets -= packets;
    node.waiting_packets -= packets;
    state_.record.waiting_packets -= packets;
  };
  if (!injection.is_of_one) {
    for (std::uint32_t q = active.first; q != kNone; q = waits.queues[q].next_active) {
      const std::uint32_t first = waits.messages[waits.queues[q].first].serial - waits.queues[q].begun;
      admit(q, leave(component.members[member_of_[jobs_.message_of(injection.node, first)]]));
    }
    Shift shift{.ticks = 0};
    state_.for_each_packet(id, [&](PacketId packet) {
      shift.packets = leave(member_of(component, packet));
      describe(shift, state_.packets[packet], PacketAt::injection_queue);
    });
    return;
  }
  // All packets have the next number but the last one, which can be shorter and is admitted as usual.
  const std::uint32_t left = leave(component.members[injection.member]);
  const std::uint32_t renumbered = std::min(left, std::max(injection.waiting, 1U) - 1);
  if (left == 0) return;
  Queue& queue = state_.queues[id];
  if (renumbered > 0) {
    admit(active.first, renumbered);
    state_.for_each_packet(id, [&](PacketId packet) { state_.packets[packet].serial += renumbered; });
  }
  for (std::uint32_t more = left - renumbered; more > 0; --more) {
    const PacketId head = queue.head;
    queue.head = state_.packets[head].next;
    --queue.length;
    --state_.record.packets_in_network;
    state_.flow.give_back(id, 1);
    state_.packets.release(head);
  }
  if (left > renumbered && injection.waiting > 0) engine_.admit(injection.node, injection.number);
}

// What the packets of so many periods add to the counters.
void Components::count(Component& component, std::uint64_t periods) {
  Record& record = state_.record;
  std::uint64_t hops = 0, packets = 0;
  for (const Member& member : component.members) {
    const std::uint64_t of_member = member.in_period * periods;
    packets += of_member;
    hops += of_member * (member.links - 1);  // links between switches and to the node
    jobs_.skip_packets(member.message, static_cast<std::uint32_t>(of_member));
  }
  record.counters.packets_injected += packets;
  record.counters.packet_hops += hops;
  // of a packet that leaves its node: its end there and its arrival; of a hop also a credit
  record.counters.events += 2 * packets + 3 * hops;
  counts_.packet_hops += hops;
  const auto step = static_cast<std::uint64_t>(component.period);
  const auto add = [&](TrafficCounters& counters, Latencies& latencies, const JobWatch::Arrived& arrived) {
    const auto latency = static_cast<std::uint64_t>(arrived.tick - arrived.generated);
    const auto network_latency = static_cast<std::uint64_t>(arrived.tick - arrived.injected);
    counters.packets_delivered += periods;
    counters.bytes_delivered += periods * arrived.bytes;
    counters.latency_ticks += periods * latency + step * (periods * (periods + 1) / 2);
    counters.network_latency_ticks += periods * network_latency;
    latencies.latency.add_progression(latency + step, step, periods);
    latencies.network_latency.add_times(network_latency, periods);
  };
  for (const JobWatch::Arrived& arrived : component.arrived) {
    const std::uint32_t member = member_of_[arrived.message];
    add(record.counters, record.latencies, arrived);
    record.bytes_to[arrived.destination] += periods * arrived.bytes;
    if (!record.bytes_between.empty())
      record.bytes_between[std::size_t{arrived.source} * state_.network.nodes() + arrived.destination] +=
          periods * arrived.bytes;
    if (flow_of_ != nullptr) {
      TrafficRecord& flow = record.flows[flow_of_->of_generator[arrived.generator]];
      add(flow.counters, flow.latencies, arrived);
    }
    if (!record.received.empty()) {
      Received& received = record.received[arrived.destination];
      received.packets += periods;
      received.latency_ticks += periods * static_cast<std::uint64_t>(arrived.tick - arrived.generated) +
                                step * (periods * (periods + 1) / 2);
      received.network_latency_ticks += periods * static_cast<std::uint64_t>(arrived.tick - arrived.injected);
    }
    std::uint32_t serial = arrived.serial;
    Tick tick = arrived.tick;
    for (std::uint64_t period = 0; period < periods; ++period) {
      serial += component.members[member].in_period;
      tick += component.period;
      record.trace_hash += hash_of_delivery(arrived.source, arrived.destination, serial, tick);
    }
  }
}

}  // namespace

std::unique_ptr<Skip> make_skip(State& state, Jobs& jobs, const SimulationOptions& options,
                                Skip::Engine engine) {
  return std::make_unique<Components>(state, jobs, options, std::move(engine));
}

}  // namespace headway
