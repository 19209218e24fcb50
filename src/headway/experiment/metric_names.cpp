// SPDX-License-Identifier: Apache-2.0
#include "headway/experiment/metric_names.h"

#include <algorithm>

#include "headway/experiment/saturation.h"
#include "headway/metrics/fairness.h"
#include "headway/metrics/isolation.h"
#include "headway/metrics/overflow.h"
#include "headway/metrics/window.h"
#include "headway/metrics/zones.h"

namespace headway {

bool is_metric(std::string_view name) {
  const auto is_in = [&](const auto& definitions) {
    return std::ranges::any_of(definitions, [&](const auto& metric) { return metric.name == name; });
  };
  return is_in(metric_definitions()) || is_in(trace_metric_definitions()) || is_in(fairness_definitions()) ||
         is_in(saturation_metric_definitions()) || is_in(isolation_metric_definitions()) ||
         is_in(overflow_metric_definitions()) ||
         std::ranges::any_of(metrics::zone_metric_definitions(),
                             [&](const auto& metric) { return metric.covers(name); });
}

}  // namespace headway
