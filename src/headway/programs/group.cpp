// SPDX-License-Identifier: Apache-2.0
#include "headway/programs/group.h"

#include <algorithm>

#include "headway/base/wide.h"
#include "headway/config/limits.h"

namespace headway {
namespace {

constexpr auto kMostPicoseconds = static_cast<std::uint64_t>(limits::kTime * 1000);

}  // namespace

AllRanks::AllRanks(ProgramBuilder& builder, std::uint8_t cpu) {
  if (builder.takes_ranks_for_alike()) {
    steps_.emplace_back(builder, ProgramBuilder::kEveryRank, cpu);
    group_ = Group(&steps_.front(), {builder.ranks(), 1});
    return;
  }
  for (std::uint32_t rank = 0; rank < builder.ranks(); ++rank) steps_.emplace_back(builder, rank, cpu);
  for (Steps& steps : steps_) group_.push_back(&steps);
}

Group subgroup(const Group& group, std::uint32_t first, std::uint32_t count, std::uint32_t stride) {
  if (count == group.size()) return group;
  Group members;
  for (std::uint32_t i = 0; i < count; ++i) members.push_back(group[first + i * stride]);
  return members;
}

void compute(const Group& group, std::uint64_t picoseconds) {
  for (Steps* steps : group.steps()) {
    steps->compute(picoseconds);
    steps->next();
  }
}

void join(const Group& group, const Group& others) {
  const std::span<Steps* const> steps = group.steps(), other = others.steps();
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i]->join(*other[i]);
}

Group with_steps(const Group& group, std::vector<std::vector<Steps>>& chains, std::size_t chain) {
  if (group.partition()) return {&chains.front()[chain], *group.partition()};
  Group members;
  for (std::vector<Steps>& of_member : chains) members.push_back(&of_member[chain]);
  return members;
}

std::uint64_t Reduction::picoseconds(std::uint64_t bytes) const {
  if (rate_ == 0) return 0;
  const Wide exact = Wide{bytes} * 1000 * static_cast<std::uint64_t>(rate_.denominator()) /
                     static_cast<std::uint64_t>(rate_.numerator());
  return static_cast<std::uint64_t>(std::min(exact, Wide{kMostPicoseconds}));
}

}  // namespace headway
