// SPDX-License-Identifier: Apache-2.0
// Processes that mpirun has started together (engine/processes.h). Only the program headway-mpi has it.
#pragma once

#include <memory>
#include <string>

#include "headway/engine/processes.h"

namespace headway::cli {

// Null if this process is alone.
std::unique_ptr<Processes> start_mpi();

// The MPI that it uses, as in "Open MPI v4.1.4".
std::string mpi_library();

}  // namespace headway::cli
