// SPDX-License-Identifier: Apache-2.0
#include "headway/congestion/pauses.h"

#include <algorithm>
#include <utility>

namespace headway {

Pauses::Pauses(const PauseRules& rules, std::vector<std::uint32_t> memory, std::vector<SwitchId> switch_of,
               std::uint32_t switches, std::uint32_t arriving)
    : rules_(rules),
      lanes_(memory.size()),
      memory_(std::move(memory)),
      switch_of_(std::move(switch_of)),
      shared_(rules.alpha > 0 ? switches : 0) {
  for (std::size_t place = 0; place < memory_.size(); ++place)
    if (memory_[place] > 0 && is_shared(place)) {
      shared_[switch_of_[place]].free += memory_[place] - rules.headroom;
      shared_[switch_of_[place]].reserve += arriving;
    }
}

Pauses::Shared& Pauses::shared_at(std::size_t place, Tick now) {
  Shared& shared = shared_[switch_of_[place]];
  if (shared.tick != now) shared.before = shared.free;
  shared.tick = now;
  return shared;
}

// The receive memory of a node has the headroom of a switch.
std::uint32_t Pauses::xoff(std::size_t place) const {
  return switch_of_[place] == kNone ? memory_[place] - rules_.headroom : rules_.xoff;
}

Pauses::Joined Pauses::join(std::size_t place, std::uint32_t credits, Tick now) {
  Lane& lane = lanes_[place];
  if (!is_shared(place)) {
    if (lane.stored + credits > memory_[place]) return Joined::lost;
    lane.stored += credits;
    if (lane.paused || lane.stored < xoff(place)) return Joined::stored;
    lane.paused = true;
    return Joined::pauses;
  }
  Shared& shared = shared_at(place, now);
  if (!lane.paused && shared.before >= shared.reserve &&
      lane.stored + credits + rules_.headroom <= PauseRules::kMostOfLane &&
      is_within_share(shared, std::uint64_t{lane.stored} + credits)) {
    lane.stored += credits;
    shared.free -= credits;
    return Joined::stored;
  }
  if (lane.beyond + credits > rules_.headroom) return Joined::lost;
  lane.stored += credits;
  lane.beyond += credits;
  return std::exchange(lane.paused, true) ? Joined::stored : Joined::pauses;
}

bool Pauses::leave(std::size_t place, std::uint32_t credits, Tick now) {
  Lane& lane = lanes_[place];
  lane.stored -= credits;
  bool resumes = lane.paused;
  if (is_shared(place)) {
    const std::uint32_t of_headroom = std::min(credits, lane.beyond);
    lane.beyond -= of_headroom;
    Shared& shared = shared_at(place, now);
    shared.free += credits - of_headroom;
    resumes &= lane.beyond == 0 &&
               (lane.stored == 0 || is_within_share(shared, std::uint64_t{lane.stored} + rules_.gap));
  } else {
    resumes &= lane.stored + std::min(rules_.gap, xoff(place)) <= xoff(place);
  }
  if (resumes) lane.paused = false;
  return resumes;
}

bool Pauses::hold_sender(std::size_t place, bool holds, Tick now) {
  Lane& lane = lanes_[place];
  if (lane.holds_sender == holds) return false;
  lane.holds_sender = holds;
  if (holds) {
    ++lane.pauses;
    lane.since = now;
  } else {
    lane.ticks += static_cast<std::uint64_t>(now - lane.since);
  }
  return true;
}

std::uint64_t Pauses::bytes(std::uint64_t places, std::uint64_t switches) {
  return places * (sizeof(Lane) + sizeof(std::uint32_t) + sizeof(SwitchId)) + switches * sizeof(Shared);
}

}  // namespace headway
