// SPDX-License-Identifier: Apache-2.0
// Groups of ranks, on which collective operations work.
#pragma once

#include <cstdint>
#include <vector>

#include "headway/base/units.h"
#include "headway/programs/blocks.h"
#include "headway/programs/builder.h"

namespace headway {

// The members in the order of their numbers in the group. A member begins with a new step and ends with one.
using Group = std::vector<Steps*>;

// All ranks of a program, each without steps.
class AllRanks {
 public:
  explicit AllRanks(ProgramBuilder& builder, std::uint8_t cpu = 0);
  AllRanks(const AllRanks&) = delete;
  AllRanks& operator=(const AllRanks&) = delete;

  const Group& group() const { return group_; }

 private:
  std::vector<Steps> steps_;
  Group group_;
};

// `count` members: `first`, and every `stride`-th one after it.
Group subgroup(const Group& group, std::uint32_t first, std::uint32_t count, std::uint32_t stride = 1);

// A step of each member.
void compute(const Group& group, std::uint64_t picoseconds);
// Each member goes on when it and the member of `others` at its place have ended their last steps.
void join(const Group& group, const Group& others);

// Cuts a number of bytes into chunks, and calls `add` for each with a group that begins where `group` is. The
// chunks do not wait for each other. The group goes on when all of them have ended.
template <class Add>
void in_chunks(const Group& group, std::uint64_t bytes, std::uint32_t chunks, const Add& add) {
  if (chunks == 1) return add(group, bytes);
  group.front()->expect(std::uint64_t{chunks} * group.size());  // at least one for each
  const Blocks sizes = Blocks::even(bytes, chunks);
  std::vector<std::vector<Steps>> chains(group.size());
  for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
    Group members;
    for (std::size_t i = 0; i < group.size(); ++i) {
      chains[i].reserve(chunks);
      members.push_back(&chains[i].emplace_back(*group[i]));
    }
    const std::uint64_t before = group.front()->operations();
    add(members, sizes.size(chunk));
    if (chunk == 0) group.front()->expect_repeated(before, chunks);
  }
  for (std::size_t i = 0; i < group.size(); ++i) group[i]->join(chains[i]);
}

// The time that a rank needs to combine what it has received with its own data.
class Reduction {
 public:
  Reduction() = default;  // no time
  explicit Reduction(Rate rate) : rate_(rate.bytes_per_ns) {}
  std::uint64_t picoseconds(std::uint64_t bytes) const;  // rounded down, at most limits::kTime

 private:
  Rational rate_;  // 0: no time
};

}  // namespace headway
