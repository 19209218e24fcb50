// SPDX-License-Identifier: Apache-2.0
// What a queueing scheme costs at an input port: the least memory it needs, and the silicon areas that were
// published for such memories. Areas are quoted, never computed: they depend on the technology and on the
// memory's organisation. Source: OBQA (Euro-Par 2010), section 4.5 and Table 3.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "headway/base/units.h"

namespace headway {

// What the paper calls the minimum: with cut-through, one packet leaves while the next arrives (section 4.5).
inline constexpr std::int64_t kMinimumPackets = 2;

// Least data memory of an input port whose queues hold `packets` packets each.
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

// The published area for a scheme with that many queues; none if nobody has published one.
std::optional<double> published_area_mm2(std::string_view scheme, std::int64_t queues);

}  // namespace headway
