// SPDX-License-Identifier: Apache-2.0
// For patterns without randomness: one destination per source, from a table.
#pragma once

#include <memory>
#include <vector>

#include "headway/traffic/pattern.h"

namespace headway {

// [node]; a node that would send to itself does not send.
std::unique_ptr<Destinations> fixed_destinations(std::vector<NodeId> destination_of);

}  // namespace headway
