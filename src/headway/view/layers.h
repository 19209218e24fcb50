// SPDX-License-Identifier: Apache-2.0
// The layout of networks without a known structure.
#pragma once

#include "headway/view/layout.h"

namespace headway {

// Switches in rows by their distance from the nodes, which are below their switches. In a row they are
// ordered by the mean position of their neighbours (Sugiyama, Tagawa and Toda, 1981), so that fewer links
// cross. If all switches have nodes, the distance is that from switch 0.
NetworkLayout layered_layout(const Graph& graph);

}  // namespace headway
