// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/skip.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "headway/engine/inspect.h"
#include "headway/engine/skip_components.h"

namespace headway {
namespace {

constexpr std::uint64_t kShareOfLooks = 100;
// Choice: about what a look costs, in packet-hops.
constexpr std::uint32_t kCostOfMessage = 20;
// Choice: the length of the first look, and of the longest one, in times of a full packet on the slowest link
// of a node.
constexpr Tick kFirstWindow = 8, kLongestWindow = 1024;
// Choice: a look does not go through more messages that wait in line.
constexpr std::uint32_t kMostLookedAt = 256;

// While the first packets of a message are on their way, nothing repeats.
bool has_arrived(const MovingMessage& message) { return message.to_arrive < message.packets; }

}  // namespace

std::string why_no_skip(const Network& network, const Workload& workload, const SimulationOptions& options) {
  if (!options.skip) return "it is switched off";
  if (workload.jobs.empty()) return "there are no jobs";
  if (!workload.traces.empty()) return "traces send beside jobs";
  for (const Flow& flow : workload.flows)
    if (flow.arrivals == nullptr) return "a flow beside jobs is saturated";
  // Choice: the links of a message would have to be known before its tick.
  if (network.has_hosts() && !workload.sources.empty())
    return "flows send beside jobs, and nodes have several links";
  if (network.has_hosts() && network.link_rule == LinkRule::load) return "nodes choose their links by load";
  if (!network.one_path) return "packets between two nodes can take several paths";
  if (network.selection || network.arrival_choice) return "switches choose among outputs";
  if (network.output_queued) return "an input sends to several outputs at once";
  if (network.is_pooled()) return "queues share the memory of a port";
  if (network.routes.detours) return "packets can take detours";
  if (network.has_slow_nodes()) return "nodes receive slowly";
  if (network.pause && network.pause->alpha > 0) return "the ports of a switch share their memory";
  if (network.pause && network.pause->loses) return "packets can be lost";
  if (network.marking || network.reaction) return "sources react to congestion";
  if (network.feedback_shares_links()) return "credits share links with packets";
  if (!network.changes.empty()) return "links change during the run";
  if (network.turns || !network.weights.empty()) return "queues take turns by weight";
  if (network.admittance_limit != UINT64_MAX) return "nodes limit what waits for admission";
  if (network.arbiter != ArbiterKind::round_robin) return "the arbiter is not round-robin";
  if (options.deliveries && !options.deliveries_of_flows) return "every delivery is followed";
  if (options.count_by_generator || options.keep_sent) return "it is observed why packets wait";
  return "";
}

bool has_long_messages(const Network& network, const Workload& workload, std::uint64_t packets) {
  double of_long = 0, all = 0;  // bytes
  for (const Job& job : workload.jobs)
    job.program->for_each_size([&](std::uint64_t bytes, std::uint64_t messages) {
      const double sum = static_cast<double>(bytes) * static_cast<double>(messages);
      all += sum;
      if (bytes >= packets * network.framing().payload) of_long += sum;
    });
  return of_long > all / 2;
}

namespace {

// Returns true if flows send to or from more than a quarter of the nodes. Then they touch most of the
// network.
bool flows_are_everywhere(const Network& network, const Workload& workload) {
  std::vector<bool> has_flow(network.nodes());
  std::uint64_t count = 0;
  const auto add = [&](NodeId node) {
    if (!has_flow[node]) ++count;
    has_flow[node] = true;
  };
  for (const Source& source : workload.sources) {
    add(source.node);
    workload.flows[source.flow].destinations->shares(source.node, [&](NodeId node, double) { add(node); });
    if (count > network.nodes() / 4) return true;
  }
  return false;
}

}  // namespace

// Choice: messages of 128 packets for each thread. Collectives of 64 ranks with messages of 64 packets take
// 0.7 to 1 of their time with skipping, with 256 packets 0.15 to 0.5 (with random placement 0.84), with 1024
// a tenth, with 4096 less; two threads take half the time of one at best.
bool skipping_pays(const Network& network, const Workload& workload, const SimulationOptions& options) {
  return why_no_skip(network, workload, options).empty() &&
         has_long_messages(network, workload, std::uint64_t{128} * options.threads) &&
         !flows_are_everywhere(network, workload);
}

Components::Components(State& state, Jobs& jobs, bool has_flows, const SimulationOptions& options,
                       Engine engine)
    : state_(state),
      jobs_(jobs),
      has_flows_(has_flows),
      flow_of_(options.count_flows),
      class_of_(options.count_classes),
      engine_(std::move(engine)),
      always_looks_(options.always_look),
      proves_(options.check),
      left_out_(options.left_out),
      component_of_(state.network.ports.size(), kNone),
      first_at_(component_of_) {
  jobs_.watch(&watch_);
  for (NodeId node = 0; node < state.network.nodes(); ++node) {
    const Port& link = state.network.ports[state.network.adapter_port(node)];
    packet_time_ = std::max<Tick>(packet_time_, Tick{state.network.packet_bytes} * link.ticks_per_byte);
  }
  window_ = kFirstWindow * packet_time_;
}

Components::~Components() { jobs_.watch(nullptr); }

// Where things are ------------------------------------------------------------------------------------------

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
      return state_.devices[event.a].first_port + (state_.network.is_switch(event.a) ? event.b & 0xffff : 0);
    case EventKind::credit:
      return event.b;
    case EventKind::vacate:  // with pauses: of the packet's memory
      return state_.ports[state_.network.feedback_of(event.a)].source;
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

// Choice: looks cost at most a 100th of the hops that have been simulated, and half of those that they have
// saved; and what could be saved, in messages of which most packets have not left, is more than a look costs.
bool Components::is_worth_a_look() const {
  const std::uint32_t messages = jobs_.moving_messages() - frozen_messages_;
  if (always_looks_) return messages > 0;
  const std::uint64_t simulated = state_.record.counters.packet_hops - counts_.packet_hops;
  std::uint64_t cost = std::uint64_t{kCostOfMessage} * messages;
  if (has_flows_) cost += cost_of_flows();
  if (messages == 0 || spent_ + cost > simulated / kShareOfLooks + counts_.packet_hops / 2) return false;
  std::uint64_t to_leave = 0;
  for (std::uint32_t message = 0; message < jobs_.most_messages(); ++message) {
    if (!jobs_.is_moving(message)) continue;
    const MovingMessage moving = jobs_.moving(message);
    if (has_arrived(moving) && 2 * moving.to_leave >= moving.packets && !is_frozen(moving.node))
      to_leave += moving.to_leave;
  }
  return to_leave >= cost;
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

  // The period of those of a node, in packets, or 0. `latest`: those of the node, the latest one first, of
  // which half repeat at least: where credits limit a message, packets of a burst repeat before bursts do.
  std::size_t period_of(NodeId node, std::vector<JobWatch::Left>& latest) const {
    latest.clear();
    for (std::uint32_t i = last[node]; i != kNone; i = before[i]) latest.push_back(left[i]);
    for (std::size_t p = 1; 3 * p <= latest.size() && latest.size() > 3; ++p) {
      const auto repeats = [&](std::size_t i) {
        return latest[i].message == latest[i + p].message &&
               latest[i].tick - latest[i + p].tick == latest[0].tick - latest[p].tick;
      };
      const std::size_t needed = std::max(2 * p, latest.size() / 2);
      std::size_t i = 0;
      while (i < needed && i + p < latest.size() && repeats(i)) ++i;
      if (i == needed || i + p == latest.size()) return p;
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
  std::vector<std::pair<NodeId, NodeId>> ways_of_flows;
  if (has_flows_) {
    spent_ += cost_of_flows();
    if (!find_ways_of_flows(ways_of_flows)) return;
  }
  // messages that share a link have the same root; all of flows are one
  const auto of_flows = static_cast<std::uint32_t>(messages.size());
  root.resize(messages.size() + 1);
  std::iota(root.begin(), root.end(), 0U);
  const auto root_of = [&](std::uint32_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  std::vector<PortId> met;
  const auto join = [&](std::uint32_t i, NodeId node, NodeId destination) {
    walk_links(node, destination, [&](PortId output) {
      ++spent_;
      if (first_at_[output] != kNone) {
        root[root_of(i)] = root_of(first_at_[output]);
        return;
      }
      first_at_[output] = i;
      met.push_back(output);
    });
  };
  for (std::uint32_t i = 0; i < messages.size(); ++i) {
    const MovingMessage moving = jobs_.moving(messages[i]);
    join(i, moving.node, moving.destination);
  }
  for (const auto& [node, destination] : ways_of_flows) join(of_flows, node, destination);
  for (const PortId output : met) first_at_[output] = kNone;
  std::vector<Component*> of_root(messages.size() + 1, nullptr);
  for (std::uint32_t i = 0; i < messages.size(); ++i) {
    if (!ways_of_flows.empty() && root_of(i) == root_of(of_flows)) continue;
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
    Member member{messages[i],   moving.node,     moving.destination,
                  moving.serial, moving.to_leave, moving.to_arrive};
    // of a packet that leaves its node, the end there and its arrival
    member.events = 2;
    PortId input = kNone;
    const std::uint8_t service = service_of(state_, moving.generator, moving.node, moving.destination);
    const auto add = [&](PortId output, std::uint32_t account, std::uint32_t queue) {
      component->links.push_back(output);
      if (input == kNone)
        component->injections.push_back(
            {.node = moving.node, .number = account - state_.ports[output].next_first_queue});
      const PortId peer = state_.network.ports[output].peer;
      if (queue != state_.sink())
        component->places.push_back({state_.network.ports[peer].owner, account, queue});
      if (state_.pauses != nullptr && state_.network.is_switch(state_.network.ports[peer].owner))
        for (std::uint32_t lane = 0; lane < state_.network.lanes; ++lane)
          component->lanes.push_back(state_.network.lane_place(peer, lane));
      count_hop(member, input, output);
      input = peer;
    };
    walk(moving.node, moving.destination, service, add);
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
    unique(component->lanes);
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

// Finds the nodes and destinations of the messages of flows that wait or are on their way. Returns false if
// they are not known.
bool Components::find_ways_of_flows(std::vector<std::pair<NodeId, NodeId>>& ways) const {
  const AdmittanceState& waits = state_.admittance;
  const bool is_one_way = state_.network.admittance == Admittance::per_destination;
  const auto add_packet = [&](PacketId id) {
    if (!jobs_.generates(state_.packets.origin(id).generator))
      ways.emplace_back(state_.packets[id].source, state_.packets[id].destination);
  };
  state_.wheel.for_each_event([&](EventKind kind, Tick, const Event& event) {
    if (kind == EventKind::arrive) add_packet(event.b);
    if (kind == EventKind::deliver) add_packet(event.a);
  });
  for (std::uint32_t queue = 0; queue < state_.queues.size(); ++queue)
    if (state_.queues[queue].length > 0) state_.for_each_packet(queue, add_packet);
  bool are_known = true;
  for (NodeId node = 0; node < state_.network.nodes(); ++node) {
    if (waits.nodes[node].waiting_packets == 0) continue;
    waits.nodes[node].queue_of.for_each_value([&](std::uint32_t id) {
      const AdmittanceQueue& queue = waits.queues[id];
      if (queue.packets == 0) return;
      std::uint32_t m = queue.first;
      for (std::uint32_t left = kMostLookedAt; m != kNone && left > 0; m = waits.messages[m].next, --left) {
        const Message& message = waits.messages[m];
        if (jobs_.generates(message.source)) continue;
        ways.emplace_back(node, message.destination);
        if (is_one_way) return;  // also what is not in memory
      }
      are_known &= m == kNone && queue.tail == kNone;
    });
  }
  std::ranges::sort(ways);
  ways.erase(std::unique(ways.begin(), ways.end()), ways.end());
  return are_known;
}

// `input`: that the packet comes from, or none.
void Components::count_hop(Member& member, PortId input, PortId output) const {
  const Network& network = state_.network;
  const std::uint32_t device = network.ports[output].owner;
  if (network.is_adapter(device)) return;
  if (!network.is_switch(device)) {  // the end on the link, without a credit
    ++member.events;
    return;
  }
  ++member.hops;
  // its arrival, the end of its transfer and a credit, and the end on a link that outlasts the input
  member.events += 3;
  if (state_.link_outlasts(input, output)) ++member.events;
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

std::unique_ptr<Skip> make_skip(State& state, Jobs& jobs, bool has_flows, const SimulationOptions& options,
                                Skip::Engine engine) {
  return std::make_unique<Components>(state, jobs, has_flows, options, std::move(engine));
}

}  // namespace headway
