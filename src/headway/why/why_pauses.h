// SPDX-License-Identifier: Apache-2.0
// What pauses of lanes did in a run (docs/modelling.md, "Pauses").
#pragma once

#include <vector>

#include "headway/run/results.h"
#include "headway/why/sentence.h"

namespace headway {

// Some sentences, a storm first; none if no lane was paused and no packet was lost.
std::vector<Sentence> sentences_of_pauses(const PointResult& point);

}  // namespace headway
