// SPDX-License-Identifier: Apache-2.0
// A small log as NCCL writes it: four ranks on two hosts, two channels.
#pragma once

#include <string_view>

namespace headway::test {

inline constexpr std::string_view kNcclLog =
    "a:10:20 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [RO]; OOB eth0:10.0.0.1<0>\n"
    "a:10:20 [0] NCCL INFO Channel 00/02 :    0   1   2   3\n"
    "a:10:20 [0] NCCL INFO Channel 01/02 :    0   3   2   1\n"
    "a:10:20 [0] NCCL INFO Trees [0] 1/-1/-1->0->-1 [1] 1/-1/-1->0->2 comm 0x53 nRanks 04 busId 6000\n"
    "a:11:21 [1] NCCL INFO Trees [0] 2/-1/-1->1->0 [1] -1/-1/-1->1->0 comm 0x54 nRanks 04 busId 7000\n"
    "b:10:20 [0] NCCL INFO Trees [0] 3/-1/-1->2->1 [1] 3/0/-1->2->-1 comm 0x55 nRanks 04 busId 6000\n"
    "b:11:21 [1] NCCL INFO Trees [0] -1/-1/-1->3->2 [1] -1/-1/-1->3->2 comm 0x56 nRanks 04 busId 7000\n"
    "a:10:20 [0] NCCL INFO Channel 00/0 : 0[6000] -> 1[7000] via P2P/IPC\n"
    "a:10:20 [0] NCCL INFO Connected all rings\n";

}  // namespace headway::test
