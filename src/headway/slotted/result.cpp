// SPDX-License-Identifier: Apache-2.0
// One run: its metrics and its verdict.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "headway/base/cpu_time.h"
#include "headway/base/statistics.h"
#include "headway/metrics/metric.h"
#include "headway/metrics/metric_names.h"
#include "headway/metrics/result.h"
#include "headway/run/run.h"
#include "headway/slotted/run.h"
#include "headway/slotted/spec.h"
#include "headway/slotted/zones.h"

namespace headway {
namespace {

constexpr std::string_view kNormalisedDelay = "normalised_delay";

// A zone such as "hotspot", "class_1", or a class in a zone: "cold_5_class_1".
bool take_part(std::string_view& name) {
  if (take_word(name, "class_")) return take_number(name);
  if (!take_word(name, "hotspot") && !take_word(name, "adjacent") &&
      !(take_word(name, "cold_") && take_number(name)))
    return false;
  return !take_word(name, "_class_") || take_number(name);
}

constexpr Placeholder kPart{
    .word = "PART",
    .meaning =
        "`class_C`, a zone such as `hotspot` or `cold_5`, or a class in a zone such as `cold_5_class_1` "
        "([slotted.md](slotted.md))",
    .take = take_part};

constexpr Metric of_part(std::string_view name, std::string_view unit, std::string_view help) {
  Metric metric(name, unit, help);
  metric.placeholder = &kPart;
  return metric;
}

constexpr Metric kOwnMetrics[] = {
    {kNormalisedDelay, "slots per stage",
     "mean time in the network divided by the minimum time, over all packets"},
    {"switching_elements", "1", "number of switches in all stages and layers", OverSeeds::same},
    more_is_better(of_part("PART_throughput", "packets per output and slot",
                           "packets delivered to the outputs of the part")),
    more_is_better(of_part("PART_relative_throughput", "1",
                           "throughput divided by the part's share at load 1; ideally equal to the load")),
    of_part("PART_normalised_delay", "slots per stage",
            "mean time in the network divided by the minimum time"),
    of_part(
        "PART_universal", "1",
        "universal performance factor: distance from minimum delay and full relative throughput; 0 is best"),
    of_part("PART_blocked_fraction", "1",
            "fraction of the generated arrivals of a class that found no free place"),
};

constexpr std::string_view kShownMetrics[] = {metrics::offered_load, metrics::accepted_load, kNormalisedDelay,
                                              "hotspot_relative_throughput"};

// Metrics under the names of docs/metrics.md, with their intervals.
class Writer {
 public:
  explicit Writer(Result& result) : result_(result) {}

  void add(const std::string& name, double value) { result_.metrics.emplace_back(name, value); }
  void add(const std::string& name, const ZoneEstimate& estimate) {
    add(name, estimate.value);
    result_.intervals.emplace_back(name, estimate.half_width);
  }
  void add(const std::string& part, const ZoneMetrics& values) {
    add(part + "_throughput", values.normalised_throughput);
    add(part + "_relative_throughput", values.relative_throughput);
    add(part + "_normalised_delay", values.normalised_delay);
    add(part + "_universal", values.universal);
  }

