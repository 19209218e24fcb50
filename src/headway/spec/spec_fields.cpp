// SPDX-License-Identifier: Apache-2.0
#include "headway/spec/spec_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "headway/config/limits.h"
#include "headway/metrics/tables.h"
#include "headway/routing/service_levels.h"
#include "headway/spec/job_copies.h"
#include "headway/spec/spec_parts.h"
#include "headway/spec/what_if.h"

namespace headway {
namespace {

std::span<const std::string_view> names_of_extra_tables() {
  static const std::vector<std::string_view> names = names_of(extra_tables());
  return names;
}

std::string_view help_of_extra_tables() {
  static const std::string help = [] {
    std::vector<std::string> all;
    for (const ExtraTable& extra : extra_tables())
      all.push_back(fmt::format("{} ({})", extra.help, extra.name));
    return fmt::format("additional tables of the results: {}", fmt::join(all, "; "));
  }();
  return help;
}

void describe_topology(NetworkSpec& network, SpecFields& fields) {
  choice(fields, {.name = "topology", .help = "how switches and nodes are connected"}, topologies(),
         network.topology);
}

void describe(ChosenLinks& links, SpecFields& fields) {
  fields.field({.name = "links",
                .help = "fraction of all links between switches; these links are drawn at random",
                .bounds = Bounds::from(0, 1)},
               links.part);
  fields.field({.name = "at",
                .help = "links, each given by one of its ends, \"SWITCH:PORT\", with the name or number of "
                        "the switch, or by "
                        "both, \"SWITCH -- SWITCH\""},
               links.at);
  fields.field({.name = "seed",
                .help = "determines which links are drawn; the seed of the spec does not",
                .bounds = Bounds::from(0, limits::kSeed)},
               links.seed);
}

void describe(NetworkSpec& network, SpecFields& fields) {
  describe_topology(network, fields);
  fields.table(
      {.name = "link", .help = "properties of every link, in each direction"}, [&](SpecFields& link) {
        link.field({.name = "rate", .help = "data rate of a link", .bounds = Bounds::over(0, limits::kRate)},
                   network.link.rate);
        link.field({.name = "delay",
                    .help = "propagation delay of a link, from end to end",
                    .bounds = Bounds::from(0, limits::kTime)},
                   network.link.delay);
      });
  fields.table(
      {.name = "failures", .help = "links between switches that have failed"}, [&](SpecFields& failures) {
        describe(network.faults.failed, failures);
        failures.field(
            {.name = "unreachable",
             .help = "nodes without a path to each other because of failed links: a mistake in the spec "
                     "(mistake), or they exchange no messages and the results report them (reported)"},
            network.faults.unreachable);
      });
  fields.table({.name = "degraded", .help = "links between switches that are slow"},
               [&](SpecFields& degraded) {
                 describe(network.faults.slow, degraded);
                 degraded.field({.name = "rate",
                                 .help = "rate of a slow link, as a fraction of its own rate",
                                 .bounds = Bounds::from(0.000001, 1)},
                                network.faults.slow_rate);
               });
}

void describe(FlowSpec& flow, SpecFields& fields) {
  describe_name(flow.name, fields);
  fields.field({.name = "sources",
                .help = "nodes that generate messages: \"all\", { fraction = 0.75 } (this fraction of the "
                        "nodes, spread evenly), { first = 8 }, { nodes = [0, 5] }, { random = 0.25 } (this "
                        "fraction, drawn at random), or { rest = true } (the nodes of no earlier flow)"},
               flow.sources);
  choice(fields, {.name = "pattern", .help = "which destinations a node sends to"}, patterns(), flow.pattern);
  choice(fields, {.name = "arrivals", .help = "when a node generates a message"}, arrival_processes(),
         flow.arrivals);
  fields.load({.name = "load",
               .help = "generated traffic as a fraction of the link rate: a number, or a list of times and "
                       "loads such as [[\"0 us\", 0.0], [\"3 ms\", 1.0]]",
               .bounds = {.at_least = 0}},
              flow.load.points);
  fields.field({.name = "load_change",
                .help = "how the load changes between two listed times: in a step or linearly (ramp)"},
               flow.load.change);
  choice(
      fields,
      {.name = "sizes",
       .help = "how long messages are; the load counts bytes, so the mean size gives the rate of messages"},
      message_sizes(), flow.sizes);
  fields.field({.name = "start",
                .help = "time of the first possible message; default: 0 ns",
                .bounds = Bounds::from(0, limits::kTime)},
               flow.start);
  fields.field({.name = "stop",
                .help = "time from which no more messages are generated; default: none",
                .bounds = Bounds::from(0, limits::kTime)},
               flow.stop);
  describe_service_level(flow.service_level, fields);
}

// The part of a trace that is replayed, and how fast.
void describe_window(TraceSpec& trace, SpecFields& fields) {
  fields.field({.name = "begin",
                .help = "start of the replayed window, in trace time since the first record",
                .bounds = Bounds::from(0, limits::kTime)},
               trace.begin);
  fields.field(
      {.name = "end",
       .help = "end of the replayed window, in trace time since the first record; default: end of the trace",
       .bounds = Bounds::over(0, limits::kTime)},
      trace.end);
  fields.field(
      {.name = "compression",
       .help = "factor by which the trace is replayed faster than recorded; rounded to four decimals",
       .bounds = Bounds::from(0.0001, 1e12)},
      trace.compression);
  fields.field({.name = "target_load",
                .help = "chooses the compression that gives the window this mean load, as a fraction of the "
                        "link rate; reads the trace twice",
                .bounds = Bounds::over(0, 100)},
               trace.target_load);
  fields.field({.name = "target_of",
                .help = "what target_load applies to: the mean over the links of all nodes, or the busiest "
                        "link to or from a node"},
               trace.target_of);
  fields.field({.name = "start",
                .help = "simulated time at which the replay starts",
                .bounds = Bounds::from(0, limits::kTime)},
               trace.start);
}

// The nodes that send the messages of a trace.
void describe_places(TraceSpec& trace, SpecFields& fields) {
  fields.field(
      {.name = "node_numbers",
       .help =
           "traces of messages: node numbers are used as recorded (exact), or modulo the number of nodes"},
      trace.node_numbers);
  fields.field({.name = "storage",
                .help = "traces of I/O requests: nodes that hold the devices, given as a flow's sources"},
               trace.storage);
  fields.field({.name = "hosts",
                .help = "traces of I/O requests: nodes that run the processes; rest means all nodes that "
                        "are not storage nodes"},
               trace.hosts);
  fields.field({.name = "device_nodes",
                .help = "mapping of devices to storage nodes: in turn in order of appearance, or by a hash "
                        "of the device number"},
               trace.device_nodes);
  fields.field(
      {.name = "process_nodes",
       .help = "mapping of processes to hosts; a request without a process number gets a random host"},
      trace.process_nodes);
}

void describe(TraceSpec& trace, SpecFields& fields) {
  describe_name(trace.name, fields);
  choice(fields, {.name = "format", .help = "file format of the trace, or synthetic for a generated one"},
         trace_formats(), trace.format);
  fields.field({.name = "skip_bad", .help = "skip and count records that cannot be read"}, trace.skip_bad);
  fields.field({.name = "reorder",
                .help = "tolerance for out-of-order records; late records are re-sorted",
                .bounds = Bounds::from(0, limits::kTime)},
               trace.reorder);
  describe_window(trace, fields);
  describe_places(trace, fields);
  fields.field({.name = "request",
                .help = "size of the message that a host sends to request a read; 0 B: no message",
                .bounds = Bounds::from(0, 1e9)},
               trace.request);
  fields.field({.name = "acknowledgement",
                .help = "size of the message that acknowledges a write; 0 B: no message",
                .bounds = Bounds::from(0, 1e9)},
               trace.acknowledgement);
  fields.field({.name = "service",
                .help = "service time of requests, in trace time, for records that do not give it",
                .bounds = Bounds::from(0, limits::kTime)},
               trace.service);
  describe_service_level(trace.service_level, fields);
}

void describe(TrafficSpec& traffic, SpecFields& fields) {
  fields.field(
      {.name = "packet",
       .help = "size of a full packet, without its header; the last packet of a message can be smaller",
       .bounds = Bounds::from(1, 65535)},
      traffic.packet);
  fields.field({.name = "header",
                .help = "what every packet takes on links and in memories beside its part of the message",
                .bounds = Bounds::from(0, 65534)},
               traffic.header);
  fields.field({.name = "minimum_frame",
                .help = "what a packet with its header takes at least, by padding",
                .bounds = Bounds::from(0, 65535)},
               traffic.minimum_frame);
  bool flows_given = false;
  fields.list({.name = "flow",
               .help = "traffic from a set of sources with one destination pattern; several flows add up"},
              {[&] { return traffic.flows.size(); },
               [&](std::size_t size) {
                 traffic.flows.assign(size, {});
                 flows_given = true;
               },
               [&](std::size_t index, SpecFields& flow) { describe(traffic.flows[index], flow); }});
  fields.list(
      {.name = "trace",
       .help = "messages replayed from a trace; if the spec has no flow, traces are the only traffic"},
      {[&] { return traffic.traces.size(); },
       [&](std::size_t size) {
         traffic.traces.assign(size, {});
         if (!flows_given) traffic.flows.clear();
       },
       [&](std::size_t index, SpecFields& trace) { describe(traffic.traces[index], trace); }});
  fields.list({.name = "job",
               .help = "programs whose ranks send, receive and compute; if the spec has no flow, jobs and "
                       "traces are the only traffic"},
              {[&] { return first_copies(traffic).size(); },
               [&](std::size_t size) {
                 traffic.jobs.assign(size, {});
                 if (!flows_given) traffic.flows.clear();
               },
               [&](std::size_t index, SpecFields& job) {
                 describe(traffic.jobs[first_copies(traffic)[index]], job);
               }});
  fields.field(
      {.name = "allocation",
       .help = "which of the exclusive jobs that wait get the nodes that are free: the earliest, and "
               "no later one gets a node that an earlier one waits for (fifo), or every job that "
               "they are enough for, the earliest first (first-fit)"},
      traffic.allocation);
}

void describe(MeasureSpec& measure, SpecFields& fields) {
  fields.field({.name = "until",
                .help = "the run ends after the measured window (time), or when all jobs that are not in the "
                        "background are done (done); default: done in a spec with such a job and without "
                        "warmup and duration, otherwise time"},
               measure.until);
  fields.field({.name = "limit",
                .help = "until done: simulated time after which the run ends although jobs are not done",
                .bounds = Bounds::over(0, limits::kTime)},
               measure.limit);
  fields.field({.name = "alone",
                .help = "true: runs each job that is not in the background also alone in the network, with "
                        "the same seed and placement; adds alone_ns and slowdown to per_job"},
               measure.alone);
  fields.field({.name = "warmup",
                .help = "simulated time before the measured window; default: detected",
                .bounds = Bounds::from(0, limits::kTime)},
               measure.warmup);
  fields.field({.name = "duration",
                .help = "length of the measured window, after the warm-up",
                .bounds = Bounds::over(0, limits::kTime)},
               measure.duration);
  fields.field(
      {.name = "bin",
       .help = "bin width of the time series; default: a hundredth of duration; with until = "
               "\"done\", such that a run with observe.waiting has 100 to 199 bins, and one bin otherwise",
       .bounds = Bounds::over(0, limits::kTime)},
      measure.bin);
  std::vector<std::string> tables(measure.tables.begin(), measure.tables.end());
  fields.field({.name = "tables", .help = help_of_extra_tables(), .choices = names_of_extra_tables()},
               tables);
  measure.tables = {tables.begin(), tables.end()};
  fields.field({.name = "slowest_messages",
                .help = "number of messages of jobs in the table slowest_messages",
                .bounds = Bounds::from(0, limits::kSlowestMessages)},
               measure.slowest_messages);
  fields.field(
      {.name = "victims_below",
       .help =
           "a destination that receives less than this fraction of its max-min fair share counts as a victim",
       .bounds = Bounds::from(0, 1)},
      measure.victims_below);
  fields.field(
      {.name = "watch_destination",
       .help =
           "number of a node, such as a hot spot: metrics count the congested-flow queues allocated for it, "
           "and with observe.waiting the series counts the packets to it that cause congestion",
       .bounds = Bounds::from(0, limits::kNumber)},
      measure.watch_destination);
}

void describe(ObserveSpec& observe, SpecFields& fields) {
  fields.field(
      {.name = "waiting",
       .help =
           "true: determines why packets wait, which links are roots of congestion, and which packets are "
           "its victims; adds metrics, series and tables to the results, and `headway why` prints them"},
      observe.waiting);
  fields.field({.name = "interval",
                .help = "mean time between two photographs of the network; the instant of one photograph is "
                        "drawn in each interval",
                .bounds = Bounds::over(0, limits::kTime)},
               observe.interval);
  fields.field({.name = "keep",
                .help = "true: with --out, keeps a snapshot of each photograph, of every link, queue and "
                        "node, for `headway "
                        "view`; only those of the first seed of every point"},
               observe.keep);
}

void describe(LinkEventSpec& event, SpecFields& fields) {
  fields.field({.name = "link",
                .help = "the link, in both directions, by one of its ends, \"SWITCH:PORT\", with the name or "
                        "number of the switch, or by both, \"SWITCH -- SWITCH\" or \"SWITCH -- node NODE\""},
               event.link);
  fields.field({.name = "switch", .help = "the switch, by its name or number, instead of a link"}, event.sw);
  fields.field({.name = "node", .help = "the node, by its name or number, instead of a link"}, event.node);
  fields.field({.name = "at", .help = "when it begins", .bounds = Bounds::from(0, limits::kTime)}, event.at);
  fields.field({.name = "lasts",
                .help = "how long it lasts; default: to the end of the run",
                .bounds = Bounds::over(0, limits::kTime)},
               event.lasts);
  fields.field({.name = "every",
                .help = "time from one beginning to the next; default: it happens once",
                .bounds = Bounds::over(0, limits::kTime)},
               event.every);
  fields.field({.name = "rate",
                .help = "rate of the links meanwhile, as a fraction of their own; 0: they are down",
                .bounds = Bounds::from(0, 1)},
               event.rate);
}

constexpr Parameter kNetwork{.name = "network", .help = "switches, nodes and links"};
constexpr Parameter kSwitch{.name = "switch", .help = "properties of all switches"};
constexpr Parameter kTraffic{.name = "traffic",
                             .help = "sources, destinations, load and timing of the traffic"};
constexpr Parameter kMeasure{.name = "measure", .help = "measured window and contents of the results"};

void describe_tables(EventSpec& spec, SpecFields& fields) {
  fields.table(kNetwork, [&](SpecFields& network) { describe(spec.network, network); });
  fields.table({.name = "routing", .help = "how packets are routed"}, [&](SpecFields& routing) {
    choice(routing,
           {.name = "algorithm",
            .help = "which ports lead to a destination; default: det, or dor in meshes, tori and HyperX, or "
                    "minimal in dragonflies, dragonflies+ and slim flies (with network.failures up-down in "
                    "both), or "
                    "up-down with rails"},
           routings(), spec.routing.algorithm);
    choice(routing,
           {.name = "selection", .help = "which of several permitted ports adaptive routing prefers"},
           selections(), spec.routing.selection);
    routing.field({.name = "free_output",
                   .help = "when adaptive routing can take an output: there is room behind the crossbar and a"
                           " credit of the link, or more credits than packets wait in the output queue, or"
                           " the packet can be transferred now"},
                  spec.routing.free_output);
    routing.field({.name = "none_free",
                   .help = "what the head of a queue does that finds no port free: it waits and chooses "
                           "again, or keeps to the port that it prefers"},
                  spec.routing.none_free);
    routing.field({.name = "cp_counts",
                   .help = "which packets move the counter of selection \"cp\" at a switch: those that it "
                           "has given one of several ports, or all"},
                  spec.routing.cp_counts);
    routing.field(
        {.name = "choose_per",
         .help = "how often adaptive routing chooses at a switch, and how often spray draws a path: "
                 "for every packet; for every flowlet, which is what a flow sends without a gap "
                 "(adaptive routing only); or for every message"},
        spec.routing.choose_per);
    routing.field({.name = "flowlet_gap",
                   .help = "choose_per = \"flowlet\": a packet begins a flowlet if its flow has been silent "
                           "at the switch for so long; default: 10 us",
                   .bounds = Bounds::from(0, limits::kTime)},
                  spec.routing.flowlet_gap);
    routing.field({.name = "flow_table",
                   .help = "entries of the table in which a switch remembers the ports of flowlets or "
                           "messages; flows share them by a hash if they are more; default: 16384",
                   .bounds = Bounds::from(1, 1 << 24)},
                  spec.routing.flow_table);
    routing.field(
        {.name = "node_link",
         .help = "which link a message takes of nodes with several, if several lead to its "
                 "destination: by a hash of source and destination, which differs between seeds, in "
                 "turns, or the one for which the least waits; scale-up links go before others, and "
                 "links of one rail before those of two (docs/modelling.md)"},
        spec.routing.node_link);
    routing.field({.name = "reroute_after",
                   .help = "with events: time from when a link goes down or comes up until new routes hold, "
                           "made for the links that are up then; default: the routes stay",
                   .bounds = Bounds::from(0, limits::kTime)},
                  spec.routing.reroute_after);
  });
  fields.table(kSwitch, [&](SpecFields& switches) { describe(spec.switches, switches); });
  fields.list(
      {.name = "class",
       .help = "classes of traffic: lanes that take turns together, and rows of results; a lane that no "
               "class names is a class of its own"},
      {[&] { return spec.classes.size(); }, [&](std::size_t size) { spec.classes.assign(size, {}); },
       [&](std::size_t index, SpecFields& of_spec) { describe(spec.classes[index], of_spec); }});
  fields.list(
      {.name = "event",
       .help =
           "links that go down or get a lower rate during the run: a link, all links of a switch, or those "
           "of a node"},
      {[&] { return spec.events.size(); }, [&](std::size_t size) { spec.events.assign(size, {}); },
       [&](std::size_t index, SpecFields& event) { describe(spec.events[index], event); }});
  fields.table({.name = "node", .help = "how nodes inject traffic into the network"},
               [&](SpecFields& node) { describe(spec.node, node); });
  fields.table(kTraffic, [&](SpecFields& traffic) { describe(spec.traffic, traffic); });
  fields.table(kMeasure, [&](SpecFields& measure) { describe(spec.measure, measure); });
  fields.table({.name = "observe",
                .help = "observation of the network during a run; it does not change the simulation"},
               [&](SpecFields& observe) { describe(spec.observe, observe); });
  fields.table({.name = "what_if",
                .help = "changes that ask what something costs, by taking it away (docs/remedies.md)"},
               [&](SpecFields& what_if) { describe(spec.what_if, what_if); });
}

void describe_tables(Kernel& kernel, SpecFields& fields) {
  fields.table(kNetwork, [&](SpecFields& network) { describe_topology(kernel.network, network); });
  fields.table(kSwitch, [&](SpecFields& switches) { kernel.describe_switch(switches); });
  fields.table(kTraffic, [&](SpecFields& traffic) { kernel.describe_traffic(traffic); });
  fields.table(kMeasure, [&](SpecFields& measure) { kernel.describe_measure(measure); });
}

std::string help_of_kernels() {
  std::string help = "simulation kernel: event-driven";
  for (const Entry<Kernel>& kernel : kernels())
    help += fmt::format(", or {} with {}", kernel.name, kernel.help);
  return help;
}

std::vector<std::string_view> names_of_kernels() {
  std::vector<std::string_view> names = names_of(kernels());
  names.insert(names.begin(), kEventDriven);
  return names;
}

}  // namespace

void describe_service_level(std::optional<std::int64_t>& level, SpecFields& fields) {
  fields.field({.name = "service_level",
                .help = "service level of all packets of this flow, trace or job; selects a lane if "
                        "switch.lanes > 1; default: "
                        "from switch.service_levels_file, otherwise 0",
                .bounds = Bounds::from(0, kMostServiceLevels - 1)},
               level);
}

void describe_name(std::optional<std::string>& name, SpecFields& fields) {
  fields.field(
      {.name = "name",
       .help = "name of this flow, trace or job, of letters, digits, _ and -; no other has the same name; in "
               "keys, traffic.NAME means it: traffic.storage.load; default: \"flow 0\", "
               "\"flow 1\", ..., \"trace 0\", ..., or \"job 0\", ..."},
      name);
}

void NodeSetKeys::describe(Parameters& parameters) {
  parameters.field(
      {.name = "fraction", .help = "fraction of all nodes, spread evenly", .bounds = Bounds::over(0, 1)},
      fraction);
  parameters.field({.name = "first",
                    .help = "number of nodes, starting with node 0",
                    .bounds = Bounds::from(1, limits::kNumber)},
                   first);
  parameters.field({.name = "nodes", .help = "node numbers", .bounds = Bounds::from(0, limits::kNumber)},
                   nodes);
  parameters.field(
      {.name = "random", .help = "fraction of all nodes, drawn at random", .bounds = Bounds::over(0, 1)},
      random);
  parameters.field({.name = "rest", .help = "true: all nodes of no earlier flow"}, rest);
}

void describe(Spec& spec, SpecFields& fields) {
  static const std::string help = help_of_kernels();
  static const std::vector<std::string_view> names = names_of_kernels();
  std::string kernel(kernel_of(spec));
  fields.field({.name = "kernel", .help = help, .choices = names}, kernel);
  if (kernel != kernel_of(spec))
    spec = kernel == kEventDriven ? Spec(EventSpec{}) : Spec(choose(kernels(), kernel));
  auto seed = static_cast<std::int64_t>(seed_of(spec));
  fields.field({.name = "seed",
                .help = "random seed; the same spec and seed give the same results",
                .bounds = Bounds::from(0, limits::kSeed)},
               seed);
  seed_of(spec) = static_cast<std::uint64_t>(seed);
  if (Kernel* const other = other_kernel(spec))
    describe_tables(*other, fields);
  else
    describe_tables(std::get<EventSpec>(spec), fields);
}

void describe_seeds(std::int64_t& seeds, Parameters& parameters) {
  parameters.field({.name = "seeds",
                    .help = "repetitions of every point, with seed, seed + 1, ...; results are means with "
                            "confidence intervals; a table repeats each point until an interval is narrow "
                            "enough: { until = \"latency_mean_ns\", relative = 0.02, at_most = 50 }",
                    .bounds = Bounds::from(1, 1'000'000)},
                   seeds);
}

}  // namespace headway
