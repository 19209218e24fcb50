// SPDX-License-Identifier: Apache-2.0
// Why packets waited, as a page of plain text from the result of a run with observe.waiting
// (docs/waiting.md).
#pragma once

#include <string>

#include "headway/run/results.h"

namespace headway {

// Was the point run with observe.waiting?
bool has_waiting(const Result& result);

// The main roots with their victims, culprits and congestion trees, where the time of packets goes, and where
// the time of links goes.
std::string why(const PointResult& point);

}  // namespace headway
