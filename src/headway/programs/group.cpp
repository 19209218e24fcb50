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
  for (std::uint32_t rank = 0; rank < builder.ranks(); ++rank) steps_.emplace_back(builder, rank, cpu);
  for (Steps& steps : steps_) group_.push_back(&steps);
}

Group subgroup(const Group& group, std::uint32_t first, std::uint32_t count, std::uint32_t stride) {
  Group members;
  for (std::uint32_t i = 0; i < count; ++i) members.push_back(group[first + i * stride]);
  return members;
}

void compute(const Group& group, std::uint64_t picoseconds) {
  for (Steps* steps : group) {
    steps->compute(picoseconds);
    steps->next();
  }
}

void join(const Group& group, const Group& others) {
  for (std::size_t i = 0; i < group.size(); ++i) group[i]->join(std::vector<Steps>{*group[i], *others[i]});
}

std::uint64_t Reduction::picoseconds(std::uint64_t bytes) const {
  if (rate_ == 0) return 0;
  const Wide exact = Wide{bytes} * 1000 * static_cast<std::uint64_t>(rate_.denominator()) /
                     static_cast<std::uint64_t>(rate_.numerator());
  return static_cast<std::uint64_t>(std::min(exact, Wide{kMostPicoseconds}));
}

}  // namespace headway
