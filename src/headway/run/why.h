// SPDX-License-Identifier: Apache-2.0
// Why packets waited, as a page of plain text from the result of a run with observe.waiting
// (docs/waiting.md).
#pragma once

#include <string>

#include "headway/run/results.h"

namespace headway {

// Returns true if the point was run with observe.waiting.
bool has_waiting(const Result& result);

// The main roots with their victims, culprits and congestion trees, and how packets and links spend their
// time.
std::string why(const PointResult& point);

}  // namespace headway
