// SPDX-License-Identifier: Apache-2.0
#include "headway/why/compared_classes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "headway/metrics/metric_names.h"

namespace headway {

double ns_per_packet(const PointResult& point, double packets) {
  return packets * point.result.metric(metrics::duration_ns) /
         point.result.metric(metrics::packets_delivered);
}

std::vector<ComparedClass> compared_classes(const PointResult& first,
                                            const std::vector<RootGroup>& classes_of_first,
                                            const PointResult& second,
                                            const std::vector<RootGroup>& classes_of_second) {
  std::map<RootClass, ComparedClass> of;
  for (const RootGroup& group : classes_of_first)
    of[group.of] = {.of = group.of,
                    .first_ns = ns_per_packet(first, group.packets),
                    .first_victim_ns = ns_per_packet(first, group.victims)};
  for (const RootGroup& group : classes_of_second) {
    ComparedClass& both = of[group.of];
    both.of = group.of;
    both.second_ns = ns_per_packet(second, group.packets);
    both.second_victim_ns = ns_per_packet(second, group.victims);
  }
  std::vector<ComparedClass> all;
  for (auto& [root_class, both] : of) all.push_back(std::move(both));
  const auto size = [](const ComparedClass& both) {
    return std::isfinite(both.change()) ? std::abs(both.change()) : 0;
  };
  std::ranges::stable_sort(all, std::ranges::greater{}, size);
  return all;
}

}  // namespace headway
