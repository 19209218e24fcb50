// SPDX-License-Identifier: Apache-2.0
#include "headway/topology/infiniband_speeds.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "headway/base/parse_number.h"

namespace headway {
namespace {

struct Speed {
  std::string_view name;
  Rational bytes_per_ns;  // data rate of one lane, without coding overhead
};
// InfiniBand Architecture Specification 1.3, volume 2, section 5; newer speeds are rounded as in the
// InfiniBand roadmap.
const Speed kSpeeds[] = {{"SDR", Rational(1, 4)},   {"DDR", Rational(1, 2)},   {"QDR", Rational(1)},
                         {"FDR10", Rational(5, 4)}, {"FDR", Rational(75, 44)}, {"EDR", Rational(25, 8)},
                         {"HDR", Rational(25, 4)},  {"NDR", Rational(25, 2)},  {"XDR", Rational(25)}};
constexpr std::uint32_t kMostLanes = 12;
constexpr std::uint32_t kWidths[] = {4, 1, 2, 8, kMostLanes};  // the usual one first

}  // namespace

std::optional<Rate> infiniband_rate(std::string_view word) {
  const auto lanes = take_number<std::uint32_t>(word);
  if (!lanes || *lanes == 0 || *lanes > kMostLanes || !word.starts_with('x')) return std::nullopt;
  const auto* const speed = std::ranges::find(kSpeeds, word.substr(1), &Speed::name);
  if (speed == std::end(kSpeeds)) return std::nullopt;
  return Rate{speed->bytes_per_ns * Rational(*lanes)};
}

std::optional<std::string> infiniband_speed(const Rate& rate) {
  for (const std::uint32_t lanes : kWidths)
    for (const Speed& speed : kSpeeds)
      if (speed.bytes_per_ns * Rational(lanes) == rate.bytes_per_ns)
        return std::to_string(lanes) + 'x' + std::string(speed.name);
  return std::nullopt;
}

std::string infiniband_speed_names() {
  std::string names;
  for (const Speed& speed : kSpeeds) names += (names.empty() ? "" : ", ") + std::string(speed.name);
  return names;
}

}  // namespace headway
