// SPDX-License-Identifier: Apache-2.0
#include "headway/experiment/slotted.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string_view>

#include "headway/base/cpu_time.h"
#include "headway/experiment/run.h"
#include "headway/experiment/student_t.h"
#include "headway/metrics/zones.h"
#include "headway/topology/banyan.h"
#include "headway/topology/multistage.h"

namespace headway {
namespace {

constexpr std::array<std::string_view, 2> kQueueings = {"input-link", "output-link"};
constexpr std::array<std::string_view, 2> kSpreads = {"by-sender", "by-receiver"};
constexpr std::array<std::string_view, 3> kBlocked = {"wait", "redraw", "discard"};
constexpr std::array<std::string_view, 2> kWhenFull = {"drop", "hold"};

// The enumerator at the place of its name.
template <class Enum, std::size_t kSize>
Enum named(const std::array<std::string_view, kSize>& names, std::string_view name) {
  return static_cast<Enum>(std::ranges::find(names, name) - names.begin());
}

}  // namespace

void SlottedSpec::describe_switch(Parameters& parameters) {
  parameters.field(
      {.name = "classes", .help = "priority classes; 0 is the highest", .at_least = 1, .at_most = 8},
      classes);
  parameters.field(
      {.name = "buffer", .help = "packets per queue in stages of one layer", .at_least = 1, .at_most = 4096},
      buffer);
  parameters.field({.name = "layered_buffer",
                    .help = "packets per queue in stages of several layers",
                    .at_least = 1,
                    .at_most = 4096},
                   layered_buffer);
  parameters.field(
      {.name = "stage_buffers",
       .help = "packets per queue, a number per stage or one per stage and class, stage by stage; "
               "replaces the two above"},
      stage_buffers);
  parameters.field(
      {.name = "queueing",
       .help = "where packets queue: per input link before the switch or per output link behind it",
       .choices = kQueueings},
      queueing);
  parameters.field({.name = "spread",
                    .help = "the layer that a packet enters: of the input link it leaves from or arrives on",
                    .choices = kSpreads},
                   spread);
  parameters.field(
      {.name = "pass", .help = "a lower class may leave while the head of a higher one is blocked"}, pass);
  parameters.field({.name = "blocked",
                    .help = "what a blocked head does: wait, redraw its destination, or be discarded",
                    .choices = kBlocked},
                   blocked);
  parameters.field({.name = "reuse", .help = "a place freed in a slot can be taken in the same slot"}, reuse);
}

void SlottedSpec::describe_traffic(Parameters& parameters) {
  parameters.field(
      {.name = "load", .help = "probability of an arrival per input and slot", .at_least = 0, .at_most = 1},
      load);
  parameters.field({.name = "hotspot_fraction",
                    .help = "of the load, for one output; the rest is uniform over all",
                    .at_least = 0,
                    .at_most = 1},
                   hotspot_fraction);
  parameters.field({.name = "hotspot", .help = "that output; zones are counted from it", .at_least = 0},
                   hotspot);
  parameters.field(
      {.name = "hotspot_class", .help = "class of the hot-spot packets; default: the lowest", .at_least = 0},
      hotspot_class);
  parameters.field({.name = "high_share",
                    .help = "of the uniform load, for class 0; the other classes share the rest evenly",
                    .at_least = 0,
                    .at_most = 1},
                   high_share);
  parameters.field({.name = "class_percent",
                    .help = "percent of the uniform load for each class, 100 in all; replaces high_share",
                    .at_least = 0,
                    .at_most = 100},
                   class_percent);
  parameters.field(
      {.name = "when_full",
       .help = "an arrival that finds its queue full is lost (drop) or waits at the input (hold)",
       .choices = kWhenFull},
      when_full);
}

void SlottedSpec::describe_measure(Parameters& parameters) {
  parameters.field({.name = "slots",
                    .help = "measured slots, over the 64 replications of a run together",
                    .at_least = 64,
                    .at_most = 1e12},
                   slots);
  parameters.field({.name = "warmup_slots",
                    .help = "slots before them, of every replication",
                    .at_least = 0,
                    .at_most = 1e9},
                   warmup_slots);
  parameters.field({.name = "delay_weight",
                    .help = "importance of delay in the universal performance factor",
                    .at_least = 0},
                   delay_weight);
  parameters.field(
      {.name = "throughput_weight", .help = "importance of relative throughput there", .at_least = 0},
      throughput_weight);
}

slotted::Design design_of(const SlottedSpec& spec, const Topology& topology) {
  const auto& net = dynamic_cast<const Multistage&>(topology);
  slotted::Design design;
  design.nodes = static_cast<std::uint32_t>(net.nodes());
  design.fan_in = static_cast<std::uint32_t>(net.fan_in());
  design.fan_out = static_cast<std::uint32_t>(net.fan_out());
  design.wiring = net.wiring();
  design.classes = static_cast<std::uint32_t>(spec.classes);
  design.layers = net.layers(design.stages());
  if (spec.stage_buffers.empty()) {
    for (const std::uint32_t layers : design.layers)
      design.buffers.push_back({static_cast<std::uint32_t>(layers > 1 ? spec.layered_buffer : spec.buffer)});
  } else {
    const bool per_class = spec.stage_buffers.size() == std::size_t{design.stages()} * design.classes;
    for (std::size_t i = 0; i < spec.stage_buffers.size(); ++i) {
      if (!per_class || i % design.classes == 0) design.buffers.emplace_back();
      design.buffers.back().push_back(
          static_cast<std::uint32_t>(std::clamp<std::int64_t>(spec.stage_buffers[i], 0, UINT32_MAX)));
    }
  }
  design.rules.queueing = named<slotted::Queueing>(kQueueings, spec.queueing);
  design.rules.spread = named<slotted::Spread>(kSpreads, spec.spread);
  design.rules.blocked = named<slotted::Blocked>(kBlocked, spec.blocked);
  design.rules.pass = spec.pass;
  design.rules.reuse = spec.reuse;
  design.rules.hold = spec.when_full == "hold";
  return design;
}

slotted::Traffic traffic_of(const SlottedSpec& spec) {
  slotted::Traffic traffic;
  traffic.load = spec.load;
  traffic.hotspot_fraction = spec.hotspot_fraction;
  traffic.hotspot = static_cast<std::uint32_t>(std::min<std::int64_t>(spec.hotspot, UINT32_MAX));
  traffic.hotspot_class = static_cast<std::uint32_t>(
      std::min<std::int64_t>(spec.hotspot_class.value_or(spec.classes - 1), UINT32_MAX));
  traffic.shares.clear();
  for (const std::int64_t percent : spec.class_percent)
    traffic.shares.push_back(static_cast<double>(percent) / 100);
  if (spec.class_percent.empty()) {
    const double high = spec.classes == 1 ? 1.0 : spec.high_share;
    traffic.shares.assign(static_cast<std::size_t>(spec.classes),
                          (1 - high) / std::max<double>(1, static_cast<double>(spec.classes - 1)));
    traffic.shares.front() = high;
  }
  return traffic;
}

void check(const SlottedSpec& spec, const Topology& topology, Mistakes& mistakes) {
  if (dynamic_cast<const Multistage*>(&topology) == nullptr) {
    std::string names;
    for (const auto& wiring : wirings()) names += (names.empty() ? "" : ", ") + std::string(wiring.name);
    mistakes.add("network.topology", "the slotted kernel runs multistage networks only", names);
    return;
  }
  slotted::check(design_of(spec, topology), traffic_of(spec), mistakes);
}

namespace {

// Metrics under the names of docs/modelling.md, with their intervals.
class Writer {
 public:
  explicit Writer(Result& result) : result_(result) {}

