// SPDX-License-Identifier: Apache-2.0
// Text about the progress of a sweep.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "headway/run/sweep.h"

namespace headway::cli {

std::string duration_text(std::chrono::duration<double> duration);  // "8.1 s", "3 min 05 s", "2 h 10 min"
std::string progress_text(const SweepProgress& progress);           // one line
std::string reading_text(std::uint64_t bytes, std::uint64_t size);  // for a large file, one line

}  // namespace headway::cli
