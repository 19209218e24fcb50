// SPDX-License-Identifier: Apache-2.0
#include "headway/compile/run_cost.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <numbers>
#include <optional>
#include <tuple>
#include <vector>

#include "headway/analysis/link_demand.h"
#include "headway/analysis/offered_traffic.h"
#include "headway/base/rng.h"
#include "headway/compile/hosts.h"
#include "headway/compile/tick.h"
#include "headway/compile/trace.h"
#include "headway/programs/compiled_program.h"
#include "headway/programs/node_bytes.h"
#include "headway/routing/reach.h"
#include "headway/spec/flow_names.h"
#include "headway/trace/byte_stream.h"
#include "headway/traffic/sources.h"

namespace headway {
namespace {

// Choice: the mean length of this many paths has a standard error of about 1 %.
constexpr int kSampleSize = 1000;
constexpr double kGuessedHops = 4;                     // of a packet, in networks that are not built
constexpr double kGuessedTime = 500;                   // ns, of a packet there
constexpr std::uint32_t kLongestPath = 1000;           // of a path that is followed
constexpr std::uint64_t kMostRecords = 10'000;         // of a trace that are read
constexpr std::uint64_t kMostTraceBytes = 1ULL << 22;  // of its file

// What packets meet on their way.
struct Way {
  double hops = 0;   // switches; 0 if there is no way
  double links = 0;  // delays, in ns

  Way& operator+=(const Way& other) {
    hops += other.hops;
    links += other.links;
    return *this;
  }
  friend Way operator*(double factor, const Way& way) { return {factor * way.hops, factor * way.links}; }
};

// Follows packets. Where they choose among several ports, it draws one.
class PacketWalker {
 public:
  explicit PacketWalker(const Plan& plan) : graph_(*plan.graph), routes_(plan.routes) {}

  // Between two nodes of the spec.
  Way way(NodeId of_source, NodeId of_destination) {
    if (of_source == of_destination) return {};
    NodeId source = graph_.home(of_source), destination = graph_.home(of_destination);
    if (!graph_.hosts().none()) std::tie(source, destination) = graph_.hosts().way(source, destination, 0);
    const Way direct = follow(source, destination, kNone);
    const std::optional<std::uint32_t> via = waypoint(source, destination);
    if (!via) return direct;
    Way detour = follow(source, destination, *via);
    // Choice: without the state of the network, a packet that decides takes either way.
    if (routes_.detours->kind != Detour::always) detour = 0.5 * (detour += direct);
    return detour;
  }

 private:
  std::uint32_t drawn(std::uint32_t count) { return count == 1 ? 0 : rng_.below(count); }

  std::optional<std::uint32_t> waypoint(NodeId source, NodeId destination) {
    if (!routes_.detours || routes_.detours->waypoints < 3) return std::nullopt;
    const auto part = [&](PortId port) { return routes_.detours->waypoint_of[graph_.switch_of(port)]; };
    const std::uint32_t from = part(graph_.peer_of(graph_.node_port(source)));
    const std::uint32_t to = part(graph_.source_of(graph_.node_port(destination)));
    if (from == to) return std::nullopt;
    std::uint32_t via = drawn(routes_.detours->waypoints - 2);
    via += via >= std::min(from, to);
    via += via >= std::max(from, to);
    return via;
  }

  double delay_of(PortId output) const { return graph_.link(output).delay.ns.to_double(); }

  Way follow(NodeId source, NodeId destination, std::uint32_t via) {
    PortId input = graph_.peer_of(graph_.node_port(source));
    Way way{.links = delay_of(graph_.node_port(source))};
    for (; input != kNone && way.hops < kLongestPath; ++way.hops) {
      if (graph_.is_node_port(input)) return way;
      const SwitchId sw = graph_.switch_of(input);
      if (via != kNone && routes_.detours->waypoint_of[sw] == via) via = kNone;
      const std::optional<std::uint32_t> output = output_at(sw, source, destination, via);
      if (!output) return {};
      input = graph_.peer_of(graph_.port(sw, *output));
      way.links += delay_of(graph_.port(sw, *output));
    }
    return {};
  }

