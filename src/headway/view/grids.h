// SPDX-License-Identifier: Apache-2.0
// Networks whose switches are the points of a grid: meshes and tori, with links between neighbours, and
// HyperX, with links between all switches of a row or column. The first two dimensions make a slice. Every
// further one lines up copies of what there is, along the side that is the shorter one.
#pragma once

#include "headway/view/layout.h"

namespace headway {

NetworkLayout grid_layout(const Graph& graph, const GridShape& shape);
NetworkLayout matrix_layout(const Graph& graph, const HyperXShape& shape);

}  // namespace headway
