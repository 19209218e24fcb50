// SPDX-License-Identifier: Apache-2.0
#include "headway/spec/slotted_spec.h"

#include "headway/config/limits.h"

namespace headway {
void SlottedSpec::describe_switch(Parameters& parameters) {
  parameters.field({.name = "classes",
                    .help = "number of priority classes; class 0 has the highest priority",
                    .bounds = Bounds::from(1, 8)},
                   classes);
  parameters.field({.name = "buffer",
                    .help = "queue size in packets, in stages with one layer",
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
                    .help = "where packets queue: at the input links of a switch, or at its output links"},
                   queueing);
  parameters.field({.name = "spread",
                    .help = "layer that a packet enters: chosen by the input link it leaves from (by-sender) "
                            "or the one it arrives on (by-receiver)"},
                   spread);
  parameters.field(
      {.name = "pass",
       .help = "whether a packet can leave while the head of a higher-priority class is blocked"},
      pass);
  parameters.field(
      {.name = "blocked",
       .help = "treatment of a blocked head: it waits, gets a new random destination, or is discarded"},
      blocked);
  parameters.field(
      {.name = "reuse", .help = "whether a buffer position freed in a slot can be filled in the same slot"},
      reuse);
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
      when_full);
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

}  // namespace headway
