// SPDX-License-Identifier: Apache-2.0
// The "Turns of classes" part of docs/modelling.md.
#include <algorithm>

#include "tests/reference/reference.h"

namespace headway::reference {

void Reference::prepare_turns() {
  for (PortState& port : ports_) {
    for (const LaneTurns::Level& level : rules_.turns->levels) {
      port.turns.entry.push_back(0);
      port.turns.left.push_back(level.empty() ? 0 : level.front().units);
      port.turns.debt.emplace_back(level.size(), 0);
    }
    port.turns.first_left = rules_.turns->limit.value_or(0);
  }
}

void Reference::arbitrate_in_turns(const std::vector<PortId>& outputs, const std::vector<Request>& requests) {
  const std::size_t levels = rules_.turns->levels.size();
  for (std::size_t pass = 0; pass < levels; ++pass)
    for (const PortId output : outputs) {
      if (is_taken(output)) continue;
      const bool second_first = rules_.turns->limit && ports_[output].turns.first_left <= 0;
      grant_in_turn(output, second_first ? 1 - pass : pass, requests);
    }
}

void Reference::grant_in_turn(PortId output, std::size_t level, const std::vector<Request>& requests) {
  Turns& turns = ports_[output].turns;
  for (const std::size_t entry : order_of_entries(turns, level)) {
    const std::uint32_t of_class = rules_.turns->levels[level][entry].of_class;
    std::vector<Request> candidates;
    for (const Request& request : requests) {
      if (request.output != output || ports_[request.input].input_busy_until > now_) continue;
      const Packet& head = ports_[request.input].queues[request.queue].packets.front();
      if (rules_.turns->class_of[lane_over(head, output)] == of_class) candidates.push_back(request);
    }
    if (candidates.empty()) continue;
    const Request won = winner(output, of_class, candidates, turns.input_pointer[of_class]);
    charge(turns, level, entry, ports_[won.input].queues[won.queue].packets.front().bytes);
    grant(won);
    return;
  }
}

// The entry of the last turn goes first while its turn has bytes left, and last in any case.
std::vector<std::size_t> Reference::order_of_entries(const Turns& turns, std::size_t level) const {
  const std::size_t entries = rules_.turns->levels[level].size();
  std::vector<std::size_t> order;
  if (entries > 0 && turns.left[level] > 0) order.push_back(turns.entry[level]);
  for (std::size_t i = 1; i <= entries; ++i) order.push_back((turns.entry[level] + i) % entries);
  return order;
}

void Reference::charge(Turns& turns, std::size_t level, std::size_t entry, std::uint32_t bytes) const {
  if (entry != turns.entry[level] || turns.left[level] <= 0) {
    if (rules_.turns->carries && turns.left[level] < 0)
      turns.debt[level][turns.entry[level]] = -turns.left[level];
    turns.entry[level] = entry;
    turns.left[level] = rules_.turns->levels[level][entry].units - turns.debt[level][entry];
    turns.debt[level][entry] = 0;
  }
  turns.left[level] -= rules_.turns->units_per_byte * bytes;
  if (!rules_.turns->limit) return;
  if (level == 0)
    turns.first_left -= bytes;
  else
    turns.first_left = *rules_.turns->limit;
}

}  // namespace headway::reference
