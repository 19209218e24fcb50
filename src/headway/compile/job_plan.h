// SPDX-License-Identifier: Apache-2.0
// A job without what depends on the tick.
#pragma once

#include <memory>
#include <vector>

#include "headway/base/ids.h"
#include "headway/programs/program.h"

namespace headway {

struct JobPlan {
  std::shared_ptr<const Program> program;  // null: there are mistakes
  std::vector<NodeId> nodes;               // [rank]
};

}  // namespace headway
