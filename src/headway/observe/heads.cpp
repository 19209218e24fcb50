// SPDX-License-Identifier: Apache-2.0
#include "headway/observe/heads.h"

#include <algorithm>

namespace headway {
namespace {

// Choice: turns that each rival of a head may have before the head counts as starved. A random arbiter passes
// over a head this often with a probability of exp(-64).
constexpr std::uint64_t kFairTurns = 64;

// Arbiters by age serve older packets first: those that the rivals' queues hold, and those that arrive
// meanwhile.
std::uint64_t fair_turns(const Network& network) {
  std::uint64_t turns = kFairTurns;
  if (traits_of(network.arbiter).age != Age::none)
    turns += 4ULL * network.capacity / (network.pause ? network.lane_credits(network.packet_bytes) : 1);
  for (const std::uint16_t weight : network.weights)
    turns = std::max(turns, kFairTurns * std::uint64_t{weight});
  return network.turns ? turns * network.turns->most_turns(network.packet_bytes) : turns;
}

std::uint64_t key_of(PortId output, std::uint32_t target) { return std::uint64_t{output} << 32 | target; }

}  // namespace

HeadWatch::HeadWatch(const Network& network)
    : network_(network),
      fair_turns_(fair_turns(network)),
      port_of_(network.ports_of_queues()),
      bytes_(network.layout.graph_ports),
      unbound_(network.ports.size()),
      at_input_(network.ports.size()) {}

void HeadWatch::look(const Photograph& photograph, const StateView& view, Tick now) {
  newest_before_.swap(newest_);
  newest_.clear();
  for (const QueueSeen& seen : photograph.queues) newest_.push_back({seen.queue, seen.newest});
  count_requests(photograph);

  std::vector<HeadWait>& waits = next_waits_;
  waits.clear();
  auto before = waits_.begin();
  const auto leave = [&](HeadWait& wait) {
    if (is_starved(wait)) starved_.push_back(std::move(wait));
  };
  for (const QueueSeen& seen : photograph.queues) {
    for (; before != waits_.end() && before->queue < seen.queue; ++before) leave(*before);
    const bool stays =
        before != waits_.end() && before->queue == seen.queue && before->same_packet(seen.head);
    if (stays)
      waits.push_back(std::move(*before++));
    else
      waits.push_back({.queue = seen.queue,
                       .head = {},
                       .generator = view.generator(seen.head.id),
                       .root = {},
                       .since = now,
                       .holders = {}});
    HeadWait& wait = waits.back();
    if (stays) go_on(wait, seen, photograph, view);
    wait.head = seen.head;
    wait.waiting = seen.waiting;
    wait.root = seen.root == kNone ? seen.ends_in : photograph.roots[seen.root].root;
    wait.until = now;
    wait.rivals = std::max(wait.rivals, rivals_of(seen));
  }
  for (; before != waits_.end(); ++before) leave(*before);
  waits_.swap(next_waits_);
  for (PortId port = 0; port < bytes_.size(); ++port)
    bytes_[port] = view.bytes_sent(network_.link_port(port));
}

void HeadWatch::go_on(HeadWait& wait, const QueueSeen& seen, const Photograph& photograph,
                      const StateView& view) const {
  ++wait.photographs;
  wait.passed += passed(seen, view);
  const PortId holder = seen.head.output == kNone ? kNone : photograph.holders[seen.head.output];
  if (!Photograph::is_input(holder)) return;
  const auto known = std::ranges::find(wait.holders, holder, &std::pair<PortId, std::uint32_t>::first);
  if (known == wait.holders.end())
    wait.holders.emplace_back(holder, 1);
  else
    ++known->second;
}

// Packets that took what the head lacks, between the last photograph and this one.
std::uint64_t HeadWatch::passed(const QueueSeen& seen, const StateView& view) const {
  const WaitingPacket& head = seen.head;
  if (seen.refusing != 0) return 0;  // the queue that refuses it accepts no other packets
  if (head.output != kNone) {
    if (waits_for_turn(seen)) return sent(head.output, view);
    if (head.target >= view.sink() || shares_room(head.target)) return sent(head.output, view);
    return has_grown(head.target) ? 1 : 0;
  }
  std::uint64_t fewest = UINT64_MAX;
  for_each_choice(network_, head, [&](PortId output) { fewest = std::min(fewest, sent(output, view)); });
  return fewest;
}

// Returns true if the classes of other heads take the output that this head lacks, whatever room they need.
bool HeadWatch::waits_for_turn(const QueueSeen& seen) const {
  return network_.turns && (seen.waiting == Waiting::output || seen.waiting == Waiting::serial);
}

std::uint64_t HeadWatch::sent(PortId output, const StateView& view) const {
  const PortId port = network_.graph_port(output);
  return (view.bytes_sent(network_.link_port(port)) - bytes_[port]) / network_.packet_bytes;
}

// Returns true if every packet that arrives at the port of this queue takes room from the queue's group.
bool HeadWatch::shares_room(std::uint32_t target) const {
  if (network_.is_pooled()) return true;
  const Port& port = network_.ports[port_of_[target]];
  const auto lane = network_.shared_lane(port_of_[target], target);
  return port.queues <= (lane ? lane->queues : network_.queue_map.channels);
}

// The first of the queues that share room with this one, if those of a lane do.
std::uint32_t HeadWatch::first_of_room(std::uint32_t target) const {
  if (target >= network_.queues) return target;
  const auto lane = network_.shared_lane(port_of_[target], target);
  return lane ? lane->first : target;
}

// Returns true if a packet has joined this queue, or another one that shares its room, since the last
// photograph.
bool HeadWatch::has_grown(std::uint32_t target) const {
  const std::uint32_t first = first_of_room(target);
  const auto lane = network_.shared_lane(port_of_[target], target);
  const std::uint32_t end =
      first +
      (lane ? lane->queues : std::min(network_.queue_map.channels, network_.ports[port_of_[target]].queues));
  for (auto now = std::ranges::lower_bound(newest_, first, {}, &Newest::queue);
       now != newest_.end() && now->queue < end; ++now) {
    const auto before = std::ranges::lower_bound(newest_before_, now->queue, {}, &Newest::queue);
    if (before == newest_before_.end() || before->queue != now->queue || before->packet != now->packet)
      return true;
  }
  return false;
}

// What a head lacks behind its output: room, or the turn of its class.
std::uint32_t HeadWatch::wanted_by(const QueueSeen& seen) const {
  return waits_for_turn(seen) ? kNone : first_of_room(seen.head.target);
}

void HeadWatch::count_requests(const Photograph& photograph) {
  requests_.clear();
  std::ranges::fill(unbound_, 0);
  std::ranges::fill(at_input_, 0);
  for (const QueueSeen& seen : photograph.queues) {
    ++at_input_[port_of_[seen.queue]];
    if (seen.head.output != kNone)
      ++requests_.at(key_of(seen.head.output, wanted_by(seen)), 0);
    else
      for_each_choice(network_, seen.head, [&](PortId output) { ++unbound_[output]; });
  }
}

std::uint32_t HeadWatch::rivals_of(const QueueSeen& seen) const {
  const WaitingPacket& head = seen.head;
  std::uint32_t rivals = 0;
  if (head.output != kNone)
    rivals = requests_.value(key_of(head.output, wanted_by(seen))) + unbound_[head.output];
  else
    for_each_choice(network_, head, [&](PortId output) { rivals = std::max(rivals, unbound_[output]); });
  return rivals + at_input_[port_of_[seen.queue]] - 1;
}

bool HeadWatch::is_starved(const HeadWait& wait) const { return wait.passed > fair_turns_ * wait.rivals; }

bool HeadWatch::is_outranked(const HeadWait& wait) const {
  if (!network_.turns) return false;
  return network_.turns->level_of(network_.turns->class_of[wait.head.course.lane]) > 0;
}

std::vector<HeadWait> HeadWatch::starved() const {
  std::vector<HeadWait> all = starved_;
  std::ranges::copy_if(waits_, std::back_inserter(all),
                       [&](const HeadWait& wait) { return is_starved(wait); });
  return all;
}

const HeadWait* HeadWatch::longest() const {
  const auto longest = std::ranges::min_element(waits_, {}, &HeadWait::since);
  return longest == waits_.end() ? nullptr : &*longest;
}

}  // namespace headway