  std::optional<std::uint32_t> output_at(SwitchId sw, NodeId source, NodeId destination, std::uint32_t via) {
    if (routes_.choices) {
      PortList room;
      const MinimalPorts::Ports ports = routes_.choices->at(sw, destination, room);
      if (!ports.empty()) return ports[drawn(static_cast<std::uint32_t>(ports.size()))];
    }
    const RouteTable& table = via == kNone ? routes_.table : routes_.detours->to_waypoint;
    const PortRange range = via == kNone ? table.of_pair(sw, source, destination) : table.at(sw, via);
    if (range.count == 0) return std::nullopt;
    return table.port(sw, via == kNone ? destination : via, range, drawn(range.count));
  }

  const Graph& graph_;
  const Routes& routes_;
  Rng rng_{0, 0};
};

// The time for which a packet waits at a switch on average, in times of a packet on its link, at this load of
// the links. Choice: with one queue at each input, that of a large switch with such queues (Karol, Hluchyj
// and Morgan, IEEE Trans. Comm. 35(12), 1987), at the half of the switches on its way where packets of
// several inputs meet; otherwise that of a queue before every link (M/D/1). Near saturation, much less than
// the truth.
double waiting_at_switch(double load, std::uint32_t queues) {
  constexpr double kMostOfOneQueue = 0.55, kMost = 0.9, kRoot = std::numbers::sqrt2;
  if (queues > 1) {
    const double used = std::min(load, kMost);
    return used / (2 * (1 - used));
  }
  const double used = std::min(load, kMostOfOneQueue);
  return ((2 - used) * (1 - used) / ((2 - kRoot - used) * (2 + kRoot - used)) - 1) / 2;
}

class Estimate {
 public:
  Estimate(const EventSpec& spec, const Plan& plan)
      : spec_(spec),
        plan_(plan),
        graph_(plan.graph.get()),
        nodes_(static_cast<std::uint32_t>(spec.network.topology->nodes())),
        framing_(spec.traffic.framing()) {
    if (graph_ != nullptr) walker_.emplace(plan);
  }

  RunWork work() {
    const std::vector<OneIteration> iterations = iterations_of_jobs();
    RunWork work{.time_ns = end(iterations)};
    work.hops = of_flows(work.time_ns) + of_traces(work.time_ns);
    if (iterations.empty() && spec_.traffic.traces.empty()) work.crossings = crossings_;
    work.packets = in_network_.packets;
    work.packet_ns = in_network_.rate > 0 ? in_network_.packets / in_network_.rate : 0;
    work.moving = in_network_.moving;
    work.pairs = pairs_;
    for (std::size_t j = 0; j < iterations.size(); ++j)
      if (plan_.jobs[j].program && spec_.traffic.jobs[j].copy == 0)
        work.jobs.push_back(job_work(j, iterations[j].link_ns));
    double of_jobs = 0;
    for (std::size_t j = 0; j < iterations.size(); ++j)
      of_jobs += iterations[j].hops * iterations_within(iterations[j], spec_.traffic.jobs[j], work.time_ns);
    work.hops += of_jobs * (spec_.measure.alone ? 2 : 1);
    if (spec_.measure.has("critical-path") && !iterations.empty()) work.hops *= 2;  // simulated twice
    return work;
  }

 private:
  struct OneIteration {
    double hops = 0;
    double link_ns = 0;  // of the links of its nodes
    double time_ns = 0;  // at least
  };

  Way way(NodeId source, NodeId destination) {
    return walker_ ? walker_->way(source, destination) : Way{kGuessedHops, kGuessedTime};
  }
  double hops(NodeId source, NodeId destination) { return way(source, destination).hops; }
  double rate_of(NodeId node) const {  // in bytes per ns
    const Rational rate =
        graph_ == nullptr ? spec_.network.link.rate.bytes_per_ns : load_rate(*graph_, node, false);
    return rate.to_double();
  }

  static double expected_start(const JobSpec& job) {
    const double gaps =
        job.copies == 1 ? 0 : static_cast<double>(job.copy + (job.arrivals == JobArrivals::poisson));
    return job.start.ns.to_double() + gaps * job.interarrival.ns.to_double();
  }
  double end(const std::vector<OneIteration>& iterations) const {
    const MeasureSpec& measure = spec_.measure;
    if (measure.until == Until::done) {
      double last = 0, taken = 0;  // time, of all nodes
      for (std::size_t j = 0; j < iterations.size(); ++j) {
        const JobSpec& job = spec_.traffic.jobs[j];
        if (job.background) continue;
        const double time = iterations[j].time_ns * static_cast<double>(job.iterations);
        last = std::max(last, expected_start(job) + time);
        if (job.exclusive)
          taken += time * static_cast<double>(plan_.jobs[j].nodes.size()) /
                   static_cast<double>(job.ranks_per_node) / nodes_;
      }
      return std::min(std::max(last, taken), measure.limit.ns.to_double());
    }
    const double window = measure.duration.ns.to_double();
    if (measure.warmup) return measure.warmup->ns.to_double() + window;
    // Choice: a warm-up that is detected takes half as long as the window.
    return longest_run(spec_).to_double() - (kWarmupLimit - 0.5) * window;
  }

