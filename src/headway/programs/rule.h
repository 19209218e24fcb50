// SPDX-License-Identifier: Apache-2.0
// The operations of the members of a group, by formula: a rule makes an operation when its turn comes, so
// that the n^2 operations of a ring or an all-to-all take no memory. The same operations as a stored graph
// are the plain twin; tests compare both (rules.test.cpp).
//
// A rule is balanced: it has as many sends of a member to another one as receives of that one from it, and
// the k-th send belongs to the k-th receive. Its operations wait for each other in no cycle, even if all
// messages are announced.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "headway/programs/program.h"

namespace headway {

// An operation of a program, by its number within its rank.
struct OpOfRank {
  std::uint32_t rank = 0, number = 0;
  friend auto operator<=>(const OpOfRank&, const OpOfRank&) = default;
};

// An operation as its rank runs it.
struct RankOp {
  std::uint64_t amount = 0;           // compute: picoseconds; send, receive: bytes
  std::uint32_t peer = kNone;         // send, receive: the other rank
  std::uint32_t partner = kNone;      // and the number of its operation there
  std::uint32_t first_dependent = 0;  // consecutive: its number; otherwise in the list of the program
  std::uint32_t dependents = 0;
  std::uint32_t requirements = 0;  // operations that must be complete, or have started, before it is ready
  ProgramOpKind kind = ProgramOpKind::compute;
  std::uint8_t cpu = 0;
  bool consecutive = false;  // the dependents are, and wait for the end
  bool ends_span = false;
};
static_assert(sizeof(RankOp) == 32);

// What a rank sends, receives and computes.
struct RankTotals {
  std::uint64_t sent = 0, received = 0;  // bytes
  double computed = 0;                   // picoseconds
};

// How long a message takes if nothing is in its way.
struct MessageTime {
  double latency_ns = 0, ns_per_byte = 0;
  double of(std::uint64_t bytes) const { return latency_ns + static_cast<double>(bytes) * ns_per_byte; }
};

struct NumberRange {
  std::uint32_t first = 0, count = 0;
};
using NumberRanges = std::array<NumberRange, 2>;  // ascending; can be empty

// Where a member of a rule is in its rank.
struct RuleMember {
  std::uint32_t rank = 0, first = 0;  // number of its first operation
};

// Where the members of a rule are: listed or, if all ranks of a program are alike, at every `stride`-th rank.
class RuleMembers {
 public:
  explicit RuleMembers(std::span<const RuleMember> listed) : listed_(listed) {}
  RuleMembers(const RuleMember& first, std::uint32_t stride) : first_(first), stride_(stride) {}

  RuleMember operator[](std::uint32_t member) const {
    return listed_.empty() ? RuleMember{first_.rank + member * stride_, first_.first} : listed_[member];
  }

 private:
  std::span<const RuleMember> listed_;
  RuleMember first_;
  std::uint32_t stride_ = 0;
};

class ProgramRule {
 public:
  ProgramRule() = default;
  ProgramRule(const ProgramRule&) = delete;
  ProgramRule& operator=(const ProgramRule&) = delete;
  virtual ~ProgramRule() = default;

  virtual std::uint32_t members() const = 0;
  // Of each member: they are numbered from 0.
  virtual std::uint32_t operations() const = 0;
  // Makes operations of a member, from `first` on. An operation without requirements in the rule is a head,
  // one without dependents a tail: what comes before the rule and after it is no matter of the rule.
  // `members`: of the rule; `rest`: the CPU, the requirements of heads and the dependents of tails.
  virtual void make(std::uint32_t member, std::uint32_t first, const RuleMembers& members, const RankOp& rest,
                    std::span<RankOp> operations) const = 0;
  virtual NumberRanges heads() const = 0;
  virtual std::uint32_t tails() const = 0;

  // What the operations of all members are, without making them. Calls visit(bytes, messages), which can be
  // several times for a size.
  using VisitSize = std::function<void(std::uint64_t bytes, std::uint64_t messages)>;
  virtual void for_each_size(const VisitSize& visit) const = 0;
  virtual std::uint32_t sends() const = 0;  // of a member
  virtual RankTotals totals(std::uint32_t member) const = 0;
  virtual std::uint64_t bytes_between(std::uint32_t member, std::uint32_t peer) const = 0;
  virtual std::uint32_t peers() const = 0;  // to which a member sends
  // Most operations, and sends of those, of a member that are ready at the same time.
  virtual std::uint32_t most_open() const = 0;
  virtual std::uint32_t most_open_sends() const = 0;
  // From the begin of all members to the end of the last one.
  virtual double time_ns(const MessageTime& message) const = 0;
  virtual std::uint64_t bytes() const = 0;  // of memory
  // Returns true if both make the same operations.
  virtual bool is_like(const ProgramRule& other) const = 0;
};

}  // namespace headway
