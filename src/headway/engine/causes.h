// SPDX-License-Identifier: Apache-2.0
// What led to what in the jobs of a run: the events that end a turn or a message, each with the event that it
// followed. The chain from the last event of a job back to its start is the critical path (docs/programs.md).
// Only events that something in the future can still follow are kept.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "headway/base/ids.h"
#include "headway/programs/rule.h"

namespace headway {

// What a step of the critical path waits for.
enum class StepKind : std::uint8_t {
  start,      // of the job
  turn,       // of an operation on its CPU
  data,       // the delivery of a message
  departure,  // the end of a message's last transfer from its node
  request,    // the delivery of an announcement
  clearance,  // the delivery of its answer
};

struct Cause {
  Tick tick = 0;                 // of the event
  std::uint32_t before = kNone;  // cause that it followed; none: the start of the job
  OpOfRank op = {};              // turn: its operation; message: its send
  std::uint32_t iteration = 0;   // of the rank
  NodeId node = kNone;           // of a message: where it was generated; none: it stayed on its node
  std::uint32_t serial = 0;      // of a message: of the packet that left or arrived last
  StepKind kind = StepKind::start;
  std::uint8_t before_part = 0;  // of the run: which has the cause that it followed
};

// Those of a part of a run. Numbers of causes are valid until causes are next forgotten.
class Causes {
 public:
  std::uint32_t add(const Cause& cause) {
    causes_.push_back(cause);
    return static_cast<std::uint32_t>(causes_.size() - 1);
  }
  const Cause& operator[](std::uint32_t cause) const { return causes_[cause]; }
  // The later of two events, the first one if they are equally late; both can be none.
  std::uint32_t later(std::uint32_t a, std::uint32_t b) const {
    if (a == kNone || b == kNone) return a == kNone ? b : a;
    return causes_[b].tick > causes_[a].tick ? b : a;
  }

  // Enough causes have been added since the last time that forgetting pays.
  bool is_full() const { return causes_.size() >= most_; }

 private:
  template <class ForEachUsed>
  friend void forget_unused(std::span<Causes* const> parts, ForEachUsed&& for_each_used);
  static constexpr std::size_t kFewest = 1 << 16;

  std::vector<Cause> causes_;
  std::size_t most_ = kFewest;
};

// Forgets the causes to which nothing leads, in all parts of a run. `for_each_used(visit)` calls
// visit(number, part) with a reference to every number in use, which may be none; the numbers change.
template <class ForEachUsed>
void forget_unused(std::span<Causes* const> parts, ForEachUsed&& for_each_used) {
  constexpr std::uint32_t kUnused = 0, kUsed = 1;
  std::vector<std::vector<std::uint32_t>> place;  // [part][cause]
  for (const Causes* part : parts) place.emplace_back(part->causes_.size(), kUnused);
  for_each_used([&](std::uint32_t cause, std::uint32_t part) {
    while (cause != kNone && place[part][cause] == kUnused) {
      place[part][cause] = kUsed;
      const Cause& used = parts[part]->causes_[cause];
      cause = used.before;
      part = used.before_part;
    }
  });
  for (std::size_t part = 0; part < parts.size(); ++part) {
    std::vector<Cause>& causes = parts[part]->causes_;
    std::uint32_t kept = 0;
    for (std::uint32_t c = 0; c < causes.size(); ++c) {
      if (place[part][c] == kUnused) continue;
      causes[kept] = causes[c];
      place[part][c] = kept++;
    }
    causes.resize(kept);
    parts[part]->most_ = std::max(Causes::kFewest, 2 * causes.size());
  }
  for (Causes* part : parts)
    for (Cause& cause : part->causes_)
      if (cause.before != kNone) cause.before = place[cause.before_part][cause.before];
  for_each_used([&](std::uint32_t& cause, std::uint32_t part) {
    if (cause != kNone) cause = place[part][cause];
  });
}

}  // namespace headway
