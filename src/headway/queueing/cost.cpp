// SPDX-License-Identifier: Apache-2.0
#include "headway/queueing/cost.h"

namespace headway {

std::span<const PublishedCost> published_costs() {
  static constexpr PublishedCost kTable3[] = {
      {"voqnet", 256, {32768}, 0.33291}, {"voqnet", 64, {8192}, 0.07877}, {"voqsw", 32, {4096}, 0.03569},
      {"voqsw", 8, {1024}, 0.01412},     {"dbbm", 8, {1024}, 0.01412},    {"dbbm", 4, {512}, 0.00647},
      {"obqa", 8, {1024}, 0.01412},      {"obqa", 4, {512}, 0.00647},     {"obqa", 2, {256}, 0.00359},
  };
  return kTable3;
}

std::optional<double> published_area_mm2(std::string_view scheme, std::int64_t queues) {
  for (const PublishedCost& cost : published_costs())
    if (cost.scheme == scheme && cost.queues == queues) return cost.area_mm2;
  return std::nullopt;
}

}  // namespace headway
