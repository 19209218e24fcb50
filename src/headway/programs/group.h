// SPDX-License-Identifier: Apache-2.0
// Groups of ranks, on which collective operations work.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "headway/base/units.h"
#include "headway/programs/blocks.h"
#include "headway/programs/builder.h"

namespace headway {

// The members in the order of their numbers in the group. A member begins with a new step and ends with one.
// While a builder takes all ranks for alike, a group stands for all groups of a partition, and one member for
// all members; who asks for a certain one then gets NeedsEveryRank.
class Group {
 public:
  Group() = default;
  Group(Steps* every, const RankPartition& partition) : steps_{every}, partition_(partition) {}

  void push_back(Steps* member) { steps_.push_back(member); }
  std::size_t size() const { return partition_ ? partition_->size : steps_.size(); }
  Steps* operator[](std::size_t member) const {
    if (partition_) throw NeedsEveryRank();
    return steps_[member];
  }
  // Those of all members, or the one that stands for them.
  std::span<Steps* const> steps() const { return steps_; }
  const std::optional<RankPartition>& partition() const { return partition_; }
  ProgramBuilder& builder() const { return steps_.front()->builder(); }

 private:
  std::vector<Steps*> steps_;
  std::optional<RankPartition> partition_;
};

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

// Divides the members into groups of `size`, `stride` apart, and calls add(group) for each.
template <class Add>
void in_groups(const Group& group, std::uint32_t size, std::uint32_t stride, const Add& add) {
  if (const auto& partition = group.partition()) {
    if (partition->size % (std::uint64_t{size} * stride) != 0) throw NeedsEveryRank();
    return add(Group(group.steps().front(), {size, stride * partition->stride}));
  }
  for (std::uint32_t first = 0; first < group.size(); ++first)
    if (first / stride % size == 0) add(subgroup(group, first, size, stride));
}

// A step of each member.
void compute(const Group& group, std::uint64_t picoseconds);
// Each member goes on when it and the member of `others` at its place have ended their last steps.
void join(const Group& group, const Group& others);

// The group with other steps: `chains`[member][chain].
Group with_steps(const Group& group, std::vector<std::vector<Steps>>& chains, std::size_t chain);

// Cuts a number of bytes into chunks, and calls `add` for each with a group that begins where `group` is. The
// chunks do not wait for each other. The group goes on when all of them have ended.
template <class Add>
void in_chunks(const Group& group, std::uint64_t bytes, std::uint32_t chunks, const Add& add) {
  if (chunks == 1) return add(group, bytes);
  group.builder().expect(std::uint64_t{chunks} * group.size());  // at least one for each
  const Blocks sizes = Blocks::even(bytes, chunks);
  const std::span<Steps* const> all = group.steps();
  std::vector<std::vector<Steps>> chains(all.size());
  for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      chains[i].reserve(chunks);
      chains[i].push_back(*all[i]);
    }
    const std::uint64_t before = all.front()->operations();
    add(with_steps(group, chains, chunk), sizes.size(chunk));
    if (chunk == 0) all.front()->expect_repeated(before, chunks);
  }
  for (std::size_t i = 0; i < all.size(); ++i) all[i]->join(chains[i]);
}

// The time that a rank needs to combine what it has received with its own data.
class Reduction {
 public:
  Reduction() = default;  // no time
  bool operator==(const Reduction&) const = default;
  explicit Reduction(Rate rate) : rate_(rate.bytes_per_ns) {}
  std::uint64_t picoseconds(std::uint64_t bytes) const;  // rounded down, at most limits::kTime

 private:
  Rational rate_;  // 0: no time
};

}  // namespace headway
