// SPDX-License-Identifier: Apache-2.0
#include "headway/spec/what_if.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "headway/config/nearest.h"
#include "headway/spec/flow_names.h"
#include "headway/spec/spec_parts.h"

namespace headway {
namespace {

constexpr std::int64_t kMostPacketsOfQueue = 65535;  // that the engine can count

// Queues, lanes and control have no effect in a switch with a queue per destination that never fills.
void make_perfect(EventSpec& spec) {
  SwitchSpec perfect;
  perfect.scheme = choose(schemes(), "voqnet");
  perfect.queue_memory = Bytes{spec.traffic.frame().count * kMostPacketsOfQueue};
  perfect.switching = spec.switches.switching;
  perfect.slow_to_fast = spec.switches.slow_to_fast;
  perfect.routing_delay = spec.switches.routing_delay;
  spec.switches = perfect;
  spec.routing = RoutingSpec{};
  spec.classes.clear();
  for (FlowSpec& flow : spec.traffic.flows) flow.service_level.reset();
  for (TraceSpec& trace : spec.traffic.traces) trace.service_level.reset();
  for (JobSpec& job : spec.traffic.jobs) job.service_level.reset();
  NodeSpec node;
  node.admittance_limit = spec.node.admittance_limit;
  node.receive_rate = spec.node.receive_rate;
  node.receivers = spec.node.receivers;
  spec.node = node;
}

void take_away(const std::vector<std::string>& without, TrafficSpec& traffic) {
  const std::vector<std::string> names = flow_names(traffic);
  const auto is_absent = [&](std::size_t number) {
    return std::ranges::find(without, names[number]) != without.end();
  };
  std::size_t number = 0;
  for (FlowSpec& flow : traffic.flows) flow.absent = is_absent(number++);
  for (TraceSpec& trace : traffic.traces) trace.absent = is_absent(number++);
  for (JobSpec& job : traffic.jobs) job.absent = is_absent(number++);
}

}  // namespace

void describe(WhatIfSpec& what_if, SpecFields& fields) {
  fields.field({.name = "without",
                .help = "names of flows, traces and jobs that send nothing; they keep their nodes, so that "
                        "all others stay where they are"},
               what_if.without);
  fields.field({.name = "usual_rates",
                .help = "slow links that get the usual rate of their role, each given by one of its ends, "
                        "\"SWITCH:PORT\" (also links of nodes), or [\"all\"]; two links have the same role "
                        "if they join the same kinds of devices"},
               what_if.network.usual_rates);
  fields.field(
      {.name = "repaired",
       .help = "links that have not failed, of those in [network.failures], each given by one of its ends, "
               "\"SWITCH:PORT\", or [\"all\"]"},
      what_if.network.repaired);
  fields.field({.name = "doubled",
                .help = "links that are twice as fast: those of the nodes, or those between switches; loads "
                        "stay the same in bytes per time"},
               what_if.network.doubled);
  fields.field({.name = "no_delay", .help = "true: propagation takes only as long as a byte, on every link"},
               what_if.network.no_delay);
  fields.field({.name = "perfect_switch",
                .help = "true: all nodes are on one switch, by links as they are now, with a queue per "
                        "destination and memory that never fills, without lanes and congestion control"},
               what_if.network.perfect_switch);
  fields.field({.name = "no_computing", .help = "true: computing takes no time in any job"},
               what_if.no_computing);
  fields.field(
      {.name = "no_overhead", .help = "true: sending and receiving take no time of a CPU in any job"},
      what_if.no_overhead);
  fields.field({.name = "fast_receivers", .help = "true: all nodes consume packets at once"},
               what_if.fast_receivers);
  fields.field({.name = "no_events", .help = "true: no event changes links during the run"},
               what_if.no_events);
  fields.field({.name = "stagger",
                .help = "shifts the start of every flow and rank by less than a nanosecond, with another "
                        "value differently: what this changes is chance",
                .bounds = Bounds::from(0, 1'000'000)},
               what_if.stagger);
}

EventSpec with_changes(EventSpec spec) {
  const WhatIfSpec what_if = spec.what_if;
  take_away(what_if.without, spec.traffic);
  if (NetworkChanges::names_all(what_if.network.repaired))
    spec.network.faults.failed = {};
  else
    spec.network.faults.repaired = what_if.network.repaired;
  if (what_if.network.perfect_switch) make_perfect(spec);
  for (JobSpec& job : spec.traffic.jobs) {
    job.computes = !what_if.no_computing;
    if (what_if.no_overhead) job.overhead = job.overhead_per_byte = Duration{0};
  }
  if (what_if.no_events || what_if.network.perfect_switch) spec.events.clear();
  if (what_if.fast_receivers) {
    spec.node.receive_rate.reset();
    spec.node.receivers.clear();
    spec.node.receive_memory.reset();
  }
  return spec;
}

void check_what_if(const EventSpec& spec, Mistakes& mistakes) {
  const std::vector<std::string> names = flow_names(spec.traffic);
  for (const std::string& name : spec.what_if.without) {
    if (std::ranges::find(names, name) != names.end()) continue;
    const std::vector<std::string_view> all(names.begin(), names.end());
    const auto meant = nearest(name, all);
    mistakes.add("what_if.without", fmt::format("there is no flow, trace or job \"{}\"", name),
                 meant ? fmt::format("did you mean \"{}\"?", *meant)
                       : fmt::format("valid: {}", fmt::join(names, ", ")));
  }
}

}  // namespace headway
