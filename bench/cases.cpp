// SPDX-License-Identifier: Apache-2.0
#include "bench/cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bench/peak_memory.h"
#include "headway/base/cpu_time.h"
#include "headway/compile/build.h"
#include "headway/config/assign.h"
#include "headway/engine/simulation.h"
#include "headway/observe/observer.h"
#include "headway/queueing/scheme.h"
#include "headway/slotted/run.h"
#include "headway/slotted/spec.h"

namespace headway {
namespace {

struct Tree {
  std::int64_t k;
  std::int64_t n;
  std::int64_t warmup_ns;
  std::int64_t duration_ns;
};

constexpr Tree kTrees[] = {
    {4, 3, 20'000, 200'000}, {4, 4, 20'000, 60'000}, {16, 2, 20'000, 100'000},
    {4, 6, 6'000, 5'000},    {16, 4, 3'000, 1'000},
};
constexpr std::int64_t kLargestQuick = 4096;  // nodes
// In larger networks, its queues need more memory than machines have.
constexpr std::int64_t kLargestVoqnet = 4096;
constexpr int kParts = 5;

struct NamedScheme {
  std::string_view name;
  Choice<Scheme> scheme;
};

std::vector<NamedScheme> benchmark_schemes() {
  return {{"1q", choose(schemes(), "1q")},
          {"voqsw", choose(schemes(), "voqsw")},
          {"dbbm-4", choose(schemes(), "dbbm", {{"queues", 4}})},
          {"obqa-4", choose(schemes(), "obqa", {{"queues", 4}})},
          {"voqnet", choose(schemes(), "voqnet")}};
}

EventSpec spec_of(const Tree& tree, const NamedScheme& scheme, double load, bool quick) {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", tree.k}, {"n", tree.n}});
  spec.switches.scheme = scheme.scheme;
  if (scheme.name == "voqnet") spec.switches.queue_memory = Bytes{256};
  spec.traffic.flows.front().load = {.points = {{Duration{0}, load}}};
  spec.measure.warmup = Duration{tree.warmup_ns};
  spec.measure.duration = Duration{quick ? tree.duration_ns / 4 : tree.duration_ns};
  return spec;
}

// Grids of 1024 nodes, below saturation.
std::vector<Benchmark> grids(bool quick) {
  std::vector<Benchmark> result;
  const NamedScheme dbbm{"dbbm-4", choose(schemes(), "dbbm", {{"queues", 4}})};
  const std::vector<std::int64_t> sides = {32, 32};
  for (const char* name : {"mesh", "torus"}) {
    EventSpec spec = spec_of({4, 5, 20'000, 40'000}, dbbm, 0.1, quick);
    spec.network.topology = choose(topologies(), name, {{"sides", sides}});
    spec.routing.algorithm = choose(routings(), "dor");
    result.push_back({fmt::format("{}-32x32 dbbm-4 0.1{}", name, quick ? " quick" : ""), spec});
  }
  return result;
}

// A quarter of 256 nodes sends to one node: the cost of isolation under congestion. Goal: at most twice the
// time per packet-hop of a single queue, in which nearly nothing moves, and of voqnet, which is not blocked.
EventSpec hot_spot_spec(const NamedScheme& scheme, bool quick) {
  EventSpec spec = spec_of(kTrees[1], scheme, 1.0, quick);
  if (scheme.name != "voqnet") spec.switches.input_memory = Bytes{8192};
  spec.traffic.flows.front().sources = {.kind = NodeSet::Kind::fraction, .fraction = 0.75};
  FlowSpec hot;
  hot.sources.kind = NodeSet::Kind::rest;
  hot.pattern = choose(patterns(), "hotspot", {{"destination", 123}});
  spec.traffic.flows.push_back(hot);
  return spec;
}

// Figure 5(a) of the OBQA paper: the hot spot starts after half of the time and lasts a tenth of it. Goal:
// with photographs, the run takes at most 1.6 times as long.
EventSpec passing_hot_spot_spec(bool observed, bool quick) {
  const std::int64_t tenth = quick ? 12'500 : 50'000;  // ns
  EventSpec spec = hot_spot_spec({"1q", choose(schemes(), "1q")}, quick);
  spec.switches.input_memory = Bytes{4096};
  spec.traffic.flows.back().start = Duration{5 * tenth};
  spec.traffic.flows.back().stop = Duration{6 * tenth};
  spec.measure.warmup = Duration{0};
  spec.measure.duration = Duration{10 * tenth};
  spec.observe.waiting = observed;
  return spec;
}

// Every operation is a send or a receive of a message of one packet.
EventSpec all_to_all_spec(bool quick) {
  EventSpec spec = spec_of(kTrees[1], {"1q", choose(schemes(), "1q")}, 1.0, quick);
  spec.traffic.flows.clear();
  JobSpec& job = spec.traffic.jobs.emplace_back();
  job.program = choose(programs(), "all-to-all", {{"size", Bytes{64}}});
  job.background = true;
  return spec;
}

// A hot spot in a network with four layers, the case with the highest throughput of the multi-layer paper.
Spec slotted_spec(std::int64_t nodes, bool quick) {
  Choice<Kernel> kernel = choose(kernels(), "slotted",
                                 {{"load", 0.8},
                                  {"hotspot_fraction", 0.05},
                                  {"warmup_slots", 100},
                                  {"slots", (quick ? 1'600'000 : 6'400'000) / nodes}});
  kernel->network.topology = choose(topologies(), "omega", {{"nodes", nodes}, {"layers", 4}});
  return kernel;
}

}  // namespace

std::vector<Benchmark> benchmarks(bool quick) {
  std::vector<Benchmark> result;
  for (const Tree& tree : kTrees) {
    std::int64_t nodes = 1;
    for (std::int64_t i = 0; i < tree.n; ++i) nodes *= tree.k;
    if (quick && nodes > kLargestQuick) continue;
    for (const NamedScheme& scheme : benchmark_schemes()) {
      if (scheme.name == "voqnet" && nodes > kLargestVoqnet) continue;
      for (const double load : {0.5, 0.9})
        result.push_back(
            {fmt::format("{}-ary-{}-tree {} {}{}", tree.k, tree.n, scheme.name, load, quick ? " quick" : ""),
             spec_of(tree, scheme, load, quick)});
    }
    // goal: a hop costs at most 1.5 times as much as with 1q, whose routes are known on arrival
    for (const double load : {0.5, 0.9}) {
      EventSpec spec = spec_of(tree, {"1q", choose(schemes(), "1q")}, load, quick);
      spec.routing.algorithm = choose(routings(), "adaptive");
      result.push_back(
          {fmt::format("{}-ary-{}-tree 1q-adaptive {}{}", tree.k, tree.n, load, quick ? " quick" : ""),
           spec});
    }
  }
  for (const double load : {0.5, 0.9}) {
    EventSpec spec = spec_of(kTrees[0], {"dbbm-8", choose(schemes(), "dbbm", {{"queues", 8}})}, load, quick);
    spec.switches.architecture = Architecture::cioq;
    spec.switches.crossbar_speedup = 1.5;
    result.push_back({fmt::format("4-ary-3-tree cioq dbbm-8 {}{}", load, quick ? " quick" : ""), spec});
  }
  for (Benchmark& grid : grids(quick)) result.push_back(std::move(grid));
  for (const NamedScheme& scheme : {NamedScheme{"1q", choose(schemes(), "1q")},
                                    {"voqnet", choose(schemes(), "voqnet")},
                                    {"fbicm", choose(schemes(), "fbicm")},
                                    {"recn-iq", choose(schemes(), "recn-iq")}})
    result.push_back({fmt::format("4-ary-4-tree hot spot {}{}", scheme.name, quick ? " quick" : ""),
                      hot_spot_spec(scheme, quick)});
  for (const bool observed : {false, true})
    result.push_back(
        {fmt::format("4-ary-4-tree obqa-5a 1q{}{}", observed ? " observed" : "", quick ? " quick" : ""),
         passing_hot_spot_spec(observed, quick)});
  result.push_back({fmt::format("4-ary-4-tree all-to-all{}", quick ? " quick" : ""), all_to_all_spec(quick)});
  for (const std::int64_t nodes : {64, 4096})
    result.push_back(
        {fmt::format("omega-{} slotted 0.8{}", nodes, quick ? " quick" : ""), slotted_spec(nodes, quick)});
  return result;
}

namespace {

// Several runs with different seeds; the delivery hash is that of the first.
BenchmarkResult run_kernel(const SlottedSpec& spec) {
  PeakMemory::reset();
  const std::uint64_t before = PeakMemory::bytes_now();
  const slotted::Design design = spec.design();
  const slotted::Plan plan = slotted::compile(design, spec.traffic());
  BenchmarkResult result;
  std::array<double, kParts> ns_per_hop{};
  for (int part = 0; part < kParts; ++part) {
    slotted::Schedule schedule;
    schedule.slots = static_cast<std::uint64_t>(spec.slots);
    schedule.warmup = static_cast<std::uint64_t>(spec.warmup_slots);
    schedule.seed = spec.seed + static_cast<std::uint64_t>(part);
    const double cpu_before = cpu_seconds();
    const slotted::Outcome outcome = slotted::run(plan, schedule);
    const double cpu_s = cpu_seconds() - cpu_before;
    ns_per_hop[static_cast<std::size_t>(part)] = cpu_s * 1e9 / static_cast<double>(outcome.switch_updates);
    if (part == 0) result.trace_hash = slotted::hash_of(outcome);
  }
  std::ranges::nth_element(ns_per_hop, ns_per_hop.begin() + kParts / 2);
  result.ns_per_hop = ns_per_hop[kParts / 2];
  result.nodes = design.nodes;
  result.ports = static_cast<std::uint32_t>(design.switching_elements() * design.fan_in);
  const std::uint64_t peak = PeakMemory::bytes();
  result.bytes = peak > before ? peak - before : 0;
  return result;
}

// Simulates until `to`; takes photographs if there is an observer.
void simulate(Simulation& simulation, Observer* observer, Tick to) {
  for (; observer != nullptr && observer->next() <= to; observer->look(simulation))
    simulation.run_until(observer->next());
  simulation.run_until(to);
}

// Packet-hops, or the operations of jobs if there are any.
std::uint64_t work_of(const Simulation& simulation) {
  const JobsView& jobs = simulation.jobs();
  std::uint64_t operations = 0;
  for (std::size_t job = 0; job < jobs.size(); ++job) operations += jobs.record(job).completed;
  return jobs.size() == 0 ? simulation.record().counters.packet_hops : operations;
}

BenchmarkResult run_kernel(const EventSpec& spec) {
  PeakMemory::reset();
  const std::uint64_t before = PeakMemory::bytes_now();
  const Model model = build(spec);
  const auto simulation = make_simulation(model.network, model.workload, {.seed = spec.seed});
  std::unique_ptr<Observer> observer;
  if (spec.observe.waiting)
    observer = std::make_unique<Observer>(model.network, spec.seed, model.interval, kNone);
  simulate(*simulation, observer.get(), *model.warmup);

  BenchmarkResult result;
  std::array<double, kParts> ns_per_hop{};
  for (int part = 0; part < kParts; ++part) {
    const std::uint64_t work_before = work_of(*simulation);
    const double cpu_before = cpu_seconds();
    simulate(*simulation, observer.get(), *model.warmup + model.duration * (part + 1) / kParts);
    const double cpu_s = cpu_seconds() - cpu_before;
    const std::uint64_t work = work_of(*simulation) - work_before;
    ns_per_hop[static_cast<std::size_t>(part)] =
        cpu_s * 1e9 / static_cast<double>(std::max<std::uint64_t>(work, 1));
  }
  std::ranges::nth_element(ns_per_hop, ns_per_hop.begin() + kParts / 2);
  result.ns_per_hop = ns_per_hop[kParts / 2];
  result.nodes = model.network.nodes();
  result.ports = model.network.graph.switch_ports();
  const std::uint64_t peak = PeakMemory::bytes();
  result.bytes = peak > before ? peak - before : 0;
  result.trace_hash = simulation->record().trace_hash;
  return result;
}

}  // namespace

BenchmarkResult run(const Benchmark& benchmark) {
  if (const Kernel* const other = other_kernel(benchmark.spec))
    return run_kernel(dynamic_cast<const SlottedSpec&>(*other));
  return run_kernel(std::get<EventSpec>(benchmark.spec));
}

}  // namespace headway
