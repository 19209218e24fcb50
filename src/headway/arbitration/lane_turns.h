// SPDX-License-Identifier: Apache-2.0
// How classes of lanes take turns at an output: strict priority, weights, or the two tables of InfiniBand
// (docs/modelling.md, "Turns of classes"). A class is a set of lanes. Levels are served in strict order; the
// entries of a level take turns.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace headway {

struct LaneTurns {
  static constexpr std::uint32_t kMostClasses = 16;
  static constexpr std::int64_t kNoEnd = INT64_MAX / 2;  // units of a turn without an end

  struct Entry {
    std::uint32_t of_class = 0;
    std::int64_t units = 0;  // that a turn has; above 0
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  using Level = std::vector<Entry>;

  std::uint32_t classes = 0;
  std::vector<std::uint8_t> class_of;  // [lane of a port]
  std::vector<Level> levels;
  std::int64_t units_per_byte = 1;
  bool carries = false;  // what a class sends beyond the end of its turn is taken from its next turn
  // With two levels: bytes that the first may send before the second has a turn. None: no limit.
  std::optional<std::int64_t> limit;

  // Returns true if every class has a turn, no lane another class, and a limit two levels.
  bool is_complete() const;
  // The first level at which a class has turns.
  std::size_t level_of(std::uint32_t of_class) const;
  // The largest number of turns of `bytes` each that the classes of one level have for one turn of another.
  std::uint64_t most_turns(std::uint32_t bytes) const;

  friend bool operator==(const LaneTurns&, const LaneTurns&) = default;
};

}  // namespace headway
