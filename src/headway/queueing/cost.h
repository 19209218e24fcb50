// SPDX-License-Identifier: Apache-2.0
// The cost of a queueing scheme at an input port: the minimum memory, and the published silicon areas of such
// memories. Areas are quoted and not computed, because they depend on the technology and on the organisation
// of the memory. Source: OBQA (Euro-Par 2010), section 4.5 and Table 3.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "headway/base/units.h"

namespace headway {

// The minimum of the paper: with cut-through, one packet leaves while the next arrives (section 4.5).
inline constexpr std::int64_t kMinimumPackets = 2;

// Minimum data memory of an input port whose queues hold `packets` packets each.
constexpr Bytes minimum_memory(std::int64_t queues, Bytes packet = {64},
                               std::int64_t packets = kMinimumPackets) {
  return {queues * packets * packet.count};
}

// One row of OBQA's Table 3: CACTI 5.3, 45 nm SRAM with one read and one write port, read out by single
// bytes.
struct PublishedCost {
  std::string_view scheme;
  std::int64_t queues;  // per input port
  Bytes memory;
  double area_mm2;
};
std::span<const PublishedCost> published_costs();

// The published area for a scheme with this number of queues; nullopt if there is none.
std::optional<double> published_area_mm2(std::string_view scheme, std::int64_t queues);

}  // namespace headway
