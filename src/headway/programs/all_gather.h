// SPDX-License-Identifier: Apache-2.0
// An all-gather with its algorithm.
#pragma once

#include "headway/programs/parts.h"

namespace headway {

enum class AllGatherAlgorithm { ring, bruck };
template <>
struct Names<AllGatherAlgorithm> {
  static constexpr std::string_view kList[] = {"ring", "bruck"};
};

void add_all_gather(AllGatherAlgorithm algorithm, const Group& group, const Blocks& blocks);

}  // namespace headway
