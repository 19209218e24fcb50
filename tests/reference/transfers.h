// SPDX-License-Identifier: Apache-2.0
// A second implementation of how transfers are split by physics: docs/programs.md, "The critical path".
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "headway/analysis/transfer_split.h"

namespace headway::reference {

using Parts = std::array<Tick, 6>;  // in the order of TransferParts

Parts listed(const TransferParts& parts);
// The parts of the `whole` time of bytes over these links, one formula each. `leaves`: they only leave their
// node.
Parts parts_of(const Network& network, std::uint64_t bytes, const std::vector<PortId>& links, Tick whole,
               bool leaves = false);

}  // namespace headway::reference
