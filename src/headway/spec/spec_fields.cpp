// SPDX-License-Identifier: Apache-2.0
#include "headway/spec/spec_fields.h"

#include <limits>

namespace headway {
namespace {

template <class T>
class ChoiceOf final : public ChoiceField {
 public:
  ChoiceOf(Registry<T> registry, Choice<T>& choice) : registry_(registry), choice_(choice) {}
  std::string_view name() const override { return choice_.name; }
  std::vector<std::string_view> names() const override {
    std::vector<std::string_view> result;
    for (const Entry<T>& entry : registry_) result.push_back(entry.name);
    return result;
  }
  void choose(std::string_view name) override { choice_ = headway::choose(registry_, name); }
  void describe(Parameters& parameters) override { choice_->describe(parameters); }
  void describe_default(std::string_view name, Parameters& parameters) const override {
    find(registry_, name)->make()->describe(parameters);
  }

 private:
  Registry<T> registry_;
  Choice<T>& choice_;
};

template <class T>
void choice(SpecFields& fields, const Parameter& parameter, Registry<T> registry, Choice<T>& value) {
  ChoiceOf<T> field(registry, value);
  fields.choice(parameter, field);
}

void describe_topology(NetworkSpec& network, SpecFields& fields) {
  choice(fields, {.name = "topology", .help = "how switches and nodes are connected"}, topologies(),
         network.topology);
}

void describe(NetworkSpec& network, SpecFields& fields) {
  describe_topology(network, fields);
  fields.table({.name = "link", .help = "every link, in each direction"}, [&](SpecFields& link) {
    link.field({.name = "rate", .help = "bytes per time that a link carries", .above = 0}, network.link.rate);
    link.field({.name = "delay", .help = "from one end of a link to the other", .at_least = 0},
               network.link.delay);
  });
}

void describe(SwitchSpec& switches, SpecFields& fields) {
  fields.field({.name = "architecture",
                .help = "where a switch has its buffers: at its inputs, or at inputs and outputs"},
               switches.architecture);
  fields.field({.name = "crossbar_speedup",
                .help = "rate of a CIOQ switch's crossbar over that of the output's link",
                .at_least = 1,
                .at_most = 1000},
               switches.crossbar_speedup);
  fields.field(
      {.name = "output_memory",
       .help = "data memory of a CIOQ switch's output port, split as that of an input port; with 0 B and a"
               " speed-up of 1 the switch is input-queued",
       .at_least = 0},
      switches.output_memory);
  fields.field({.name = "output_queues",
                .help = "queues of a CIOQ switch's output port: as an input port has, or one"},
               switches.output_queues);
  fields.field({.name = "switching", .help = "whether a packet may leave before its tail has arrived"},
               switches.switching);
  fields.field(
      {.name = "slow_to_fast",
       .help = "what a cut-through switch does with a packet that comes by a slower link than it leaves"
               " by: store it until its tail has come, or let it go on at once, and hold the faster"
               " link until then"},
      switches.slow_to_fast);
  choice(fields, {.name = "scheme", .help = "which queue of an input port a packet waits in"}, schemes(),
         switches.scheme);
  fields.field({.name = "input_memory",
                .help = "data memory of an input port, split evenly over its queues",
                .at_least = 1},
               switches.input_memory);
  fields.field({.name = "queue_memory",
                .help = "data memory of each queue; takes the place of input_memory",
                .at_least = 1},
               switches.queue_memory);
  fields.field(
      {.name = "virtual_channels",
       .help = "queues that stand for each queue of the scheme; the sender chooses one when it sends",
       .at_least = 1,
       .at_most = 1000},
      switches.virtual_channels);
  fields.field({.name = "channel",
                .help = "which virtual channel a packet takes: the first with room, or that with most room"},
               switches.channel);
  fields.field({.name = "arbiter",
                .help = "which input a free output port serves: by turns, that of the packet which has waited"
                        " longest at this switch, or has been longest in the network, or any"},
               switches.arbiter);
  fields.field({.name = "output_arbiter",
                .help = "which queue of a node's adapter or of a CIOQ switch's output port sends next: by"
                        " switch.arbiter, or by weighted round robin"},
               switches.output_arbiter);
  fields.field(
      {.name = "weights",
       .help = "of weighted round robin: packets that queue 0, 1, ... may send in a row; all 1 if not given",
       .at_least = 1,
       .at_most = 65535},
      switches.weights);
  fields.field({.name = "credit_packet",
                .help = "size of the packets that carry credits back over the links; with 0 B credits take no"
                        " bandwidth",
                .at_least = 0,
                .at_most = 65535},
               switches.credit_packet);
  fields.field({.name = "routing_delay",
                .help = "from the arrival of a header until the packet may be switched",
                .at_least = 0},
               switches.routing_delay);
}

void describe(NodeSpec& node, SpecFields& fields) {
  fields.field({.name = "admittance",
                .help = "how generated messages wait at their node: a queue per destination, or one for all"},
               node.admittance);
  fields.field({.name = "admittance_limit",
                .help = "a node generates nothing while this much waits at it; unbounded if not given",
                .at_least = 1},
               node.admittance_limit);
  fields.field(
      {.name = "injection_memory",
       .help = "data memory of a node's injection queues; that of a switch's input port if not given",
       .at_least = 1},
      node.injection_memory);
}

void describe(FlowSpec& flow, SpecFields& fields) {
  fields.sources(
      {.name = "sources",
       .help =
           "the nodes that generate: \"all\", { fraction = 0.75 } of the nodes spread evenly, { first = 8 },"
           " { nodes = [0, 5] }, { random = 0.25 } of them drawn from the seed, or { rest = true }, those"
           " no earlier flow has"},
      flow.sources);
  choice(fields, {.name = "pattern", .help = "to whom a node sends"}, patterns(), flow.pattern);
  choice(fields, {.name = "arrivals", .help = "when a node generates a message"}, arrival_processes(),
         flow.arrivals);
  fields.load({.name = "load",
               .help = "generated traffic as a fraction of the link rate: a number, or points in time such as"
                       " [[\"0 us\", 0.0], [\"3 ms\", 1.0]]",
               .at_least = 0},
              flow.load.points);
  fields.field({.name = "load_change", .help = "how the load gets from one point in time to the next"},
               flow.load.change);
  fields.field({.name = "message", .help = "size of a message; one packet if not given", .at_least = 1},
               flow.message);
  fields.field({.name = "start", .help = "nothing is generated before; 0 if not given", .at_least = 0},
               flow.start);
  fields.field(
      {.name = "stop", .help = "nothing is generated from here on; never if not given", .at_least = 0},
      flow.stop);
}

void describe(TraceSpec& trace, SpecFields& fields) {
  choice(fields, {.name = "format", .help = "how the trace is written, or that it is made up"},
         trace_formats(), trace.format);
  fields.field({.name = "skip_bad", .help = "pass over records that cannot be read, and count them"},
               trace.skip_bad);
  fields.field({.name = "reorder",
                .help = "a record may be earlier by this much than one before it; it is put in its place",
                .at_least = 0},
               trace.reorder);
  fields.field({.name = "begin",
                .help = "time of the trace, from its first record, at which the window that is played begins",
                .at_least = 0},
               trace.begin);
  fields.field({.name = "end", .help = "and ends; with the trace if not given", .above = 0}, trace.end);
  fields.field({.name = "compression",
                .help = "how many times faster the trace is played, to four decimals",
                .at_least = 0.0001,
                .at_most = 1e12},
               trace.compression);
  fields.field(
      {.name = "target_load",
       .help = "compress so that the window's mean load is this fraction of the link rate; reads it twice",
       .at_most = 100,
       .above = 0},
      trace.target_load);
  fields.field({.name = "target_of",
                .help = "whether target_load is that of all nodes' links, or of the busiest one, in or out"},
               trace.target_of);
  fields.field({.name = "start", .help = "simulated time at which the window begins", .at_least = 0},
               trace.start);
  fields.field(
      {.name = "node_numbers",
       .help = "messages: whether their nodes are those of the network, or numbers to be wrapped round"},
      trace.node_numbers);
  fields.sources(
      {.name = "storage", .help = "I/O requests: the nodes that hold the devices, as a flow's sources"},
      trace.storage);
  fields.sources(
      {.name = "hosts", .help = "I/O requests: the nodes of the processes; after storage has its share"},
      trace.hosts);
  fields.field(
      {.name = "device_nodes",
       .help = "how devices get storage nodes: in turn as they appear, or by a hash of their number"},
      trace.device_nodes);
  fields.field({.name = "process_nodes",
                .help = "how processes get hosts; requests of unknown processes are spread at random"},
               trace.process_nodes);
  fields.field({.name = "request",
                .help = "size of the message by which a host asks for data; 0 B: none",
                .at_least = 0,
                .at_most = 1e9},
               trace.request);
  fields.field({.name = "acknowledgement",
                .help = "size of the message that ends a write; 0 B: none",
                .at_least = 0,
                .at_most = 1e9},
               trace.acknowledgement);
  fields.field({.name = "service",
                .help = "from request to completion, in the trace's time, where the trace does not say",
                .at_least = 0},
               trace.service);
}

void describe(TrafficSpec& traffic, SpecFields& fields) {
  fields.field({.name = "packet", .help = "size of a full packet", .at_least = 1, .at_most = 65535},
               traffic.packet);
  bool flows_given = false;
  fields.list({.name = "flow", .help = "traffic of some sources by one pattern; flows add up"},
              {[&] { return traffic.flows.size(); },
               [&](std::size_t size) {
                 traffic.flows.assign(size, {});
                 flows_given = true;
               },
               [&](std::size_t index, SpecFields& flow) { describe(traffic.flows[index], flow); }});
  fields.list(
      {.name = "trace",
       .help = "messages from a trace, at its times; without a flow they are all the traffic there is"},
      {[&] { return traffic.traces.size(); },
       [&](std::size_t size) {
         traffic.traces.assign(size, {});
         if (!flows_given) traffic.flows.clear();
       },
       [&](std::size_t index, SpecFields& trace) { describe(traffic.traces[index], trace); }});
}

void describe(MeasureSpec& measure, SpecFields& fields) {
  fields.field({.name = "warmup", .help = "simulated before measuring; detected if not given", .at_least = 0},
               measure.warmup);
  fields.field({.name = "duration", .help = "measured after the warm-up", .above = 0}, measure.duration);
  fields.field({.name = "bin",
                .help = "resolution of the time series; a hundredth of duration if not given",
                .above = 0},
               measure.bin);
  fields.field(
      {.name = "tables",
       .help =
           "what results contain besides the metrics and the usual series: what every destination received"
           " (per-destination), over time (destination-series); what every pair of source and destination"
           " received (per-pair), over time (pair-series, a row for each bin and pair that received"
           " something); every destination compared with its max-min fair share, by the routes and the"
           " mean load of the window (fairness, which includes per-destination); every link (per-link);"
           " the congested-flow queues of every port over time (port-series); what the queueing scheme costs "
           "at"
           " an input port and in the routing table, as metrics (cost)"},
      measure.tables);
  fields.field({.name = "victims_below",
                .help = "a destination that got less than this part of its fair share is a victim",
                .at_least = 0,
                .at_most = 1},
               measure.victims_below);
  fields.field(
      {.name = "watch_destination",
       .help = "a node, such as that of a hot spot: schemes with congested-flow queues count those that"
               " hold it",
       .at_least = 0},
      measure.watch_destination);
}

constexpr Parameter kNetwork{.name = "network", .help = "switches, nodes and links"};
constexpr Parameter kSwitch{.name = "switch", .help = "what all switches are like"};
constexpr Parameter kTraffic{.name = "traffic", .help = "who sends how much to whom, when"};
constexpr Parameter kMeasure{.name = "measure", .help = "when to measure, and what to write"};

void describe_tables(EventSpec& spec, SpecFields& fields) {
  fields.table(kNetwork, [&](SpecFields& network) { describe(spec.network, network); });
  fields.table({.name = "routing", .help = "the paths of packets"}, [&](SpecFields& routing) {
    choice(routing, {.name = "algorithm", .help = "which ports lead to a destination"}, routings(),
           spec.routing.algorithm);
    choice(routing,
           {.name = "selection", .help = "which of several ports a packet takes, with adaptive routing"},
           selections(), spec.routing.selection);
    routing.field({.name = "free_output",
                   .help = "when adaptive routing can take an output: there is room behind the crossbar and a"
                           " credit of the link, or more credits than packets wait in the output queue, or"
                           " the packet can be transferred now"},
                  spec.routing.free_output);
  });
  fields.table(kSwitch, [&](SpecFields& switches) { describe(spec.switches, switches); });
  fields.table({.name = "node", .help = "how nodes put traffic into the network"},
               [&](SpecFields& node) { describe(spec.node, node); });
  fields.table(kTraffic, [&](SpecFields& traffic) { describe(spec.traffic, traffic); });
  fields.table(kMeasure, [&](SpecFields& measure) { describe(spec.measure, measure); });
}

void describe_tables(SlottedSpec& spec, SpecFields& fields) {
  fields.table(kNetwork, [&](SpecFields& network) { describe_topology(spec.network, network); });
  fields.table(kSwitch, [&](SpecFields& switches) { spec.describe_switch(switches); });
  fields.table(kTraffic, [&](SpecFields& traffic) { spec.describe_traffic(traffic); });
  fields.table(kMeasure, [&](SpecFields& measure) { spec.describe_measure(measure); });
}

}  // namespace

void SourcesKeys::describe(Parameters& parameters) {
  parameters.field({.name = "fraction", .help = "of all nodes, spread evenly", .at_most = 1, .above = 0},
                   fraction);
  parameters.field({.name = "first", .help = "nodes 0, 1, ..., as many as this", .at_least = 1}, first);
  parameters.field({.name = "nodes", .help = "by number", .at_least = 0}, nodes);
  parameters.field({.name = "random", .help = "of all nodes, drawn from the seed", .at_most = 1, .above = 0},
                   random);
  parameters.field({.name = "rest", .help = "true: all that no earlier flow has"}, rest);
}

void describe(Spec& spec, SpecFields& fields) {
  auto kernel = static_cast<Kernel>(spec.index());
  fields.field(
      {.name = "kernel",
       .help = "how time goes on: from event to event, or in slots of one packet each (multistage networks"
               " with priority classes)"},
      kernel);
  if (kernel == Kernel::slotted && !std::holds_alternative<SlottedSpec>(spec)) spec = SlottedSpec{};
  auto seed = static_cast<std::int64_t>(seed_of(spec));
  fields.field(
      {.name = "seed", .help = "of everything random; same spec and seed, same result", .at_least = 0}, seed);
  seed_of(spec) = static_cast<std::uint64_t>(seed);
  std::visit([&](auto& of_kernel) { describe_tables(of_kernel, fields); }, spec);
}

void describe_seeds(std::int64_t& seeds, Parameters& parameters) {
  parameters.field(
      {.name = "seeds",
       .help = "repetitions of every point, with seed, seed + 1, ...; results are means with intervals",
       .at_least = 1,
       .at_most = 1'000'000},
      seeds);
}

}  // namespace headway
