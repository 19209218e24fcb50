// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "headway/slotted/design.h"
#include "headway/topology/banyan.h"

namespace headway::slotted {

// The paper's designs: `layers` (a power of two) in the last stage, and half as many in each earlier stage,
// at least one; buffers of `single` packets in stages with one layer and of `multi` packets in the others.
inline Design layered_design(std::uint32_t nodes, std::uint32_t layers, std::uint32_t single,
                             std::uint32_t multi) {
  Design design;
  design.nodes = nodes;
  design.layers = doubling_layers(design.stages(), layers);
  for (const std::uint32_t here : design.layers) design.buffers.push_back({here > 1 ? multi : single});
  return design;
}

}  // namespace headway::slotted
