// SPDX-License-Identifier: Apache-2.0
// Which packets switches mark, and the bytes that wait in switches for each output and lane, by which they
// decide (docs/modelling.md, "Congestion control").
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "headway/congestion/control_rules.h"

namespace headway {

class Marks {
 public:
  // `places`: pairs of an output and a lane.
  Marks(const MarkingRules& rules, std::size_t places)
      : rules_(rules), waiting_(places), passed_(places), fresh_(rules.on_arrival ? places : 0) {}

  const MarkingRules& rules() const { return rules_; }
  void join(std::size_t place, std::uint32_t bytes, Tick now) {
    waiting_[place] += bytes;
    if (!rules_.on_arrival) return;
    Fresh& fresh = fresh_[place];
    fresh = {now, (fresh.tick == now ? fresh.bytes : 0) + bytes};
  }
  void leave(std::size_t place, std::uint32_t bytes) { waiting_[place] -= bytes; }
  std::uint64_t waiting(std::size_t place) const { return waiting_[place]; }
  // For observers in another process.
  template <class Io>
  void serialize_waiting(std::size_t place, Io& io) {
    io.value(waiting_[place]);
  }
  // Those of earlier ticks, so that the order of arrivals within a tick does not matter. In phase 1.
  std::uint64_t waiting_before(std::size_t place, Tick now) const {
    return waiting_[place] - (fresh_[place].tick == now ? fresh_[place].bytes : 0);
  }

  // Returns true if the packet is marked. `waiting`: bytes that wait at the place besides the packet; draw():
  // a number below 2^32 that depends on the packet and the switch only.
  template <class Draw>
  bool is_marked(std::size_t place, std::uint64_t waiting, std::uint32_t bytes, bool is_root, Draw&& draw) {
    if (bytes < rules_.least_bytes || (rules_.roots_only && !is_root)) return false;
    if (rules_.by == MarkBy::threshold) {
      if (waiting + bytes <= rules_.high) return false;
    } else if (waiting <= rules_.high) {
      if (waiting <= rules_.low) return false;
      const std::uint64_t share = (waiting - rules_.low) * rules_.probability / (rules_.high - rules_.low);
      if (draw() >= share) return false;
    }
    return counts(place);
  }
  // Returns true for every n-th packet that may be marked.
  bool counts(std::size_t place) {
    if (++passed_[place] < rules_.every) return false;
    passed_[place] = 0;
    return true;
  }

  static std::uint64_t bytes(std::uint64_t places) {
    return places * (sizeof(std::uint64_t) + sizeof(std::uint32_t));
  }

 private:
  const MarkingRules& rules_;
  std::vector<std::uint64_t> waiting_;  // [place] bytes
  std::vector<std::uint32_t> passed_;   // [place] packets since the last mark
  struct Fresh {
    Tick tick = -1;
    std::uint64_t bytes = 0;  // that have joined in this tick
  };
  std::vector<Fresh> fresh_;  // [place], or empty
};

}  // namespace headway
