// SPDX-License-Identifier: Apache-2.0
// Networks whose switches are the points of a grid: meshes and tori, with links between neighbours, and
// HyperX, with links between all switches of a row or column. The first two dimensions form a slice. Each
// further dimension puts copies of the existing picture in a line, along its shorter side.
#pragma once

#include "headway/view/layout.h"

namespace headway {

NetworkLayout grid_layout(const Graph& graph, const GridShape& shape);
NetworkLayout matrix_layout(const Graph& graph, const HyperXShape& shape);

}  // namespace headway
