// SPDX-License-Identifier: Apache-2.0
// Dragonflies: a ring of groups. The switches of a group form a ring, too, with their links inside, their
// nodes outside, and their links to other groups at the side that faces the middle. All groups look alike
// except for that side.
#pragma once

#include "headway/view/layout.h"

namespace headway {

NetworkLayout groups_layout(const DragonflyShape& shape);

}  // namespace headway
