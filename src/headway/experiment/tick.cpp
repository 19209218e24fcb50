// SPDX-License-Identifier: Apache-2.0
#include "headway/experiment/tick.h"

namespace headway {

Duration tick_of(const Spec& spec, const std::vector<Link>& links) {
  Rational tick = spec.switches.routing_delay.ns;
  const auto divide = [&](const Duration& duration) { tick = common_divisor(tick, duration.ns); };
  for (const Link& link : links) {
    divide(Duration{Rational(1) / link.rate.bytes_per_ns});
    divide(link.delay);
  }
  for (const FlowSpec& flow : spec.traffic.flows) {
    if (flow.start) divide(*flow.start);
    if (flow.stop) divide(*flow.stop);
    for (const LoadSpec::Point& point : flow.load.points) divide(point.at);
  }
  if (spec.measure.warmup) divide(*spec.measure.warmup);
  divide(spec.measure.duration);
  if (spec.measure.bin) divide(*spec.measure.bin);
  return {tick};
}

std::int64_t ticks(const Duration& duration, const Duration& tick) {
  return (duration.ns / tick.ns).numerator();
}

}  // namespace headway
