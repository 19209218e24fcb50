// SPDX-License-Identifier: Apache-2.0
// The parameters of a saturation search (run/saturation.h): what counts as sustained, and when to stop.
#pragma once

#include <optional>
#include <string>

#include "headway/base/error.h"
#include "headway/base/units.h"

namespace headway {

// Choice: the papers define "the point where average message latency dramatically increases" (OBQA, section
// 4.2) without a number.
inline constexpr double kSaturatedShare = 0.97;
inline constexpr double kSaturatedLatency = 5.0;

// The finest precision, and the smallest load, of a search. Choice: one packet of a million; the verdict on a
// window of affordable length cannot tell such loads apart.
inline constexpr double kFinestLoad = 1e-6;

struct SaturationSearch {
  double precision = 0.01;  // width of the interval that ends the search
  double share = kSaturatedShare;
  double times = kSaturatedLatency;
  std::optional<Duration> latency = {};  // maximum mean latency; replaces `times`
  double lowest = 0.01;                  // load of the nearly empty network that gives the reference latency

  friend bool operator==(const SaturationSearch&, const SaturationSearch&) = default;
};

// Reports numbers that are out of range, by their names.
void check(const SaturationSearch& search, Mistakes& mistakes);

// "saturation search: precision 0.01, share 0.97, ...": all that, with the spec, determines the result of a
// search. It is part of the key of a stored result (run/run_key.h).
std::string to_string(const SaturationSearch& search);

}  // namespace headway
