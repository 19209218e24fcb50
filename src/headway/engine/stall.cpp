// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/stall.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "headway/engine/inspect.h"
#include "headway/engine/next_hop.h"

namespace headway {
namespace {

// Finds the queues that can move at some time: those that can move now, and those that wait for them. The
// other queues are stuck forever. A queue that cannot move is asked again when one that it waits for can.
class StallSearch {
 public:
  explicit StallSearch(std::span<const State* const> parts)
      : parts_(parts),
        state_(*parts.front()),
        network_(state_.network),
        port_of_(network_.ports_of_queues()),
        moves_(network_.queues, 0),
        first_waiter_(network_.queues, kNone),
        stays_down_(links_that_stay_down(parts)) {
    std::vector<std::uint32_t> found;
    const auto ask = [&](std::uint32_t q) {
      asking_ = q;
      if (moves_[q] != 0 || !can_move(q)) return;
      moves_[q] = 1;
      found.push_back(q);
    };
    for (std::uint32_t q = 0; q < network_.queues; ++q)
      for (ask(q); !found.empty();) {
        std::uint32_t waiter = first_waiter_[found.back()];
        found.pop_back();
        for (; waiter != kNone; waiter = waiters_[waiter].next) ask(waiters_[waiter].queue);
      }
    asking_ = kNone;
  }

  Stall result() {
    Stall stall;
    std::uint32_t stuck = kNone;
    for (std::uint32_t q = 0; q < network_.queues; ++q) {
      if (moves_[q] != 0) continue;
      stall.packets += state_.queues[q].length;
      stuck = q;
    }
    stall.deadlocked = stuck != kNone;
    if (!stall.deadlocked) return stall;
    stall.cycle = cycle_behind(stuck);
    for (const std::uint32_t q : stall.cycle) stall.text += name_of(q) + " -> ";
    const bool is_for_link = waits_for_link(stall.cycle.front());
    stall.text += is_for_link ? std::string(kLinkStaysDown) : name_of(stall.cycle.front());
    return stall;
  }

 private:
  struct Waiter {
    std::uint32_t queue;
    std::uint32_t next;  // waiter for the same queue; kNone: none
  };

  // Returns true if the queue is known to move. If not, the queue that asks waits for it.
  bool moves(std::uint32_t q) {
    if (moves_[q] != 0) return true;
    if (asking_ == kNone) return false;
    waiters_.push_back({asking_, first_waiter_[q]});
    first_waiter_[q] = static_cast<std::uint32_t>(waiters_.size() - 1);
    return false;
  }

  bool can_move(std::uint32_t q) {
    const Queue& queue = state_.queues[q];
    if (queue.length == 0) return true;
    if (waits_for_link(q)) return false;
    if (state_.isolation && !is_let_go_sometime(queue)) return false;
    return blocked_by(q) == state_.sink();
  }

  // [port] a link that is down, holds its output, and does not come up any more.
  static std::vector<bool> links_that_stay_down(std::span<const State* const> parts) {
    const State& state = *parts.front();
    std::vector<bool> down(state.links_now.size());
    for (PortId port = 0; port < down.size(); ++port) down[port] = state.links_now[port].held;
    const std::vector<TimedChange>& changes = state.network.changes;
    for (std::size_t i = state.next_change; i < changes.size(); ++i)
      if (changes[i].ticks_per_byte > 0) down[state.network.link_port(changes[i].link)] = false;
    return down;
  }
  bool stays_down(PortId link) const { return !stays_down_.empty() && stays_down_[link]; }

  // Returns true if the head can leave only by links that stay down.
  bool waits_for_link(std::uint32_t q) const {
    if (stays_down_.empty()) return false;
    const Queue& queue = state_.queues[q];
    if (queue.output != kNone) return stays_down(queue.output);
    bool waits = true;
    for_each_candidate(
        state_, network_.ports[port_of_[q]].owner, state_.packets[queue.head],
        [&](const Candidate& candidate) { waits &= stays_down(network_.link_port(candidate.output)); });
    return waits;
  }

  // A copy that refuses the head of the queue will stop refusing it if its line can move. If its line is free
  // or has sent a Go, the signal is already on its way.
  bool is_let_go_sometime(const Queue& queue) {
    const NodeId destination = state_.packets[queue.head].destination;
    const PortId peer = state_.ports[queue.output].peer;
    for (std::uint32_t left = state_.isolation->refusing(queue.output, destination); left != 0;
         left &= left - 1) {
      const auto line = static_cast<std::uint32_t>(std::countr_zero(left));
      const std::uint32_t cfq = network_.ports[peer].first_queue + 1 + line;
      if (state_.isolation->is_active(peer, line) && state_.isolation->line(peer, line).sent_stop &&
          !moves(cfq))
        return false;
    }
    return true;
  }

  // The group of queues that the head waits for, over all outputs that it may take. It is the sink if the
  // head can move by one of them.
  std::uint32_t blocked_by(std::uint32_t q) {
    const Queue& queue = state_.queues[q];
    const std::uint32_t owner = network_.ports[port_of_[q]].owner;
    const Device& device = state_.devices[owner];
    if (queue.output != kNone)
      return group_opens(queue.target, device.channels, state_.needed_by_head(queue)) ? state_.sink()
                                                                                      : queue.target;
    const Packet& head = state_.packets[queue.head];
    std::uint32_t target = state_.sink();
    bool moves = false;
    for_each_candidate(state_, owner, head, [&](const Candidate& candidate) {
      if (moves || stays_down(network_.link_port(candidate.output))) return;
      target = blocked_behind(device, candidate.output, candidate.target, state_.credits_of(head));
      moves = target == state_.sink();
    });
    return target;
  }

