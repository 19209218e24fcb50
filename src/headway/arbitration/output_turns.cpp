// SPDX-License-Identifier: Apache-2.0
#include "headway/arbitration/output_turns.h"

#include <utility>

namespace headway {

std::uint32_t OutputTurns::entries(const LaneTurns& rules) {
  std::uint32_t count = 0;
  for (const LaneTurns::Level& level : rules.levels) count += static_cast<std::uint32_t>(level.size());
  return count;
}

std::uint64_t OutputTurns::bytes(const LaneTurns& rules, std::uint64_t outputs) {
  return outputs * (rules.levels.size() * sizeof(Turn) + rules.classes * sizeof(std::uint16_t) +
                    (rules.carries ? entries(rules) * sizeof(std::int64_t) : 0) +
                    (rules.limit ? sizeof(std::int64_t) : 0));
}

OutputTurns::OutputTurns(const LaneTurns& rules, std::uint32_t outputs)
    : rules_(rules),
      entries_(entries(rules)),
      debts_(rules.carries ? std::size_t{outputs} * entries_ : 0),
      first_left_(rules.limit ? outputs : 0, rules.limit.value_or(0)),
      first_input_(std::size_t{outputs} * rules.classes) {
  std::uint32_t first = 0;
  for (const LaneTurns::Level& level : rules.levels) {
    first_entry_.push_back(first);
    first += static_cast<std::uint32_t>(level.size());
  }
  for (std::uint32_t output = 0; output < outputs; ++output)
    for (const LaneTurns::Level& level : rules.levels)
      turns_.push_back({level.empty() ? 0 : level.front().units, 0});
}

std::uint32_t OutputTurns::level(PortId output, std::uint32_t pass) const {
  return !first_left_.empty() && first_left_[output] <= 0 ? 1 - pass : pass;
}

std::uint32_t OutputTurns::next(PortId output, std::uint32_t level, std::uint32_t classes) const {
  const LaneTurns::Level& entries = rules_.levels[level];
  const auto count = static_cast<std::uint32_t>(entries.size());
  const Turn& turn = turns_[output * levels() + level];
  const std::uint32_t first = turn.left > 0 ? 0 : 1;
  for (std::uint32_t step = first; step < first + count; ++step) {
    const std::uint32_t entry = (turn.entry + step) % count;
    if ((classes >> entries[entry].of_class & 1) != 0) return entry;
  }
  return kNone;
}

void OutputTurns::charge(PortId output, std::uint32_t level, std::uint32_t entry, std::uint32_t bytes) {
  Turn& now = turn(output, level);
  if (entry != now.entry || now.left <= 0) {
    if (rules_.carries && now.left < 0) debt(output, level, now.entry) = -now.left;
    now = {rules_.levels[level][entry].units, entry};
    if (rules_.carries) now.left -= std::exchange(debt(output, level, entry), 0);
  }
  now.left -= rules_.units_per_byte * bytes;
  if (!rules_.limit) return;
  if (level == 0)
    first_left_[output] -= bytes;
  else
    first_left_[output] = *rules_.limit;
}

}  // namespace headway
