// SPDX-License-Identifier: Apache-2.0
// Link-level flow control by pauses (docs/modelling.md, "Pauses"): a lane of an input port that holds too
// much pauses its sender. Sources: IEEE 802.1Qbb (priority flow control); thresholds of shared memory:
// Choudhury and Hahne, "Dynamic queue length thresholds for shared-memory packet switches", IEEE/ACM ToN
// 1998, as in the simulator of Li et al. (HPCC), SIGCOMM 2019.
//
// The memory of lanes is counted in units of their own (PauseRules::unit_bytes), here called credits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "headway/base/ids.h"

namespace headway {

struct PauseRules {
  static constexpr std::uint32_t kAlphaUnit = 10'000;
  static constexpr std::uint32_t kMostOfLane = 1 << 30;  // that a lane can hold

  // Unit of memory: a cell or, without cells, the largest size of which all packets are multiples. A packet
  // takes no more than its own length of it, so that the headroom does not depend on the shortest packet.
  std::uint32_t unit_bytes = 1;

  // A lane that holds this much of a switch's input port pauses its sender. Not used with `alpha`.
  std::uint32_t xoff = 1;
  std::uint32_t gap = 1;       // the sender resumes when the lane holds this much less than at XOFF
  std::uint32_t headroom = 0;  // memory of a lane behind XOFF, for what arrives until a pause has effect
  // Shared memory: the threshold of a lane is this times the free memory of the switch, in parts of
  // kAlphaUnit; 0: `xoff`.
  std::uint32_t alpha = 0;
  std::optional<Tick> delay;      // of a pause without a packet; none: the delay of the link
  std::uint32_t least_bytes = 1;  // no packet is shorter
  bool loses = false;             // packets without room are lost, instead of a broken invariant
};

class Pauses {
 public:
  // A lane of an input port of a switch, or of the receive memory of a node.
  struct Lane {
    std::uint32_t stored = 0;   // credits of the packets that it holds
    std::uint32_t beyond = 0;   // of them in its headroom; only with shared memory
    bool paused = false;        // it has sent a pause, and no resume since
    bool holds_sender = false;  // its sender obeys a pause
    Tick since = 0;             // when the sender began to obey
    std::uint64_t pauses = 0;   // that the sender has obeyed
    std::uint64_t ticks = 0;    // that these lasted, without the present one
  };
  enum class Joined : std::uint8_t { stored, pauses, lost };

  // `memory`: [place] credits of each lane; 0: there is no such lane. `switch_of`: [place] the switch of the
  // lane; kNone: it is of a node. `arriving`: the most credits that can join a lane in a tick.
  Pauses(const PauseRules& rules, std::vector<std::uint32_t> memory, std::vector<SwitchId> switch_of,
         std::uint32_t switches, std::uint32_t arriving);

  const PauseRules& rules() const { return rules_; }
  const std::vector<Lane>& lanes() const { return lanes_; }  // [place]
  const Lane& lane(std::size_t place) const { return lanes_[place]; }
  Lane& lane(std::size_t place) { return lanes_[place]; }
  std::uint32_t memory(std::size_t place) const { return memory_[place]; }

  // A packet of this many credits has arrived. Returns what it causes: `pauses`: the lane pauses its sender.
  Joined join(std::size_t place, std::uint32_t credits, Tick now);
  // A packet has left. Returns true if the sender of the lane resumes.
  bool leave(std::size_t place, std::uint32_t credits, Tick now);
  // The sender of the lane obeys a pause from now on, or no longer. Returns true if it did not before.
  bool hold_sender(std::size_t place, bool holds, Tick now);

  // What the port of a lane knows of it, and what its sender knows, for observers in another process.
  template <class Io>
  void serialize_at_port(std::size_t place, Io& io) {
    Lane& lane = lanes_[place];
    io.value(lane.stored);
    io.value(lane.beyond);
    io.value(lane.paused);
  }
  template <class Io>
  void serialize_at_sender(std::size_t place, Io& io) {
    Lane& lane = lanes_[place];
    io.value(lane.holds_sender);
    io.value(lane.since);
    io.value(lane.pauses);
    io.value(lane.ticks);
  }

  // Time for which the sender of a lane has been paused, until now.
  std::uint64_t paused_ticks(std::size_t place, Tick now) const {
    const Lane& lane = lanes_[place];
    return lane.ticks + (lane.holds_sender ? static_cast<std::uint64_t>(now - lane.since) : 0);
  }
  // Memory of this object.
  static std::uint64_t bytes(std::uint64_t places, std::uint64_t switches);

 private:
  // The memory that the lanes of a switch share. What happens in a tick is decided by the free memory before
  // it, so that the order of events within the tick does not matter.
  struct Shared {
    std::uint64_t free = 0;
    std::uint64_t before = 0;   // free before the tick of the last event
    Tick tick = -1;             // of the last event
    std::uint64_t reserve = 0;  // the most that can arrive in a tick; nothing joins if less was free before
  };
  bool is_shared(std::size_t place) const { return rules_.alpha > 0 && switch_of_[place] != kNone; }
  Shared& shared_at(std::size_t place, Tick now);
  // Returns true if a lane may hold this much of the memory that its switch shares.
  bool is_within_share(const Shared& shared, std::uint64_t credits) const {
    return credits * PauseRules::kAlphaUnit <= rules_.alpha * shared.before;
  }
  std::uint32_t xoff(std::size_t place) const;

  const PauseRules& rules_;
  std::vector<Lane> lanes_;
  std::vector<std::uint32_t> memory_;  // [place]
  std::vector<SwitchId> switch_of_;    // [place]
  std::vector<Shared> shared_;         // [switch]; empty unless lanes share memory
};

}  // namespace headway
