// SPDX-License-Identifier: Apache-2.0
// What routes and queues share at a stage of a network, counted without a run (compile/structure.h).
#pragma once

#include <cstddef>
#include <span>

#include "headway/metrics/result.h"

namespace headway {

struct StageCensus {
  std::size_t stage = 0;
  std::size_t destinations_per_switch = 0;
  std::size_t destinations_per_link = 0;
  std::size_t destinations_per_queue = 0;
  std::size_t queues_used = 0;
  double load_imbalance = 1;
};

Table structure_per_stage(std::span<const StageCensus> stages);

}  // namespace headway
