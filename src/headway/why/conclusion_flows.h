// SPDX-License-Identifier: Apache-2.0
// Parts of a conclusion that are about flows.
#pragma once

#include "headway/why/conclusion.h"

namespace headway {

// All flows with their waiting. The conclusion has all packets that wait.
void read_flows(const PointResult& point, Conclusion& all);
// Whose packets wait to cross the roots of the limit, and who waits for them without crossing them.
void find_culprit(const PointResult& point, Conclusion& all);

}  // namespace headway
