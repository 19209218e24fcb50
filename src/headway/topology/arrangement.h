// SPDX-License-Identifier: Apache-2.0
// The parameter `arrangement` of dragonflies.
#pragma once

#include <string_view>

#include "headway/config/parameters.h"
#include "headway/topology/graph.h"

namespace headway {

template <>
struct Names<Arrangement> {
  static constexpr std::string_view kList[] = {"absolute", "relative", "palm-tree"};
};

inline constexpr char kArrangementHelp[] =
    "groups that a group's global links lead to, in order: all others by number, those after it, or those "
    "before it backwards";

}  // namespace headway
