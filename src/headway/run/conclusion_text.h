// SPDX-License-Identifier: Apache-2.0
// A conclusion (conclusion.h) in plain sentences.
#pragma once

#include <string>
#include <vector>

#include "headway/run/conclusion.h"

namespace headway {

// Three to eight sentences, the most important one first. `point` is the one that the conclusion is about.
std::vector<std::string> sentences(const Conclusion& conclusion, const PointResult& point);

}  // namespace headway
