// SPDX-License-Identifier: Apache-2.0
#include "headway/slotted/spec.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "headway/base/cpu_time.h"
#include "headway/config/limits.h"
#include "headway/metrics/result.h"
#include "headway/run/run.h"
#include "headway/slotted/run.h"
#include "headway/topology/multistage.h"

namespace headway {

Entry<Kernel> slotted_kernel() {
  return {"slotted", "one packet time per slot (multistage networks with priority classes)",
          "papers/multilayer", make_entry<Kernel, SlottedSpec>};
}

void SlottedSpec::describe_switch(Parameters& parameters) {
  parameters.field({.name = "classes",
                    .help = "number of priority classes; class 0 has the highest priority",
                    .bounds = Bounds::from(1, 8)},
                   classes);
  parameters.field({.name = "buffer",
                    .help = "queue size in packets, in stages with one layer; with queueing "
                            "\"virtual-output\", packets of all queues of an input link",
                    .bounds = Bounds::from(1, 4096)},
                   buffer);
  parameters.field({.name = "layered_buffer",
                    .help = "queue size in packets, in stages with several layers",
                    .bounds = Bounds::from(1, 4096)},
                   layered_buffer);
  parameters.field({.name = "stage_buffers",
                    .help = "queue size in packets for each stage, or for each class of each stage, stage by "
                            "stage; replaces buffer and layered_buffer",
                    .bounds = {.at_most = 4096}},
                   stage_buffers);
  parameters.field({.name = "queueing",
                    .help = "where packets queue: at the input links of a switch, at its output links, or at "
                            "its input links in a queue for each output link"},
                   rules.queueing);
  parameters.field({.name = "output_slots",
                    .help = "packets that an output link carries in a slot: one, or one of each class"},
                   rules.output_slots);
  parameters.field({.name = "spread",
                    .help = "layer that a packet enters: chosen by the input link it leaves from (by-sender) "
                            "or the one it arrives on (by-receiver)"},
                   rules.spread);
  parameters.field(
      {.name = "pass",
       .help = "whether a packet can leave while the head of a higher-priority class is blocked"},
      rules.pass);
  parameters.field({.name = "precedence",
                    .help = "without pass, the packets of higher classes for which a packet waits: all at "
                            "its input link, or those for the same output link"},
                   rules.precedence);
  parameters.field(
      {.name = "blocked",
       .help = "treatment of a blocked head: it waits, gets a new random destination, or is discarded"},
      rules.blocked);
  parameters.field(
      {.name = "reuse", .help = "whether a buffer position freed in a slot can be filled in the same slot"},
      rules.reuse);
}

void SlottedSpec::describe_traffic(Parameters& parameters) {
  parameters.field(
      {.name = "load", .help = "probability of an arrival per input and slot", .bounds = Bounds::from(0, 1)},
      load);
  parameters.field(
      {.name = "hotspot_fraction",
       .help = "fraction of the load that goes to the hot-spot output; the rest is uniform over all outputs",
       .bounds = Bounds::from(0, 1)},
      hotspot_fraction);
  parameters.field({.name = "hotspot",
                    .help = "number of the hot-spot output; zones are defined by the distance from it",
                    .bounds = Bounds::from(0, limits::kNumber)},
                   hotspot);
  parameters.field({.name = "hotspot_class",
                    .help = "class of the hot-spot packets; default: the lowest priority",
                    .bounds = Bounds::from(0, limits::kNumber)},
                   hotspot_class);
  parameters.field(
      {.name = "high_share",
       .help = "fraction of the uniform load in class 0; the other classes share the rest evenly",
       .bounds = Bounds::from(0, 1)},
      high_share);
  parameters.field({.name = "class_percent",
                    .help = "percentage of the uniform load in each class, 100 in total; replaces high_share",
                    .bounds = Bounds::from(0, 100)},
                   class_percent);
  parameters.field(
      {.name = "when_full",
       .help =
           "treatment of an arrival whose queue is full: it is lost (drop), or waits at the input (hold)"},
      rules.when_full);
}

void SlottedSpec::describe_measure(Parameters& parameters) {
  parameters.field({.name = "slots",
                    .help = "number of measured slots, in total over the 64 replications of a run",
                    .bounds = Bounds::from(64, 1e12)},
                   slots);
  parameters.field({.name = "warmup_slots",
                    .help = "slots simulated before the measured ones, in every replication",
                    .bounds = Bounds::from(0, 1e9)},
                   warmup_slots);
  parameters.field({.name = "delay_weight",
                    .help = "weight of the delay in the universal performance factor",
                    .bounds = Bounds::from(0, limits::kWeight)},
                   delay_weight);
  parameters.field({.name = "throughput_weight",
                    .help = "weight of the relative throughput in the universal performance factor",
                    .bounds = Bounds::from(0, limits::kWeight)},
                   throughput_weight);
}

slotted::Design SlottedSpec::design() const {
  const auto& net = dynamic_cast<const Multistage&>(*network.topology);
  slotted::Design result;
  result.nodes = static_cast<std::uint32_t>(net.nodes());
  result.fan_in = static_cast<std::uint32_t>(net.fan_in());
  result.fan_out = static_cast<std::uint32_t>(net.fan_out());
  result.wiring = net.wiring();
  result.classes = static_cast<std::uint32_t>(classes);
  result.layers = net.layers();
  if (stage_buffers.empty()) {
    for (const std::uint32_t layers : result.layers)
      result.buffers.push_back({static_cast<std::uint32_t>(layers > 1 ? layered_buffer : buffer)});
  } else {
    const bool per_class = stage_buffers.size() == std::size_t{result.stages()} * result.classes;
    for (std::size_t i = 0; i < stage_buffers.size(); ++i) {
      if (!per_class || i % result.classes == 0) result.buffers.emplace_back();
      result.buffers.back().push_back(
          static_cast<std::uint32_t>(std::clamp<std::int64_t>(stage_buffers[i], 0, UINT32_MAX)));
    }
  }
  result.rules = rules;
  return result;
}

slotted::Traffic SlottedSpec::traffic() const {
  slotted::Traffic result;
  result.load = load;
  result.hotspot_fraction = hotspot_fraction;
  result.hotspot = static_cast<std::uint32_t>(std::min<std::int64_t>(hotspot, UINT32_MAX));
  result.hotspot_class =
      static_cast<std::uint32_t>(std::min<std::int64_t>(hotspot_class.value_or(classes - 1), UINT32_MAX));
  result.shares.clear();
  for (const std::int64_t percent : class_percent)
    result.shares.push_back(static_cast<double>(percent) / 100);
  if (class_percent.empty()) {
    const double high = classes == 1 ? 1.0 : high_share;
    result.shares.assign(static_cast<std::size_t>(classes),
                         (1 - high) / std::max<double>(1, static_cast<double>(classes - 1)));
    result.shares.front() = high;
  }
  return result;
}

void SlottedSpec::check(Mistakes& mistakes) const {
  if (dynamic_cast<const Multistage*>(network.topology.get()) == nullptr) {
    mistakes.add("network.topology", "the slotted kernel supports only multistage networks",
                 fmt::format("{}", fmt::join(names_of(wirings()), ", ")));
    return;
  }
  slotted::check(design(), traffic(), mistakes);
}

void SlottedSpec::lengthen(std::int64_t factor) {
  slots *= factor;
  warmup_slots *= factor;
}

// Every queue is visited in every slot, whatever the load. A hop counts for all replications together.
double SlottedSpec::hops() const {
  return static_cast<double>(slots + warmup_slots) *
         static_cast<double>(network.topology->switch_ports() * classes);
}

double SlottedSpec::most_numbers() const {
  constexpr double kMetrics = 10, kOfAClass = 5, kMostZones = 64;
  return 2 * (kMetrics + kOfAClass * static_cast<double>(classes) * (1 + kMostZones));  // with intervals
}

// A part of the slots that takes long enough, from the first on.
double SlottedSpec::seconds(double budget) const {
  const auto all = static_cast<double>(slots + warmup_slots);
  SlottedSpec part = *this;
  part.warmup_slots = 0;
  for (part.slots = 64;; part.slots *= 2) {
    const double begin = cpu_seconds();
    part.run({}, {});
    const double taken = cpu_seconds() - begin;
    const auto simulated = static_cast<double>(part.slots);
    if (taken > budget / 2 || simulated >= all) return taken * all / simulated;
  }
}

}  // namespace headway
