// SPDX-License-Identifier: Apache-2.0
#include "headway/congestion/red_thresholds.h"

#include <fmt/format.h>

#include <algorithm>

#include "headway/congestion/marking.h"

namespace headway {

void RedThresholdKeys::describe(Parameters& parameters) {
  parameters.field({.name = "k_min",
                    .help = "no packet is marked while at most this many bytes wait for its output and lane; "
                            "default: a quarter of the memory of a lane at an input port",
                    .bounds = Bounds::from(0, 1e12)},
                   k_min_);
  parameters.field({.name = "k_max",
                    .help = "every packet is marked while more than this many bytes wait for its output and "
                            "lane; default: the memory of a lane at an input port",
                    .bounds = Bounds::from(1, 1e12)},
                   k_max_);
  parameters.field({.name = "p_max",
                    .help = "probability of a mark just below k_max; it grows from 0 at k_min",
                    .bounds = Bounds::from(0, 1)},
                   p_max_);
}

void RedThresholdKeys::check(const MarkingContext& context, Mistakes& mistakes) const {
  if (low(context) >= high(context))
    mistakes.add("switch.k_max", fmt::format("{} is not more than k_min, {}", to_string(Bytes{high(context)}),
                                             to_string(Bytes{low(context)})));
}

RedThresholds RedThresholdKeys::build(const MarkingContext& context) const {
  return {.low = static_cast<std::uint64_t>(low(context)),
          .high = static_cast<std::uint64_t>(high(context)),
          .probability = static_cast<std::uint32_t>(std::min(p_max_ * 0x1p32, 0x1p32 - 1))};
}

std::int64_t RedThresholdKeys::low(const MarkingContext& context) const {
  return k_min_ ? k_min_->count : context.lane_bytes / 4;
}

std::int64_t RedThresholdKeys::high(const MarkingContext& context) const {
  return k_max_ ? k_max_->count : context.lane_bytes;
}

}  // namespace headway
