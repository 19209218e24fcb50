// SPDX-License-Identifier: Apache-2.0
// The log of NCCL or RCCL with NCCL_DEBUG=INFO, which tells the rings and trees of a communicator:
//
//     host:1:2 [0] NCCL INFO Channel 00/02 :    0   1   2   3
//     host:1:2 [0] NCCL INFO Trees [0] 1/-1/-1->0->-1 [1] 2/-1/-1->0->-1 comm 0x... nRanks 04 busId 6000
//
// A ring of all ranks for each channel, told by rank 0; for each channel the children, the number and the
// parent of the rank that tells its trees. Versions before 2.7 write "1/-1/-1->0->-1|-1->0->1/-1/-1".
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "headway/programs/program_text.h"

namespace headway {

struct NcclTree {
  std::vector<std::uint32_t> parent;                 // [rank], kNone: the root
  std::vector<std::vector<std::uint32_t>> children;  // [rank]
};
struct NcclLog {
  std::uint32_t ranks = 0;
  std::vector<std::vector<std::uint32_t>> rings;  // [channel], in order
  std::vector<NcclTree> trees;                    // [channel]
};

// Reports lines that contradict each other, and rings and trees that are incomplete; they are empty then.
NcclLog read_nccl_log(ProgramText& text);
bool is_nccl_log(std::string_view beginning);

}  // namespace headway