  // Packets that the link of a destination cannot carry do not arrive in the run.
  double of_flows(double end_ns) {
    std::vector<FlowSources> wanted;
    for (const FlowSpec& flow : spec_.traffic.flows) wanted.push_back({flow.sources, ""});
    Mistakes reported_before;
    auto nodes_of = choose_sources(wanted, nodes_, spec_.seed, reported_before);
    Workload workload;
    std::vector<double> bytes;  // [flow] of a source, in the run
    for (std::size_t f = 0; f < nodes_of.size(); ++f) {
      const FlowSpec& flow = spec_.traffic.flows[f];
      Flow& built = workload.flows.emplace_back();
      built.destinations = flow.pattern->build(NodeSpace::of(*spec_.network.topology), spec_.seed);
      nodes_of[f] = senders(std::move(nodes_of[f]), *built.destinations);
      double rates = 0;
      for (const NodeId node : nodes_of[f]) {
        workload.sources.push_back({node, static_cast<std::uint32_t>(f)});
        rates += rate_of(node) * built.destinations->load_of(node);
      }
      const auto sources = static_cast<double>(std::max<std::size_t>(1, nodes_of[f].size()));
      bytes.push_back(loaded_time(flow, end_ns) * rates / sources);
    }
    const OfferedTraffic offered(workload, nodes_, bytes);
    crossings_ = crossings_of(offered);
    pairs_ = pairs_of(offered);
    double sum = 0;
    for (std::size_t f = 0; f < nodes_of.size(); ++f)
      sum += of_flow(f, nodes_of[f], *workload.flows[f].destinations, bytes[f], offered, end_ns);
    return sum;
  }

  double pairs_of(const OfferedTraffic& offered) const {
    double pairs = 0;
    for (NodeId node = 0; node < nodes_; ++node) pairs += static_cast<double>(offered.to(node).size());
    for (const OfferedTraffic::SpreadTraffic& part : offered.spreads())
      pairs += static_cast<double>(part.from.size()) * part.destinations.count;
    return pairs;
  }

  // To destinations that many nodes send to. For others, few links are followed.
  double crossings_of(const OfferedTraffic& offered) const {
    if (graph_ == nullptr) return 0;
    const RouteKnowledge known = knowledge_of(plan_.routes, spec_.routing.algorithm->adaptive());
    if (known == RouteKnowledge::only_bounds) return 0;
    constexpr std::uint32_t kDestinations = 4;  // of a sample
    double links = 0;                           // on the ways to one of them
    Reach reach(*graph_, plan_.routes.table);
    for (std::uint32_t i = 0; i < kDestinations; ++i)
      reach.follow(
          static_cast<NodeId>(std::uint64_t{i} * nodes_ / kDestinations),
          [&](PortId output, PortId) { links += graph_->is_node_port(output) ? 0 : 1.0 / kDestinations; });
    const bool by_switch = known == RouteKnowledge::by_destination && plan_.routes.table.carries_by_switch();
    double targets = 0;
    for (const OfferedTraffic::SpreadTraffic& part : offered.spreads())
      targets += by_switch ? std::min(part.destinations.count, graph_->switches()) : part.destinations.count;
    return std::min(DemandWork{}.most_crossings,
                    targets * links * (known == RouteKnowledge::by_waypoint ? 2 : 1));
  }

