// SPDX-License-Identifier: Apache-2.0
// Processes that mpirun has started together (engine/ranks.h). Only the program headway-mpi has it.
#pragma once

#include <memory>

#include "headway/engine/ranks.h"

namespace headway::cli {

// Null if this process is alone.
std::unique_ptr<Ranks> start_mpi();

}  // namespace headway::cli
