// SPDX-License-Identifier: Apache-2.0
#include "headway/compile/tick.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "headway/config/limits.h"
#include "headway/engine/network_options.h"
#include "headway/spec/job_copies.h"

namespace headway {
namespace {

struct NamedDuration {
  std::string key;  // of the spec that it comes from
  Duration duration;
  bool is_of_byte = false;
};

std::vector<NamedDuration> durations_of(const EventSpec& spec, const std::vector<Link>& links) {
  std::vector<NamedDuration> durations;
  const auto add = [&](std::string key, const Duration& duration) {
    durations.push_back({std::move(key), duration});
  };
  const auto add_byte = [&](std::string key, const Rational& bytes_per_ns) {
    durations.push_back({std::move(key), Duration{Rational(1) / bytes_per_ns}, true});
  };
  for (const Link& link : links) {
    add_byte("network.link.rate", link.rate.bytes_per_ns);
    add("network.link.delay", link.delay);
    if (has_output_units(spec.switches))
      add_byte("switch.crossbar_speedup", link.rate.bytes_per_ns * speedup_of(spec.switches));
  }
  add("switch.routing_delay", spec.switches.routing_delay);
  for (const auto& [key, time] : times_of(spec.switches.scheme)) add("switch." + std::string(key), time);
  for (const auto& [key, time] : times_of(spec.switches.flow_control))
    add("switch." + std::string(key), time);
  for (const auto& [key, time] : times_of(spec.node.reaction)) add("node." + std::string(key), time);
  if (spec.node.notification_delay) add("node.notification_delay", *spec.node.notification_delay);
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
  for (std::size_t j = 0; j < spec.traffic.jobs.size(); ++j) {
    const JobSpec& job = spec.traffic.jobs[j];
    if (job.copy > 0) continue;
    const std::string key = key_of_job(spec.traffic, j) + ".";
    add(key + "start", job.start);
    if (job.copies > 1) {
      add(key + "interarrival", job.interarrival);
      add(key + "copies", Duration{job.interarrival.ns * Rational(job.copies)});  // the last one's start
    }
    add(key + "local_delay", job.local_delay);
  }
  for (std::size_t e = 0; e < spec.events.size(); ++e) {
    const LinkEventSpec& event = spec.events[e];
    const std::string key = fmt::format("event[{}].", e);
    add(key + "at", event.at);
    if (event.lasts) add(key + "lasts", *event.lasts);
    if (event.every) add(key + "every", *event.every);
    if (const std::int64_t millionths = std::llround(event.rate * 1e6); millionths > 0)
      for (const Link& link : links)
        add_byte(key + "rate", link.rate.bytes_per_ns * Rational(millionths, 1'000'000));
  }
  if (spec.routing.choose_per == ChoosePer::flowlet)
    add("routing.flowlet_gap", spec.routing.gap_of_flowlets());
  if (spec.routing.reroute_after) add("routing.reroute_after", *spec.routing.reroute_after);
  if (spec.measure.until == Until::done) add("measure.limit", spec.measure.limit);
  return durations;
}

// The duration that makes the tick short.
const NamedDuration& finest(const std::vector<NamedDuration>& durations) {
  return *std::ranges::max_element(
      durations, {}, [](const NamedDuration& named) { return named.duration.ns.denominator(); });
}

bool is_at_most(const Rational& ns, const Rational& tick, std::int64_t ticks) {
  try {
    return ns / tick <= Rational(ticks);
  } catch (const std::overflow_error&) {
    return false;
  }
}

std::string text_of(const NamedDuration& named) {
  return (named.is_of_byte ? "the time of a byte, " : "") + to_string(named.duration);
}

std::string remedy(const NamedDuration& named) {
  if (named.key == "network.link.rate") {
    const double picoseconds = std::max(1.0, std::round(1000 * named.duration.ns.to_double()));
    const Rate near{Rational(1000, static_cast<std::int64_t>(picoseconds))};
    return fmt::format("choose a rate at which a byte takes a whole number of picoseconds, such as \"{}\"",
                       to_string(near));
  }
  return fmt::format("choose {} so that {} takes a whole number of picoseconds", named.key,
                     named.is_of_byte ? "a byte" : "it");
}

// Reports times that are too long in ticks.
bool fit(const EventSpec& spec, const std::vector<Link>& links, const std::vector<NamedDuration>& durations,
         const Rational& tick, Mistakes& mistakes) {
  const auto fits = [&](const std::string& key, const Rational& ns, std::int64_t most,
                        std::string_view what = "") {
    if (is_at_most(ns, tick, most)) return true;
    const NamedDuration& cause = finest(durations);
    const bool is_caused = tick < Rational(1, 1000) && cause.key != key;  // 1 ps
    mistakes.add(key,
                 fmt::format("{}{} is too long in ticks of {}{}", what, to_string(Duration{ns}),
                             to_string(Duration{tick}),
                             is_caused ? fmt::format(", which {} needs: {}", cause.key, text_of(cause)) : ""),
                 fmt::format("at most {} ticks{}", most, is_caused ? ", so " + remedy(cause) : ""));
    return false;
  };
  for (const NamedDuration& named : durations) {
    const bool is_hop = named.key.starts_with("network.") || named.key.starts_with("switch.");
    if (!fits(named.key, named.duration.ns, is_hop ? limits::kTicksOfHop : limits::kTicksOfRun)) return false;
  }
  if (spec.observe.waiting && !fits("observe.interval", spec.observe.interval.ns, limits::kTicksOfRun))
    return false;
  if (!fits("measure.duration", longest_run(spec), limits::kTicksOfRun, "a run of ")) return false;
  Rational slowest = 0;  // time of a byte
  for (const Link& link : links) slowest = std::max(slowest, Rational(1) / link.rate.bytes_per_ns);
  bool all = true;
  for (std::size_t f = 0; f < spec.traffic.flows.size(); ++f) {
    Mistakes of_sizes;
    spec.traffic.flows[f].sizes->check(of_sizes);
    if (!of_sizes.empty()) continue;  // check_sizes reports these mistakes, and messages of too many packets
    const SizeDistribution sizes = spec.traffic.flows[f].sizes->build(spec.traffic.packet.count);
    const auto packets = static_cast<std::int64_t>(sizes.most()) / spec.traffic.packet.count;
    if (packets > limits::kPacketsOfMessage) continue;
    all &= fits(fmt::format("traffic.flow[{}].{}", f, sizes.fixed() ? "message" : "sizes"),
                Rational(std::llround(spec.traffic.framing().mean_frames(sizes))) * slowest,
                limits::kTicksOfMessage, "on its link, a message of ");
  }
  return all;
}

// Returns zero if the divisor has no exact representation.
Rational divisor_or_zero(const Rational& a, const Rational& b) {
  try {
    return common_divisor(a, b);
  } catch (const std::overflow_error&) {
    return 0;
  }
}

}  // namespace

std::optional<Duration> tick_of(const EventSpec& spec, const std::vector<Link>& links, Mistakes& mistakes) {
  Rational tick = 0;
  const std::vector<NamedDuration> durations = durations_of(spec, links);
  for (const NamedDuration& named : durations) {
    const Rational finer = divisor_or_zero(tick, named.duration.ns);
    if (finer == Rational(0) && named.duration.ns != Rational(0)) {
      const NamedDuration& cause = finest(durations);
      mistakes.add(cause.key,
                   fmt::format("{} has no common tick with the other times of the spec", text_of(cause)),
                   remedy(cause));
      return std::nullopt;
    }
    tick = finer;
  }
  if (!fit(spec, links, durations, tick, mistakes)) return std::nullopt;
  return Duration{tick};
}

Rational longest_run(const EventSpec& spec) {
  const MeasureSpec& measure = spec.measure;
  // Choice: how long jobs take is not known before the run; memory is estimated for a millisecond.
  if (measure.until == Until::done) return std::min(measure.limit.ns, Rational(1'000'000));
  if (measure.warmup) return measure.warmup->ns + measure.duration.ns;
  Rational last = 0;  // change of a load
  for (const FlowSpec& flow : spec.traffic.flows) {
    for (const LoadSpec::Point& point : flow.load.points) last = std::max(last, point.at.ns);
    if (flow.start) last = std::max(last, flow.start->ns);
    if (flow.stop) last = std::max(last, flow.stop->ns);
  }
  return last + measure.duration.ns * Rational(1 + kWarmupLimit);
}

std::int64_t ticks(const Duration& duration, const Duration& tick) {
  return (duration.ns / tick.ns).numerator();
}

std::int64_t whole_ticks(const Duration& duration, const Duration& tick) {
  const Rational ticks = duration.ns / tick.ns;
  return ticks.numerator() / ticks.denominator();
}

}  // namespace headway