 private:
  Result& result_;
};

double total(const std::vector<slotted::ReplicationCounts>& counts) {
  std::uint64_t sum = 0;
  for (const auto& replications : counts)
    sum = std::accumulate(replications.begin(), replications.end(), sum);
  return static_cast<double>(sum);
}

std::string name_of_zone(std::uint32_t zone) {
  if (zone == 0) return "hotspot";
  return zone == 1 ? "adjacent" : "cold_" + std::to_string(zone - 1);
}

void write_metrics(Result& result, const slotted::Outcome& outcome, const slotted::Plan& plan,
                   const slotted::Design& design, const slotted::Traffic& traffic,
                   const ZoneWeights& weights) {
  Writer out(result);
  const auto part_values = [&](const ZonePart& part) {
    return evaluate(outcome, plan, class_curve(design, traffic, part), weights);
  };
  const ZoneMetrics all = part_values({});
  const auto lane_slots = static_cast<double>(outcome.slots * slotted::kReplications);
  out.add("offered_load",
          total(outcome.offered) / lane_slots / static_cast<double>(plan.source_queue.size()));
  out.add("accepted_load", all.normalised_throughput);
  out.add(std::string(kNormalisedDelay), all.normalised_delay);
  out.add("packets_delivered", total(outcome.delivered));
  out.add("switching_elements", static_cast<double>(plan.switching_elements));
  for (std::uint32_t zone = 0; zone < plan.zones(); ++zone)
    out.add(name_of_zone(zone), evaluate(outcome, plan, zone_curve(design, traffic, zone), weights));
  for (std::uint32_t c = 0; c < plan.classes; ++c) {
    const std::string name = "class_" + std::to_string(c);
    out.add(name, part_values({{}, c}));
    out.add(name + "_blocked_fraction", blocked_fraction(outcome, c));
    for (std::uint32_t zone = 0; zone < plan.zones(); ++zone)
      out.add(name_of_zone(zone) + "_" + name, part_values({zone, c}));
  }
}

// A slotted network discards or blocks arrivals that it cannot accept, so the outstanding traffic is bounded.
// It is steady if both halves of the window deliver equally much, within the scatter of the replications.
void judge(const slotted::Outcome& outcome, Result& result) {
  constexpr std::uint64_t kFewestSlots = 20;  // per replication
  constexpr double kFewestPackets = 100, kScore = 4, kPartThatMatters = 0.02;
  if (outcome.slots < kFewestSlots || total(outcome.delivered) < kFewestPackets) {
    result.status = Status::too_short;
    result.longer = std::max(2.0, std::max(2.0 * kFewestSlots / static_cast<double>(outcome.slots),
                                           2 * kFewestPackets / std::max(1.0, total(outcome.delivered))));
    result.detail = fmt::format(
        "{:.0f} packets in {} slots per replication are too few for a result; {:.2g} times as many slots are "
        "probably enough",
        total(outcome.delivered), outcome.slots, result.longer);
    return;
  }
  const std::uint64_t half = outcome.slots / 2;
  const auto early_slots = static_cast<double>(half);
  const auto late_slots = static_cast<double>(outcome.slots) - early_slots;
  std::vector<double> early, change;
  for (std::uint32_t replication = 0; replication < slotted::kReplications; ++replication) {
    double first = 0, all = 0;
    for (const auto& replications : outcome.delivered_early)
      first += static_cast<double>(replications[replication]);
    for (const auto& replications : outcome.delivered) all += static_cast<double>(replications[replication]);
    early.push_back(first / early_slots);
    change.push_back((all - first) / late_slots - early.back());
  }
  const double moved = mean_of(change), before = mean_of(early);
  if (std::abs(moved) <= kScore * standard_error_of(change) || std::abs(moved) <= kPartThatMatters * before)
    return;
  result.status = Status::not_steady;
  result.longer = 2;
  result.detail = fmt::format(
      "the network delivers {:.4g} packets per slot in the first half of the window and {:.4g} in the "
      "second; increase warmup_slots",
      before, before + moved);
}

}  // namespace

std::string_view SlottedSpec::latency() const { return kNormalisedDelay; }
std::span<const Metric> SlottedSpec::own_metrics() const { return kOwnMetrics; }
std::span<const std::string_view> SlottedSpec::shown_metrics() const { return kShownMetrics; }

Result SlottedSpec::run(const RunOptions& options, const RunProgress& progress) const {
  Mistakes mistakes;
  check(mistakes);
  mistakes.throw_if_any();
  const slotted::Plan plan = slotted::compile(design(), traffic());

  const double cpu_before = cpu_seconds();
  const slotted::Schedule schedule{.slots = static_cast<std::uint64_t>(slots),
                                   .warmup = static_cast<std::uint64_t>(warmup_slots),
                                   .seed = seed,
                                   .check = options.check};
  const slotted::Outcome outcome = slotted::run(plan, schedule, [&](double done) {
    throw_if_set(options.cancelled);
    progress.report(done);
  });

  Result result;
  write_metrics(result, outcome, plan, design(), traffic(), {delay_weight, throughput_weight});
  judge(outcome, result);
  result.trace_hash = slotted::hash_of(outcome);
  result.cpu_s = cpu_seconds() - cpu_before;
  return result;
}

}  // namespace headway
