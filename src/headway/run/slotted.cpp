// SPDX-License-Identifier: Apache-2.0
// One run of the slotted kernel.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "headway/base/cpu_time.h"
#include "headway/base/statistics.h"
#include "headway/compile/slotted.h"
#include "headway/metrics/zones.h"
#include "headway/run/run.h"

namespace headway {
namespace {

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
  out.add("normalised_delay", all.normalised_delay);
  out.add("packets_delivered", total(outcome.delivered));
  out.add("switching_elements", static_cast<double>(plan.switching_elements));
  out.add("hotspot", evaluate(outcome, plan, hotspot_curve(design, traffic), weights));
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

Result run(const SlottedSpec& spec, const RunOptions& options, const RunProgress& progress) {
  Mistakes mistakes;
  check(spec, mistakes);
  mistakes.throw_if_any();
  const slotted::Design design = design_of(spec);
  const slotted::Traffic traffic = traffic_of(spec);
  const slotted::Plan plan = slotted::compile(design, traffic);

  const double cpu_before = cpu_seconds();
  slotted::Schedule schedule;
  schedule.slots = static_cast<std::uint64_t>(spec.slots);
  schedule.warmup = static_cast<std::uint64_t>(spec.warmup_slots);
  schedule.seed = spec.seed;
  schedule.check = options.check;
  const slotted::Outcome outcome = slotted::run(plan, schedule, [&](double done) {
    throw_if_set(options.cancelled);
    progress.report(done);
  });

  Result result;
  write_metrics(result, outcome, plan, design, traffic, {spec.delay_weight, spec.throughput_weight});
  judge(outcome, result);
  result.trace_hash = slotted::hash_of(outcome);
  result.cpu_s = cpu_seconds() - cpu_before;
  return result;
}

}  // namespace headway