  // What blocks a packet behind one output: behind the crossbar, or behind the link of an output unit that
  // has room.
  std::uint32_t blocked_behind(const Device& device, PortId output, std::uint32_t target,
                               std::uint32_t needed) {
    if (network_.has_output_units()) {
      const std::uint32_t output_queue = state_.output_queue(output, target, 0);  // no node is behind it
      if (!group_opens(output_queue, device.channels, needed)) return output_queue;
    }
    return group_opens(target, network_.queue_map.channels, needed) ? state_.sink() : target;
  }

  bool group_opens(std::uint32_t first, std::uint32_t channels, std::uint32_t needed) {
    if (first >= state_.sink()) return true;  // nodes consume all packets in the end
    if (const auto lane = network_.shared_lane(port_of_[first], first)) return lane_opens(*lane, needed);
    for (std::uint32_t c = 0; c < channels; ++c)
      if (opens(first + c, needed)) return true;
    return false;
  }

  // A queue will have room if it can move, has room now, or is not full: then credits are on their way. With
  // cells, a head that moves can leave too little room; its queue is stuck when the next head is.
  bool opens(std::uint32_t target, std::uint32_t needed) {
    if (network_.is_pooled()) return shared_opens(target, network_.ports[port_of_[target]].queues, needed);
    return room(target) >= needed || held_in(target) + needed <= network_.ports[port_of_[target]].credits ||
           moves(target);
  }

  std::uint32_t room(std::uint32_t target) const {
    const PortId sender = network_.ports[port_of_[target]].source;
    const State& part = sender == kNone ? state_ : part_of_device(parts_, network_.ports[sender].owner);
    return part.flow.room(target);
  }

  // A lane may let its sender go on if it has sent no pause or has credits, or if a packet leaves it or can
  // leave it.
  bool lane_opens(const Network::QueueRange& lane, std::uint32_t needed) {
    const PortId input = port_of_[lane.first];
    if (network_.shares_lanes) return shared_opens(lane.first, lane.queues, needed);
    const std::uint32_t number = network_.lane_of_queue(input, lane.first);
    const Pauses::Lane& seen = state_.pauses->lane(network_.lane_place(input, number));
    if (!seen.paused) return true;
    std::uint32_t held = 0;
    for (std::uint32_t q = lane.first; q < lane.first + lane.queues; ++q) {
      state_.for_each_packet(q, [&](PacketId id) { held += state_.lane_credits_of(state_.packets[id]); });
      if (state_.queues[q].length > 0 && moves(q)) return true;
    }
    return held < seen.stored;
  }

  // The credits that the packets of a queue take.
  std::uint32_t held_in(std::uint32_t q) const {
    if (!network_.has_cells()) return state_.queues[q].length;
    std::uint32_t cells = 0;
    state_.for_each_packet(q, [&](PacketId id) { cells += state_.credits_of(state_.packets[id]); });
    return cells;
  }

  // Queues of an input that share their memory.
  bool shared_opens(std::uint32_t first_queue, std::uint32_t queues, std::uint32_t needed) {
    const Port& port = network_.ports[port_of_[first_queue]];
    std::uint32_t held = 0;
    for (std::uint32_t q = first_queue; q < first_queue + queues; ++q) {
      held += held_in(q);
      if (state_.queues[q].length > 0 && moves(q)) return true;
    }
    return held + needed <= port.credits;
  }

  // Every stuck queue waits for a stuck queue, so following them leads into a cycle, or for a link.
  std::vector<std::uint32_t> cycle_behind(std::uint32_t start) {
    std::vector<std::uint8_t> seen(network_.queues, 0);
    for (; seen[start] == 0; start = waits_for(start)) {
      if (waits_for_link(start)) return {start};
      seen[start] = 1;
    }
    std::vector<std::uint32_t> cycle = {start};
    for (std::uint32_t q = waits_for(start); q != start; q = waits_for(q)) cycle.push_back(q);
    return cycle;
  }

  std::uint32_t waits_for(std::uint32_t waiting) {
    std::uint32_t target = network_.is_pooled() ? state_.queues[waiting].target : blocked_by(waiting);
    const auto lane = network_.shared_lane(port_of_[target], target);
    if (!network_.is_pooled() && !lane) return target;
    if (lane) target = lane->first;
    while (state_.queues[target].length == 0 || moves_[target] != 0) ++target;
    return target;
  }

  std::string name_of(std::uint32_t q) const {
    const PortId port = port_of_[q];
    const Packet& head = state_.packets[state_.queues[q].head];
    return fmt::format("{} queue {} (node {} -> node {})", place_of(network_, port),
                       q - network_.ports[port].first_queue, network_.graph.node_name(head.source),
                       network_.graph.node_name(head.destination));
  }

  std::span<const State* const> parts_;
  const State& state_;  // of the first part, for what all parts share
  const Network& network_;
  std::vector<PortId> port_of_;      // [queue]
  std::vector<std::uint8_t> moves_;  // [queue] it can move at some time
  std::uint32_t asking_ = kNone;     // the queue that looks for a way to move
  std::vector<Waiter> waiters_;
  std::vector<std::uint32_t> first_waiter_;  // [queue] into waiters_; kNone: none
  std::vector<bool> stays_down_;             // [port], or empty
};

}  // namespace

Stall find_stall(std::span<const State* const> parts) { return StallSearch(parts).result(); }

}  // namespace headway