  double of_flow(std::size_t number, const std::vector<NodeId>& sources, const Destinations& destinations,
                 double bytes, const OfferedTraffic& offered, double end_ns) {
    if (sources.empty() || bytes <= 0) return 0;
    Rng rng(spec_.seed, number);
    const auto carried = [&](double total, NodeId node) {
      const double most = rate_of(node) * end_ns;
      return total > most ? most / total : 1.0;
    };
    Way weighted;
    double all = 0;  // of the weights
    for (int i = 0; i < kSampleSize; ++i) {
      // evenly spread sources, so that their choice adds no scatter
      const NodeId source = sources[static_cast<std::size_t>(i) * sources.size() / kSampleSize];
      const NodeId destination = destinations.next(source, rng);
      if (destination == kNone) continue;
      const double weight = std::min(carried(offered.from_node()[source], source),
                                     carried(offered.to_node()[destination], destination));
      weighted += weight * way(source, destination);
      all += weight;
    }
    const SizeDistribution sizes = spec_.traffic.flows[number].sizes->build(spec_.traffic.packet.count);
    const double packets = static_cast<double>(sources.size()) * bytes * packets_of_byte(sizes);
    if (all > 0) {
      const FlowSpec& flow = spec_.traffic.flows[number];
      const double peak = largest_load(flow) * end_ns / loaded_time(flow, end_ns);
      const double load = peak * bytes / (rate_of(sources.front()) * end_ns) * all / kSampleSize;
      const double length = 1 / (packets_of_byte(sizes) * rate_of(sources.front()));  // ns, on a link
      add_to_network(peak * packets / end_ns * all / kSampleSize, load, length, (1 / all) * weighted);
    }
    return packets * weighted.hops / kSampleSize;
  }

  // Packets of this rate, per ns, that take this time on a link and go this way, at this load of the links.
  void add_to_network(double rate, double load, double length, const Way& way) {
    const double transfers = way.hops + 1;
    const bool stores = spec_.switches.switching == Switching::store_and_forward;
    const std::uint32_t queues = graph_ == nullptr ? 1 : plan_.map.queues * plan_.options.lanes;
    const double time = way.links + way.hops * spec_.switches.routing_delay.ns.to_double() +
                        (stores ? transfers : 1) * length +
                        transfers * waiting_at_switch(load, queues) * length;
    in_network_.rate += rate;
    in_network_.packets += rate * time;
    // a transfer, its credit, and the packet on the link
    in_network_.moving += rate * (2 * transfers * length + 2 * way.links);
  }

  // The mean number of packets of a message, divided by its mean length.
  double packets_of_byte(const SizeDistribution& sizes) const {
    const double mean = framing_.mean_frames(sizes);
    if (sizes.fixed()) return framing_.cut(sizes.least()).packets / mean;
    Rng rng(0, 0);
    double packets = 0;
    for (int i = 0; i < kSampleSize; ++i) packets += framing_.cut(sizes.next(rng)).packets;
    return packets / kSampleSize / mean;
  }

  // Reads the beginning of each trace, and extrapolates it if it ends before the run.
  double of_traces(double end_ns) {
    double sum = 0;
    for (const TraceSpec& trace : spec_.traffic.traces) {
      const double begin = trace.begin.ns.to_double();
      const double replayed = std::max(0.0, end_ns - trace.start.ns.to_double());
      double most = trace.target_load ? 1e300 : replayed * trace.compression;  // of recorded time
      if (trace.end) most = std::min(most, trace.end->ns.to_double() - begin);
      double bytes = 0, crossed = 0, length = 0;
      bool is_all = false;
      try {
        TraceWindow window = window_of(trace, nodes_, spec_.seed);
        window.most_records = kMostRecords;
        window.most_bytes = kMostTraceBytes;
        TracePass pass(window);
        for (auto message = pass.next(); !is_all; message = pass.next()) {
          is_all = !message || static_cast<double>(message->time) / kNanosecond - begin > most;
          if (is_all) break;
          length = static_cast<double>(message->time) / kNanosecond - begin;
          bytes += static_cast<double>(framing_.frames(message->bytes));
          crossed += static_cast<double>(framing_.cut(message->bytes).packets) *
                     hops(message->source, message->destination);
        }
      } catch (const EnoughRead&) {  // the rest is extrapolated
      } catch (const SpecError&) {
        continue;  // the run reports it
      }
      const double rate = spec_.network.link.rate.bytes_per_ns.to_double();
      if (trace.target_load)
        most = std::min(most, replayed * *trace.target_load * rate * nodes_ * length / std::max(bytes, 1.0));
      const double times = most / std::max(length, 1.0);
      sum += crossed * (is_all ? std::min(times, 1.0) : times);
    }
    return sum;
  }

