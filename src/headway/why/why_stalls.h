// SPDX-License-Identifier: Apache-2.0
// Deadlock, starvation and saturation as a page of plain text (docs/waiting.md, "Stalls").
#pragma once

#include <string>

#include "headway/run/results.h"

namespace headway {

// Each with its evidence, or that there is none, and the head that has waited longest.
std::string stalls_at_length(const PointResult& point);

}  // namespace headway
