// SPDX-License-Identifier: Apache-2.0
// A simulation as plain values with defaults: the typed form of one point of a spec file. Library users set
// the fields directly; `read_spec` sets them from a document; `build` compiles the spec. Names are those of
// docs/keys.md.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "headway/base/input_file.h"
#include "headway/base/units.h"
#include "headway/config/registry.h"
#include "headway/congestion/link_flow_control.h"
#include "headway/congestion/marking.h"
#include "headway/congestion/reaction.h"
#include "headway/kernel/kernel.h"
#include "headway/programs/allocation.h"
#include "headway/programs/kind.h"
#include "headway/programs/placement.h"
#include "headway/queueing/scheme.h"
#include "headway/routing/routing.h"
#include "headway/selection/selection.h"
#include "headway/spec/enums.h"
#include "headway/topology/network_changes.h"
#include "headway/topology/network_spec.h"
#include "headway/trace/format.h"
#include "headway/traffic/arrivals.h"
#include "headway/traffic/framing.h"
#include "headway/traffic/message_sizes.h"
#include "headway/traffic/pattern.h"
#include "headway/traffic/sources.h"

namespace headway {

// Choice: the default of routing.flow_table. Tables of switches have 256 entries to 64 Ki for a group of
// ports.
inline constexpr std::int64_t kFlowTable = 1 << 14;
// Choice: the default of routing.flowlet_gap. It is longer than delays of paths differ in most networks, and
// shorter than the pauses of programs.
inline const Duration kFlowletGap{10'000};

struct RoutingSpec {
  Choice<Routing> algorithm = choose(routings(), "det");
  Choice<Selection> selection = choose(selections(), "auto");  // adaptive routing only
  FreeOutput free_output = FreeOutput::now;                    // adaptive routing only
  NoneFree none_free = NoneFree::wait;                         // adaptive routing only
  CpCounts cp_counts = CpCounts::chosen;                       // with selection "cp"
  ChoosePer choose_per = ChoosePer::packet;                    // adaptive routing and spray
  std::optional<Duration> flowlet_gap;                         // with flowlets; none: kFlowletGap
  std::optional<std::int64_t> flow_table;                      // entries of a switch; none: kFlowTable
  Duration gap_of_flowlets() const { return flowlet_gap.value_or(kFlowletGap); }
  LinkRule node_link = LinkRule::hash;  // of nodes with several links
  // From when a link goes down or comes up until routes hold that know of it; none: the routes stay.
  std::optional<Duration> reroute_after;
};

struct SwitchSpec {
  Architecture architecture = Architecture::iq;
  double crossbar_speedup = 1.0;  // cioq: ratio of crossbar rate to link rate, to four decimals
  // cioq: per output port, split evenly over its queues; default: 4 KiB, or what the queues need
  std::optional<Bytes> output_memory;
  Switching switching = Switching::cut_through;
  // for packets from a slower to a faster link, in cut-through switches
  Switching slow_to_fast = Switching::store_and_forward;
  Choice<Scheme> scheme = choose(schemes(), "1q");
  // per input port, split evenly over its queues; default: 4 KiB, or what the queues, or pauses, need
  std::optional<Bytes> input_memory;
  std::optional<Bytes> queue_memory;  // per queue; replaces input_memory's split
  std::optional<Bytes> cell;          // unit of memory; none: a slot for each packet
  std::int64_t virtual_channels = 1;  // queues for each queue of the scheme
  std::int64_t lanes = 1;             // virtual lanes for each lane that the routing needs
  InputFile service_levels;           // for packets whose flow sets none; no file: level 0
  InputFile lane_table;               // no file: the service level modulo the number of lanes
  TurnsOfLanes lane_turns = TurnsOfLanes::none;
  std::string vlarb_high, vlarb_low;  // infiniband: "lane:weight,..."; empty: as OpenSM
  std::int64_t high_limit = 0;        // infiniband
  ChannelChoice channel = ChannelChoice::most_room;
  OutputQueues output_queues = OutputQueues::as_input;  // cioq
  ArbiterKind arbiter = ArbiterKind::round_robin;
  OutputArbiter output_arbiter = OutputArbiter::arbiter;
  std::vector<std::int64_t> weights;  // of weighted round robin, per queue; empty: all equal
  Choice<LinkFlowControl> flow_control = choose(link_flow_controls(), "credits");
  Choice<Marking> marking = choose(markings(), "none");
  Bytes credit_packet{0};  // 0 B: credits use no link bandwidth
  Duration routing_delay{0};
  DownLinks down_links = DownLinks::wait;  // packets for links that are down
};

// The exact fraction of a factor that is rounded to four decimals.
inline Rational to_four_decimals(double factor) { return {std::llround(factor * 10'000), 10'000}; }
inline Rational speedup_of(const SwitchSpec& switches) { return to_four_decimals(switches.crossbar_speedup); }
// Returns true if the switch has output queues. A CIOQ switch without output memory and speed-up is
// input-queued.
inline bool has_output_units(const SwitchSpec& switches) {
  return switches.architecture == Architecture::cioq &&
         (!switches.output_memory || switches.output_memory->count > 0 ||
          speedup_of(switches) != Rational(1));
}
// The queues of the scheme, each replicated for every virtual channel.
inline QueueMap with_virtual_channels(const SwitchSpec& switches, QueueMap of_scheme) {
  if (switches.virtual_channels == 1) return of_scheme;
  return of_scheme.with_channels(static_cast<std::uint32_t>(switches.virtual_channels), switches.channel);
}
// Number of queues that share the memory of an output port; an input port has `input_queues` in `lanes`.
inline std::uint32_t output_queues(const SwitchSpec& switches, std::uint32_t lanes,
                                   std::uint32_t input_queues) {
  return switches.output_queues == OutputQueues::one ? lanes : input_queues;
}

// Nodes that consume packets at a rate of their own.
struct ReceiverSpec {
  NodeSet nodes;
  double rate = 1.0;  // fraction of the link rate, to four decimals
};

struct NodeSpec {
  Admittance admittance = Admittance::per_destination;
  // Generation stalls while this amount waits at a node; none: unlimited.
  std::optional<Bytes> admittance_limit;
  std::optional<Bytes> injection_memory;  // default: that of an input port of the leaf switch
  Choice<Reaction> reaction = choose(reactions(), "none");
  Bytes notification_packet{0};  // 0 B: notifications use no bandwidth
  std::int64_t notification_service_level = 0;
  std::optional<Duration> notification_delay;  // default: the longest path of an empty network
  // Fraction of the link rate at which nodes consume packets, to four decimals; none: at once.
  std::optional<double> receive_rate;
  std::vector<ReceiverSpec> receivers;  // nodes with another rate
  std::optional<Bytes> receive_memory;  // per lane, of nodes with a rate; default: that of an input port
};

// A class of traffic: the lanes that its packets use and the service levels that they have.
struct ClassSpec {
  std::optional<std::string> name;           // default: "class 0", by its number
  std::vector<std::int64_t> lanes;           // none: those of its service levels
  std::vector<std::int64_t> service_levels;  // none: those of its lanes
  bool strict = false;                       // lane_turns "weighted": served before all with a weight
  std::optional<std::int64_t> weight;        // lane_turns "weighted": its share; none: 1
};

// Load as a number, or as points in time connected by steps or ramps.
struct LoadSpec {
  struct Point {
    Duration at;
    double load;
  };
  std::vector<Point> points = {{Duration{0}, 1.0}};
  Transition change = Transition::step;
};

struct FlowSpec {
  std::optional<std::string> name;  // default: that of flow_names.h
  NodeSet sources;
  Choice<Pattern> pattern = choose(patterns(), "uniform");
  Choice<Arrivals> arrivals = choose(arrival_processes(), "poisson");
  LoadSpec load;
  Choice<MessageSizes> sizes = choose(message_sizes(), "fixed");
  std::optional<Duration> start;
  std::optional<Duration> stop;
  std::optional<std::int64_t> service_level;
  bool absent = false;  // no key: what_if.without
};

// A trace and its replay. Trace times are times before compression, since the first record.
struct TraceSpec {
  std::optional<std::string> name;  // default: that of flow_names.h
  Choice<TraceFormat> format = choose(trace_formats(), "csv");
  bool skip_bad = false;
  Duration reorder{0};
  Duration begin{0};
  std::optional<Duration> end;
  double compression = 1.0;           // to four decimals
  std::optional<double> target_load;  // replaces compression
  LoadTarget target_of = LoadTarget::network;
  Duration start{0};                              // simulated time of `begin`
  NodeNumbers node_numbers = NodeNumbers::exact;  // of messages
  NodeSet storage{NodeSet::Kind::fraction, 0.25, 0, {}};
  NodeSet hosts{NodeSet::Kind::rest, 1.0, 0, {}};
  EndpointRules::Spread device_nodes = EndpointRules::Spread::in_turn;
  EndpointRules::Spread process_nodes = EndpointRules::Spread::hash;
  Bytes request{32};
  Bytes acknowledgement{0};
  Duration service{1'000'000};
  std::optional<std::int64_t> service_level;
  bool absent = false;  // no key: what_if.without
};

// A program that runs on nodes (docs/programs.md).
struct JobSpec {
  std::optional<std::string> name;  // default: that of flow_names.h
  Choice<ProgramKind> program = choose(programs(), "all-reduce");
  std::vector<Choice<ProgramKind>> parts;  // of a sequence
  NodeSet nodes;
  Placement placement = Placement::linear;
  InputFile placement_file;           // the nodes in the order of ranks; replaces both
  std::optional<std::int64_t> ranks;  // none: as many as the program or the nodes have
  std::int64_t ranks_per_node = 1;
  bool exclusive = false;  // it waits until as many of `nodes` are free as it needs, and has them for itself
  Duration start{0};
  std::int64_t copies = 1;  // jobs like this one
  Duration interarrival{0};
  JobArrivals arrivals = JobArrivals::poisson;
  std::int64_t copy = 0;  // no key: which of them this is
  std::int64_t iterations = 1;
  bool background = false;  // repeats for ever, and the run does not wait for it
  SendsComplete sends = SendsComplete::sent;
  std::optional<Bytes> rendezvous;  // messages of more bytes are announced; none: no message
  Bytes control{64};
  Duration overhead{0};
  Duration overhead_per_byte{0};
  Duration local_delay{0};
  std::optional<std::int64_t> service_level;
  bool absent = false;   // no key: what_if.without
  bool computes = true;  // no key: what_if.no_computing

  // Switches reduce or multicast for it.
  bool uses_switches() const {
    return program->uses_switches() ||
           std::ranges::any_of(parts, [](const Choice<ProgramKind>& part) { return part->uses_switches(); });
  }
};

struct TrafficSpec {
  Bytes packet{64};        // without its header
  Bytes header{0};         // of every packet
  Bytes minimum_frame{0};  // shorter packets are padded
  std::vector<FlowSpec> flows = {FlowSpec{}};
  std::vector<TraceSpec> traces;
  std::vector<JobSpec> jobs;  // with their copies (job_copies.h)
  Allocation allocation = Allocation::fifo;

  Bytes frame() const { return {packet.count + header.count}; }  // of a full packet
  Framing framing() const {
    return {static_cast<std::uint32_t>(packet.count), static_cast<std::uint32_t>(header.count),
            static_cast<std::uint32_t>(minimum_frame.count)};
  }
  bool uses_switches() const { return std::ranges::any_of(jobs, &JobSpec::uses_switches); }
  bool has_foreground_job() const {
    return std::ranges::any_of(jobs, [](const JobSpec& job) { return !job.background; });
  }
};

// A detected warm-up must end within kWarmupLimit measured durations. The default bin is 1/kBinsByDefault of
// the measured duration.
inline constexpr std::int64_t kWarmupLimit = 2;
inline constexpr std::int64_t kBinsByDefault = 100;

// What an observer records during a run. Observing does not change the run (docs/waiting.md).
struct ObserveSpec {
  bool waiting = false;
  Duration interval{5'000};  // mean time between photographs
  bool keep = false;         // write the photographs to a file, for pictures
};

struct MeasureSpec {
  Until until = Until::time;                      // a file with jobs and no window: done
  Duration limit{1'000'000'000};                  // until done: the run ends here all the same
  bool alone = false;                             // each job is also run alone, for its slowdown
  std::optional<Duration> warmup;                 // none: detected
  Duration duration{100'000};                     // measured after the warm-up
  std::optional<Duration> bin;                    // of the time series
  std::set<std::string, std::less<>> tables;      // additional results: names of extra_tables()
  std::int64_t slowest_messages = 20;             // of jobs, in the results
  double victims_below = 0.8;                     // fairness: fraction of the max-min fair share
  std::optional<std::int64_t> watch_destination;  // isolation: count the CFQs allocated for this node

  bool has(std::string_view table) const { return tables.contains(table); }
  // The bin, or the default one.
  Duration bin_length() const { return bin ? *bin : Duration{duration.ns / Rational(kBinsByDefault)}; }
};

// Links go down, or get a lower rate, during the run: one link, those of a switch, or those of a node.
struct LinkEventSpec {
  std::string link;  // as topology/named_link.h reads it
  std::string sw;    // name or number
  std::string node;  // name or number
  Duration at{0};
  std::optional<Duration> lasts;  // none: to the end of the run
  std::optional<Duration> every;  // begins again; none: it happens once
  double rate = 0;                // fraction of the links' own rate, rounded to millionths; 0: they are down
};

// Changes that ask a question (what_if.h).
struct WhatIfSpec {
  std::vector<std::string> without;  // names of flows, traces and jobs
  NetworkChanges network;
  bool no_computing = false;
  bool no_overhead = false;
  bool fast_receivers = false;
  bool no_events = false;
  std::int64_t stagger = 0;
};

// What the event-driven kernel runs.
struct EventSpec {
  NetworkSpec network;
  RoutingSpec routing;
  SwitchSpec switches;  // table [switch]
  std::vector<ClassSpec> classes;
  std::vector<LinkEventSpec> events;
  NodeSpec node;
  TrafficSpec traffic;
  MeasureSpec measure;
  ObserveSpec observe;
  WhatIfSpec what_if;
  std::uint64_t seed = 1;

  // Returns true if the results have the table per_destination; fairness and waiting add columns to it.
  bool has_destinations() const {
    return measure.has("per-destination") || measure.has("fairness") || observe.waiting;
  }
};

// The unit in which the memory of a network is counted: a cell, or a slot for a full packet.
inline Bytes slot_of(const EventSpec& spec) { return spec.switches.cell.value_or(spec.traffic.frame()); }

// What the event-driven kernel runs, or another kernel with its parameters.
using Spec = std::variant<EventSpec, Choice<Kernel>>;

// The kernel if it is not the event-driven one, otherwise null.
template <class AnySpec>  // Spec or const Spec
auto* other_kernel(AnySpec& spec) {
  auto* const other = std::get_if<Choice<Kernel>>(&spec);
  return other == nullptr ? nullptr : other->get();
}

// As in `kernel = "..."`.
inline constexpr std::string_view kEventDriven = "event-driven";
inline std::string_view kernel_of(const Spec& spec) {
  const auto* const other = std::get_if<Choice<Kernel>>(&spec);
  return other == nullptr ? kEventDriven : other->name;
}

// A spec with default values for each kernel, that of the event-driven one first.
inline std::vector<Spec> specs_of_kernels() {
  std::vector<Spec> specs = {EventSpec{}};
  for (const Entry<Kernel>& kernel : kernels()) specs.emplace_back(choose(kernels(), kernel.name));
  return specs;
}

inline const NetworkSpec& network_of(const Spec& spec) {
  const Kernel* const other = other_kernel(spec);
  return other == nullptr ? std::get<EventSpec>(spec).network : other->network;
}
inline std::uint64_t& seed_of(Spec& spec) {
  Kernel* const other = other_kernel(spec);
  return other == nullptr ? std::get<EventSpec>(spec).seed : other->seed;
}
inline std::uint64_t seed_of(const Spec& spec) {
  const Kernel* const other = other_kernel(spec);
  return other == nullptr ? std::get<EventSpec>(spec).seed : other->seed;
}

}  // namespace headway
