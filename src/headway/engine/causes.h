// SPDX-License-Identifier: Apache-2.0
// What led to what in the jobs of a run: the events that end a turn or a message, each with the event that it
// followed. The chain from the last event of a job back to its start is the critical path (docs/programs.md).
// Only events that something in the future can still follow are kept.
#pragma once

#include <algorithm>
#include <cstdint>
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
};

// Numbers of causes are valid until the next call of `forget`.
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
  // Forgets the causes to which nothing leads. `for_each_used(visit)` calls visit(number) with a reference to
  // every number in use, which may be none; the numbers change.
  template <class ForEachUsed>
  void forget(ForEachUsed&& for_each_used) {
    constexpr std::uint32_t kUnused = 0, kUsed = 1;
    std::vector<std::uint32_t> place(causes_.size(), kUnused);
    for_each_used([&](std::uint32_t& cause) {
      if (cause != kNone) place[cause] = kUsed;
    });
    // a cause comes after the one that it followed
    for (std::uint32_t c = static_cast<std::uint32_t>(causes_.size()); c-- > 0;)
      if (place[c] == kUsed && causes_[c].before != kNone) place[causes_[c].before] = kUsed;
    std::uint32_t kept = 0;
    for (std::uint32_t c = 0; c < causes_.size(); ++c) {
      if (place[c] == kUnused) continue;
      causes_[kept] = causes_[c];
      if (causes_[kept].before != kNone) causes_[kept].before = place[causes_[kept].before];
      place[c] = kept++;
    }
    causes_.resize(kept);
    for_each_used([&](std::uint32_t& cause) {
      if (cause != kNone) cause = place[cause];
    });
    most_ = std::max(kFewest, 2 * causes_.size());
  }

 private:
  static constexpr std::size_t kFewest = 1 << 16;

  std::vector<Cause> causes_;
  std::size_t most_ = kFewest;
};

}  // namespace headway