  std::vector<OneIteration> iterations_of_jobs() {
    std::vector<OneIteration> iterations;
    for (std::size_t j = 0; j < plan_.jobs.size(); ++j) {
      if (spec_.traffic.jobs[j].copy > 0) {
        iterations.push_back(iterations.back());
        continue;
      }
      iterations.emplace_back();
      if (plan_.jobs[j].program) iterations.back() = iteration_of(plan_.jobs[j], spec_.traffic.jobs[j]);
    }
    return iterations;
  }

  OneIteration iteration_of(const JobPlan& plan, const JobSpec& job) {
    const CompiledProgram& program = *plan.program;
    OneIteration one;
    double computed = 0;
    for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
      computed = std::max(computed, program.totals(rank).computed / 1000);
    one.hops = hops_of(plan, job);
    for (const NodeBytes& bytes : node_bytes(program, plan.nodes))
      one.link_ns =
          std::max({one.link_ns, bytes.sent / rate_of(bytes.node), bytes.received / rate_of(bytes.node)});
    one.time_ns = one.link_ns + computed;
    return one;
  }

  JobWork job_work(std::size_t number, double link_ns) {
    const JobSpec& job = spec_.traffic.jobs[number];
    const CompiledProgram& program = *plan_.jobs[number].program;
    JobWork work{
        .name = flow_names(spec_.traffic)[spec_.traffic.flows.size() + spec_.traffic.traces.size() + number],
        .copies = static_cast<std::uint32_t>(job.copies),
        .ranks = program.ranks() - program.aggregators,
        .operations = program.operations()};
    program.for_each_size([&](std::uint64_t bytes, std::uint64_t messages) {
      const auto number = static_cast<double>(messages), length = static_cast<double>(bytes);
      work.messages += number;
      work.bytes += number * length;
      work.packets += number * framing_.cut(bytes).packets;
    });
    const MessageTime message = message_time(plan_.jobs[number]);
    const std::int64_t chunks = chunks_of(job.program);
    work.time_ns = time_of(program, message, link_ns, std::max<std::int64_t>(chunks, 1));
    if (chunks != 1 || program.elements() > kMostElements) return work;
    // A chunk goes the way of all data, in its part of the time. Choice: chunks are worth a word if they save
    // three tenths.
    double least = 0.7 * work.time_ns;
    for (std::int64_t cuts = 2; cuts <= 64; cuts *= 2) {
      const MessageTime of_chunk{message.latency_ns, message.ns_per_byte / static_cast<double>(cuts)};
      const double time = time_of(program, of_chunk, link_ns, cuts);
      if (time >= least) continue;
      least = work.chunked_ns = time;
      work.chunks = cuts;
    }
    return work;
  }

  // 0: the program does not cut its data.
  static std::int64_t chunks_of(Choice<ProgramKind> program) {
    std::int64_t chunks = 0;
    EachParameter parameters([&](const Parameter& parameter, auto& value) {
      if constexpr (std::same_as<std::remove_cvref_t<decltype(value)>, std::int64_t>)
        if (parameter.name == "chunks") chunks = value;
    });
    program->describe(parameters);
    return chunks;
  }

  // Alone in the network, with chunks that follow each other.
  static double time_of(const CompiledProgram& program, const MessageTime& message, double link_ns,
                        std::int64_t chunks) {
    if (program.elements() > kMostElements) return link_ns;
    const double chain = program.time_ns(message);
    return std::max(link_ns, chain + link_ns * (1 - 1 / static_cast<double>(chunks)));
  }

  // Between the ranks of a sample; packets are full.
  MessageTime message_time(const JobPlan& plan) {
    constexpr std::uint32_t kPairs = 16;
    const std::uint32_t ranks = plan.program->ranks() - plan.program->aggregators;
    Way sum;
    double pairs = 0;
    for (std::uint32_t i = 0; i < kPairs; ++i) {
      const NodeId from = plan.nodes[std::uint64_t{i} * ranks / kPairs],
                   to = plan.nodes[(std::uint64_t{i} * ranks / kPairs + 1 + i * i) % ranks];
      if (from == to) continue;
      sum += way(from, to);
      pairs += 1;
    }
    if (pairs == 0) return {};
    return {(sum.links + sum.hops * spec_.switches.routing_delay.ns.to_double()) / pairs,
            framing_.full_frame() / (framing_.payload * rate_of(plan.nodes.front()))};
  }

