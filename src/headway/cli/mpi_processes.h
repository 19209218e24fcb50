// SPDX-License-Identifier: Apache-2.0
// Processes that mpirun has started together (engine/processes.h). Only the program headway-mpi has it.
#pragma once

#include <memory>

#include "headway/engine/processes.h"

namespace headway::cli {

// Null if this process is alone.
std::unique_ptr<Processes> start_mpi();

}  // namespace headway::cli
