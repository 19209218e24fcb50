// SPDX-License-Identifier: Apache-2.0
// The rules of collectives whose operations are as many as the pairs of members.
#pragma once

#include <cstdint>
#include <memory>

#include "headway/programs/blocks.h"
#include "headway/programs/group.h"
#include "headway/programs/rule.h"

namespace headway {

// In step s, member r sends block r + first - s to r + 1 and receives block r + first - s - 1. With
// `reduction`, it reduces what it receives, which must take time for every block or for none.
std::shared_ptr<const ProgramRule> ring_rule(std::shared_ptr<const Blocks> blocks, std::uint32_t first,
                                             std::uint32_t steps, const Reduction& reduction);
// In step s, member r sends to r + s + 1 and receives from r - s - 1.
std::shared_ptr<const ProgramRule> pairwise_rule(std::uint32_t members, std::uint64_t bytes);
// Member r sends to r + 1, r + 2, ..., and then receives from r - 1, r - 2, ... Every `chains`-th message in
// each direction waits for the one before it.
std::shared_ptr<const ProgramRule> linear_rule(std::uint32_t members, std::uint64_t bytes,
                                               std::uint32_t chains);

}  // namespace headway
