// SPDX-License-Identifier: Apache-2.0
#include "headway/spec/saturation_search.h"

#include <fmt/format.h>

#include <string_view>

namespace headway {

void check(const SaturationSearch& search, Mistakes& mistakes) {
  const auto expect = [&](bool holds, std::string_view name, const std::string& range, double value) {
    if (!holds) mistakes.add(std::string(name), fmt::format("must be {}, not {}", range, value));
  };
  const std::string loads = fmt::format("at least {} and below 1", kFinestLoad);
  const auto is_load = [](double value) { return value >= kFinestLoad && value < 1; };
  expect(is_load(search.precision), "precision", loads, search.precision);
  expect(search.share > 0 && search.share <= 1, "share", "above 0 and at most 1", search.share);
  if (!search.latency) expect(search.times >= 1, "times", "at least 1", search.times);
  expect(is_load(search.lowest), "lowest", loads, search.lowest);
}

std::string to_string(const SaturationSearch& search) {
  const std::string limit =
      search.latency ? "latency " + to_string(*search.latency) : fmt::format("times {}", search.times);
  return fmt::format("saturation search: precision {}, share {}, {}, lowest {}", search.precision,
                     search.share, limit, search.lowest);
}

}  // namespace headway
