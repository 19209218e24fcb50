// SPDX-License-Identifier: Apache-2.0
// The turns of classes at every output of a network (lane_turns.h). Sources: InfiniBand Architecture
// Specification 1.3, section 7.6.9 (tables and limit); IEEE 802.1Qaz (weights: strict classes first; unused
// shares go to the others). Weights are those of surplus round robin: the shares are exact for packets of any
// length, and no length must be known before the choice.
#pragma once

#include <cstdint>
#include <vector>

#include "headway/arbitration/lane_turns.h"
#include "headway/base/ids.h"

namespace headway {

class OutputTurns {
 public:
  OutputTurns(const LaneTurns& rules, std::uint32_t outputs);

  const LaneTurns& rules() const { return rules_; }
  std::uint32_t levels() const { return static_cast<std::uint32_t>(rules_.levels.size()); }
  // The level that an output serves in a pass of a round.
  std::uint32_t level(PortId output, std::uint32_t pass) const;
  // The entry of a level that is served next, among those of `classes`, which has a bit for each class with
  // an eligible request. kNone: none of them is of this level.
  std::uint32_t next(PortId output, std::uint32_t level, std::uint32_t classes) const;
  std::uint32_t class_of(std::uint32_t level, std::uint32_t entry) const {
    return rules_.levels[level][entry].of_class;
  }
  // An entry sends a packet.
  void charge(PortId output, std::uint32_t level, std::uint32_t entry, std::uint32_t bytes);

  // The input that a class serves first: a pointer for each class, because a common one would follow the
  // alternation of classes, and each class would always serve the same input.
  std::uint16_t& first_input(PortId output, std::uint32_t of_class) {
    return first_input_[output * rules_.classes + of_class];
  }

  static std::uint64_t bytes(const LaneTurns& rules, std::uint64_t outputs);  // Layout::state_bytes

 private:
  struct Turn {
    std::int64_t left = 0;  // units
    std::uint32_t entry = 0;
  };
  static std::uint32_t entries(const LaneTurns& rules);
  Turn& turn(PortId output, std::uint32_t level) { return turns_[output * levels() + level]; }
  std::int64_t& debt(PortId output, std::uint32_t level, std::uint32_t entry) {
    return debts_[output * entries_ + first_entry_[level] + entry];
  }

  const LaneTurns& rules_;
  std::uint32_t entries_;                   // of all levels
  std::vector<std::uint32_t> first_entry_;  // [level]
  std::vector<Turn> turns_;                 // [output][level]
  std::vector<std::int64_t> debts_;         // [output][entry] units to take from its next turn, or empty
  std::vector<std::int64_t> first_left_;    // [output] bytes that the first level may still send, or empty
  std::vector<std::uint16_t> first_input_;  // [output][class]
};

}  // namespace headway
