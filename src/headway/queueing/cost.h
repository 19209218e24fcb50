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

// Minimum data memory of an input port: two packets for each queue, because with cut-through one packet
// leaves while the next arrives (section 4.5).
constexpr Bytes minimum_memory(std::int64_t queues, Bytes packet = {64}) {
  return {queues * 2 * packet.count};
}

// One row of OBQA's Table 3: CACTI 5.3, 45 nm SRAM with one read and one write port, read out by single
// bytes.
struct PublishedCost {
  std::string_view scheme;
  std::int64_t queues;  // per input port
  Bytes memory;
  double area_mm2;
};
inline std::span<const PublishedCost> published_costs() {
  static constexpr PublishedCost kTable3[] = {
      {"voqnet", 256, {32768}, 0.33291}, {"voqnet", 64, {8192}, 0.07877}, {"voqsw", 32, {4096}, 0.03569},
      {"voqsw", 8, {1024}, 0.01412},     {"dbbm", 8, {1024}, 0.01412},    {"dbbm", 4, {512}, 0.00647},
      {"obqa", 8, {1024}, 0.01412},      {"obqa", 4, {512}, 0.00647},     {"obqa", 2, {256}, 0.00359},
  };
  return kTable3;
}

// The published area for a scheme with this number of queues; nullopt if there is none.
inline std::optional<double> published_area_mm2(std::string_view scheme, std::int64_t queues) {
  for (const PublishedCost& cost : published_costs())
    if (cost.scheme == scheme && cost.queues == queues) return cost.area_mm2;
  return std::nullopt;
}

}  // namespace headway