  void add(const std::string& name, double value) { result_.metrics.emplace_back(name, value); }
  void add(const std::string& name, const metrics::Estimate& estimate) {
    add(name, estimate.value);
    result_.intervals.emplace_back(name, estimate.half_width);
  }
  void add(const std::string& part, const metrics::ZoneMetrics& values) {
    add(part + "_throughput", values.normalised_throughput);
    add(part + "_relative_throughput", values.relative_throughput);
    add(part + "_normalised_delay", values.normalised_delay);
    add(part + "_universal", values.universal);
  }

 private:
  Result& result_;
};

double total(const std::vector<slotted::LaneCounts>& counts) {
  std::uint64_t sum = 0;
  for (const auto& lanes : counts) sum = std::accumulate(lanes.begin(), lanes.end(), sum);
  return static_cast<double>(sum);
}

std::string name_of_zone(std::uint32_t zone) {
  if (zone == 0) return "hotspot";
  return zone == 1 ? "adjacent" : "cold_" + std::to_string(zone - 1);
}

void write_metrics(Result& result, const slotted::Outcome& outcome, const slotted::Plan& plan,
                   const slotted::Design& design, const slotted::Traffic& traffic,
                   const metrics::Weights& weights) {
  Writer out(result);
  const auto evaluate = [&](const metrics::Part& part) {
    return metrics::evaluate(outcome, plan, metrics::class_curve(design, traffic, part), weights);
  };
  const metrics::ZoneMetrics all = evaluate({});
  const auto lane_slots = static_cast<double>(outcome.slots * slotted::kLanes);
  out.add("offered_load",
          total(outcome.offered) / lane_slots / static_cast<double>(plan.source_queue.size()));
  out.add("accepted_load", all.normalised_throughput);
  out.add("normalised_delay", all.normalised_delay);
  out.add("packets_delivered", total(outcome.delivered));
  out.add("switching_elements", static_cast<double>(plan.switching_elements));
  out.add("hotspot", metrics::evaluate(outcome, plan, metrics::hotspot_curve(design, traffic), weights));
  for (std::uint32_t c = 0; c < plan.classes; ++c) {
    const std::string name = "class_" + std::to_string(c);
    out.add(name, evaluate({{}, c}));
    out.add(name + "_blocked_fraction", metrics::blocked_fraction(outcome, c));
    for (std::uint32_t zone = 0; zone < plan.zones(); ++zone)
      out.add(name_of_zone(zone) + "_" + name, evaluate({zone, c}));
  }
}

// A network in slots loses or blocks what it cannot take, so nothing outstanding grows without limit. It is
// steady if its two halves deliver the same, which the scatter of the replications tells.
void judge(const slotted::Outcome& outcome, Result& result) {
  constexpr std::uint64_t kFewestSlots = 20;  // per replication
  constexpr double kFewestPackets = 100, kScore = 4, kPartThatMatters = 0.02;
  if (outcome.slots < kFewestSlots || total(outcome.delivered) < kFewestPackets) {
    result.status = Status::too_short;
    result.longer = std::max(2.0, std::max(2.0 * kFewestSlots / static_cast<double>(outcome.slots),
                                           2 * kFewestPackets / std::max(1.0, total(outcome.delivered))));
    result.detail = fmt::format(
        "{:.0f} packets in {} slots per replication tell too little; {:.2g} times as many "
        "slots would probably do",
        total(outcome.delivered), outcome.slots, result.longer);
    return;
  }
  const auto early_slots = static_cast<double>(outcome.slots / 2);
  const auto late_slots = static_cast<double>(outcome.slots) - early_slots;
  std::vector<double> early, change;
  for (std::uint32_t lane = 0; lane < slotted::kLanes; ++lane) {
    double first = 0, all = 0;
    for (const auto& lanes : outcome.delivered_early) first += static_cast<double>(lanes[lane]);
    for (const auto& lanes : outcome.delivered) all += static_cast<double>(lanes[lane]);
    early.push_back(first / early_slots);
    change.push_back((all - first) / late_slots - early.back());
  }
  const double moved = mean_of(change), before = mean_of(early);
  if (std::abs(moved) <= kScore * standard_error_of(change) || std::abs(moved) <= kPartThatMatters * before)
    return;
  result.status = Status::not_steady;
  result.longer = 2;
  result.detail = fmt::format(
      "the network delivers {:.4g} packets per slot in the first half of the window and {:.4g} "
      "in the second; give more warmup_slots",
      before, before + moved);
}

}  // namespace

Result run(const SlottedSpec& spec, const Topology& topology, std::uint64_t seed, const RunOptions& options) {
  Mistakes mistakes;
  check(spec, topology, mistakes);
  mistakes.throw_if_any();
  const slotted::Design design = design_of(spec, topology);
  const slotted::Traffic traffic = traffic_of(spec);
  const slotted::Plan plan = slotted::compile(design, traffic);

  const double cpu_before = cpu_seconds();
  slotted::Schedule schedule;
  schedule.slots = static_cast<std::uint64_t>(spec.slots);
  schedule.warmup = static_cast<std::uint64_t>(spec.warmup_slots);
  schedule.seed = seed;
  schedule.check = options.check;
  const slotted::Outcome outcome = slotted::run(plan, schedule, [&](double done) {
    throw_if_set(options.cancelled);
    options.report(done);
  });

  Result result;
  write_metrics(result, outcome, plan, design, traffic, {spec.delay_weight, spec.throughput_weight});
  judge(outcome, result);
  result.trace_hash = slotted::hash_of(outcome);
  result.cpu_s = cpu_seconds() - cpu_before;
  return result;
}

}  // namespace headway
