// SPDX-License-Identifier: Apache-2.0
// The plain twin of find_dependency_cycle (routing/dependencies.h): every node sends to every other one, and
// channels that wait for each other are sets.
#pragma once

#include <vector>

#include "headway/routing/dependencies.h"

namespace headway::test {

std::vector<Channel> plain_dependency_cycle(const Graph& graph, const Routes& routes);

}  // namespace headway::test
