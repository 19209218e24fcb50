// SPDX-License-Identifier: Apache-2.0
#include "headway/spec/slotted_spec.h"

#include <string_view>

namespace headway {
namespace {}  // namespace

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
       .help = "where packets queue: per input link before the switch or per output link behind it"},
      queueing);
  parameters.field({.name = "spread",
                    .help = "the layer that a packet enters: of the input link it leaves from or arrives on"},
                   spread);
  parameters.field(
      {.name = "pass", .help = "a lower class may leave while the head of a higher one is blocked"}, pass);
  parameters.field(
      {.name = "blocked", .help = "what a blocked head does: wait, redraw its destination, or be discarded"},
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
       .help = "an arrival that finds its queue full is lost (drop) or waits at the input (hold)"},
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

}  // namespace headway
