// SPDX-License-Identifier: Apache-2.0
// The "Pauses" part of docs/modelling.md, in its plainest form: every question is answered by counting again.
#include <algorithm>

#include "tests/reference/reference.h"

namespace headway::reference {

// The lane that a queue of an input port belongs to; of the port of a node: its receive memory's lane.
Reference::LaneAt Reference::lane_at(PortId input, std::uint32_t queue) const {
  return {input, is_node(input) || is_pooled() ? (is_node(input) ? queue : 0) : queue / queue_map_.queues};
}

// Room of the packets that a lane holds: also of those that are about to join it in this tick, and of those
// whose transfer from it goes on.
std::uint64_t Reference::held_in(const LaneAt& lane) const {
  std::uint64_t room = 0;
  if (const auto joining = joining_.find(lane); joining != joining_.end()) room += joining->second;
  for (const auto& [tick, leaving] : leaving_)
    if (leaving.input == lane.input && lane_at(leaving.input, leaving.queue).lane == lane.lane)
      room += leaving.credits;
  if (is_node(lane.input)) {
    for (const Packet& packet : nodes_[graph_.node_of(lane.input)].received)
      if (packet.taken == lane.lane) room += lane_room_of(packet);
    return room;
  }
  for (std::uint32_t queue = 0; queue < ports_[lane.input].queues.size(); ++queue)
    if (lane_at(lane.input, queue).lane == lane.lane)
      for (const Packet& packet : ports_[lane.input].queues[queue].packets) room += lane_room_of(packet);
  return room;
}

std::uint64_t Reference::memory_of(const LaneAt& lane) const {
  return is_node(lane.input) ? rules_.receive_capacity : rules_.capacity;
}

// Room in the memory that the lanes of a switch share.
std::uint64_t Reference::shared_room(SwitchId sw) const {
  std::uint64_t room = 0;
  for (const PortId input : ports_of(sw)) {
    if (wired(input).source == kNone) continue;
    for (std::uint32_t lane = 0; lane < lane_count(); ++lane) {
      const auto beyond = in_headroom_.find({input, lane});
      room += rules_.capacity - rules_.pause->headroom;
      room -= held_in({input, lane}) - (beyond == in_headroom_.end() ? 0 : beyond->second);
    }
  }
  return room;
}

// Phase 1: packets join the lanes that they arrive at, or are lost.
void Reference::join_lanes() {
  note_shared_room();
  const auto [first, last] = flights_.equal_range(now_);
  for (auto flight = first; flight != last;) {
    const auto& [input, queue, packet] = flight->second;
    const bool to_node = is_node(input);
    const LaneAt lane = to_node ? LaneAt{input, packet.taken} : lane_at(input, queue);
    if (to_node && !is_slow(packet.destination)) {
      ++flight;
    } else if (joins_lane(lane, packet)) {
      joining_[lane] += lane_room_of(packet);
      ++flight;
    } else {
      ++lost_;
      flight = flights_.erase(flight);
    }
  }
}

bool Reference::links_differ() const {
  if (std::ranges::any_of(setup_.troubles,
                          [](const LinkTrouble& trouble) { return trouble.ticks_per_byte.has_value(); }))
    return true;
  std::set<std::uint32_t> rates;
  for (PortId port = 0; port < graph_.ports(); ++port)
    if (wired(port).peer != kNone) rates.insert(wired(link_of(port)).ticks_per_byte);
  return rates.size() > 1;
}

// What happens in a tick is decided by the room that was free before it.
void Reference::note_shared_room() {
  if (rules_.pause->alpha == 0) return;
  shared_before_.resize(graph_.switches());
  for (SwitchId sw = 0; sw < graph_.switches(); ++sw) shared_before_[sw] = shared_room(sw);
}

// A packet is about to join a lane, which has not counted it. Returns false if it is lost.
bool Reference::joins_lane(const LaneAt& lane, const Packet& packet) {
  const std::uint64_t held = held_in(lane), room = lane_room_of(packet);
  if (rules_.pause->alpha > 0 && !is_node(lane.input)) {
    const SwitchId sw = wired(lane.input).device;
    std::uint64_t reserve = 0;  // one packet, or two if links differ in rate, for every lane
    for (const PortId input : ports_of(sw))
      if (wired(input).source != kNone) reserve += lane_count() * rules_.lane_credits_of(rules_.packet_bytes);
    if (links_differ()) reserve *= 2;
    const std::uint64_t shared = shared_before_[sw];
    const bool within =
        shared >= reserve && (held + room) * PauseRules::kAlphaUnit <= rules_.pause->alpha * shared;
    if (within && !pausing_.contains(lane)) return true;
    if (in_headroom_[lane] + room > rules_.pause->headroom) return false;
    in_headroom_[lane] += room;
    if (pausing_.insert(lane).second) tell_sender(lane, true);
    return true;
  }
  if (held + room > memory_of(lane)) return false;
  const std::uint64_t xoff =
      is_node(lane.input) ? rules_.receive_capacity - rules_.pause->headroom : rules_.pause->xoff;
  if (held + room >= xoff && pausing_.insert(lane).second) tell_sender(lane, true);
  return true;
}

// A packet has left a lane, which no longer counts it.
void Reference::has_left_lane(const LaneAt& lane, std::uint64_t room) {
  const std::uint64_t held = held_in(lane), gap = rules_.pause->gap;
  if (rules_.pause->alpha > 0 && !is_node(lane.input)) {
    std::uint64_t& beyond = in_headroom_[lane];
    beyond -= std::min(beyond, room);
    const std::uint64_t most = rules_.pause->alpha * shared_before_[wired(lane.input).device];
    if (beyond > 0 || (held > 0 && (held + gap) * PauseRules::kAlphaUnit > most)) return;
  } else {
    const std::uint64_t xoff =
        is_node(lane.input) ? rules_.receive_capacity - rules_.pause->headroom : rules_.pause->xoff;
    if (held > (gap > xoff ? 0 : xoff - gap)) return;
  }
  if (pausing_.erase(lane) > 0) tell_sender(lane, false);
}

void Reference::tell_sender(const LaneAt& lane, bool pauses) {
  if (rules_.credit_bytes > 0) {
    ports_[lane.input].pending_pauses.insert(lane.lane);
    return;
  }
  told_.insert({now_ + rules_.pause->delay.value_or(wired(wired(lane.input).source).delay), {lane, pauses}});
}

// Phase 2.
void Reference::obey_pauses() {
  for (; !told_.empty() && told_.begin()->first == now_; told_.erase(told_.begin())) {
    const auto& [lane, pauses] = told_.begin()->second;
    if (pauses && holding_.insert(lane).second) ++pauses_obeyed_;
    if (!pauses) holding_.erase(lane);
  }
  for (; !leaving_.empty() && leaving_.begin()->first == now_;) {
    const Room left = leaving_.begin()->second;
    leaving_.erase(leaving_.begin());  // so that its lane no longer counts it
    has_left_lane(lane_at(left.input, left.queue), left.credits);
  }
}

}  // namespace headway::reference
