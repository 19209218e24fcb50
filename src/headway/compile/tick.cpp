// SPDX-License-Identifier: Apache-2.0
#include "headway/compile/tick.h"

#include <utility>

namespace headway {

std::vector<NamedDuration> durations_of(const EventSpec& spec, const std::vector<Link>& links) {
  std::vector<NamedDuration> durations;
  const auto add = [&](std::string key, const Duration& duration) {
    durations.push_back({std::move(key), duration});
  };
  for (const Link& link : links) {
    add("network.link.rate", Duration{Rational(1) / link.rate.bytes_per_ns});
    add("network.link.delay", link.delay);
    if (has_output_units(spec.switches))
      add("switch.crossbar_speedup",
          Duration{Rational(1) / (link.rate.bytes_per_ns * speedup_of(spec.switches))});
  }
  add("switch.routing_delay", spec.switches.routing_delay);
  if (const auto plan = spec.switches.scheme->isolation()) {
    add("switch.idle_time", plan->idle);
    if (plan->notification_delay) add("switch.notification_delay", *plan->notification_delay);
  }
  if (spec.measure.warmup) add("measure.warmup", *spec.measure.warmup);
  add("measure.duration", spec.measure.duration);
  if (spec.measure.bin) add("measure.bin", *spec.measure.bin);
  for (std::size_t f = 0; f < spec.traffic.flows.size(); ++f) {
    const FlowSpec& flow = spec.traffic.flows[f];
    const std::string key = "traffic.flow[" + std::to_string(f) + "].";
    if (flow.start) add(key + "start", *flow.start);
    if (flow.stop) add(key + "stop", *flow.stop);
    for (const LoadSpec::Point& point : flow.load.points) add(key + "load", point.at);
  }
  for (std::size_t t = 0; t < spec.traffic.traces.size(); ++t)
    add("traffic.trace[" + std::to_string(t) + "].start", spec.traffic.traces[t].start);
  return durations;
}

Duration tick_of(const EventSpec& spec, const std::vector<Link>& links) {
  Rational tick = 0;
  for (const NamedDuration& named : durations_of(spec, links)) tick = common_divisor(tick, named.duration.ns);
  return {tick};
}

std::int64_t ticks(const Duration& duration, const Duration& tick) {
  return (duration.ns / tick.ns).numerator();
}

}  // namespace headway
