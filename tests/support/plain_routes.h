// SPDX-License-Identifier: Apache-2.0
// Plain twins of routing functions, which search once for every node and look at all links.
#pragma once

#include <cstdint>
#include <optional>

#include "headway/routing/layers.h"

namespace headway::test {

// dfsssp
RouteTable plain_balanced_paths(const Graph& graph);
// up-down with one root
RouteTable plain_up_down(const Graph& graph, SwitchId root, bool by_destinations);
// The layers of lash.
std::optional<Layers> plain_first_fit(const Graph& graph, const RouteTable& table, std::uint32_t most);

}  // namespace headway::test