  // Of a sample of the operations.
  double hops_of(const JobPlan& plan, const JobSpec& job) {
    const CompiledProgram& program = *plan.program;
    const std::uint64_t every = std::max<std::uint64_t>(1, program.operations() / (100 * kSampleSize));
    double sum = 0;
    const auto add = [&](std::uint32_t rank, const RankOp& it) {
      if (it.kind != ProgramOpKind::send) return;
      const NodeId from = plan.nodes[rank], to = plan.nodes[it.peer];
      if (from == to) return;
      double packets = framing_.cut(it.amount).packets;
      if (job.rendezvous && it.amount > static_cast<std::uint64_t>(job.rendezvous->count))
        packets += 2 * framing_.cut(static_cast<std::uint64_t>(job.control.count)).packets;
      sum += packets * hops(from, to) * static_cast<double>(every);
    };
    std::uint64_t next = 0;  // within the rank
    for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
      const std::uint64_t operations = program.operations(rank);
      if (every == 1) {
        program.any_of(rank, [&](std::uint32_t, const RankOp& it) {
          add(rank, it);
          return false;
        });
        continue;
      }
      for (; next < operations; next += every)
        add(rank, program.operation({rank, static_cast<std::uint32_t>(next)}));
      next -= operations;
    }
    return sum;
  }

  static double iterations_within(const OneIteration& one, const JobSpec& job, double end_ns) {
    const double time = std::max(0.0, end_ns - job.start.ns.to_double()), most = time / one.time_ns;
    if (one.hops == 0) return 0;
    return job.background ? most : std::min(static_cast<double>(job.iterations), most);
  }

  static constexpr std::uint64_t kMostElements = 1 << 20;  // of a program whose chains are followed

  const EventSpec& spec_;
  const Plan& plan_;
  const Graph* graph_;
  std::uint32_t nodes_;
  Framing framing_;
  double crossings_ = 0, pairs_ = 0;
  struct {
    double rate = 0, packets = 0, moving = 0;  // RunWork
  } in_network_;
  std::optional<PacketWalker> walker_;
};

}  // namespace

double loaded_time(const FlowSpec& flow, double end) {
  const double from = flow.start ? flow.start->ns.to_double() : 0;
  const double to = flow.stop ? std::min(flow.stop->ns.to_double(), end) : end;
  if (flow.arrivals->backlog() > 0) return std::max(0.0, to - from);  // as much as its link carries
  const std::vector<LoadSpec::Point>& points = flow.load.points;
  double sum = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool last = i + 1 == points.size();
    const double begins = points[i].at.ns.to_double(), ends = last ? end : points[i + 1].at.ns.to_double();
    const double a = std::max(begins, from), b = std::min(ends, to);
    if (a >= b) continue;
    const double slope = flow.load.change == Transition::ramp && !last
                             ? (points[i + 1].load - points[i].load) / (ends - begins)
                             : 0;
    sum += (b - a) * (points[i].load + slope * ((a + b) / 2 - begins));
  }
  return sum;
}

RunWork work_of(const EventSpec& spec, const Plan& plan) { return Estimate(spec, plan).work(); }

double runs_of(const SaturationSearch& search) {
  return 2 + std::max(0.0, std::ceil(std::log2((1 - search.lowest) / search.precision)));
}

double expected_work(const Experiment& experiment, std::size_t point) {
  const Point& its = experiment.points[point];
  if (!experiment.search) return its.work.hops;
  // Choice: full load, and bisection towards a load of 0.6.
  constexpr double kGuess = 0.6;
  const double loads = 1 + kGuess * (runs_of(*experiment.search) - 2);
  const Spec spec = its.spec();
  const auto* event = std::get_if<EventSpec>(&spec);
  return its.work.hops * (event != nullptr ? loads / largest_load(*event) : runs_of(*experiment.search));
}

double largest_load(const FlowSpec& flow) {
  if (flow.arrivals->backlog() > 0) return 1;  // as much as the link carries
  return std::ranges::max(flow.load.points, {}, &LoadSpec::Point::load).load;
}

double largest_load(const EventSpec& spec) {
  double largest = 0;
  for (const FlowSpec& flow : spec.traffic.flows)
    for (const LoadSpec::Point& point : flow.load.points) largest = std::max(largest, point.load);
  return largest > 0 ? largest : 1;
}

}  // namespace headway
