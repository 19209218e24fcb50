// SPDX-License-Identifier: Apache-2.0
#include "bench/large.h"

#include <chrono>
#include <optional>

#include "bench/peak_memory.h"
#include "headway/base/cpu_time.h"
#include "headway/base/together.h"
#include "headway/compile/build.h"
#include "headway/compile/plan.h"
#include "headway/compile/run_cost.h"
#include "headway/config/assign.h"
#include "headway/engine/packet.h"
#include "headway/engine/simulation.h"
#include "headway/engine/wheel.h"
#include "headway/spec/write_spec.h"

namespace headway {
namespace {

constexpr std::int64_t kWarmup = 1000, kMeasured = 500;  // ns

EventSpec spec_of(Choice<Topology> topology, Choice<Scheme> scheme) {
  EventSpec spec;
  spec.network.topology = std::move(topology);
  spec.switches.scheme = std::move(scheme);
  spec.traffic.flows.front().load = {.points = {{Duration{0}, 0.5}}};
  spec.measure.warmup = Duration{kWarmup};
  spec.measure.duration = Duration{kMeasured};
  return spec;
}

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

double cpu_of(const Simulation& simulation) { return cpu_seconds() + simulation.cpu_of_other_threads(); }

}  // namespace

std::vector<LargeNetwork> large_networks() {
  struct Size {
    std::int64_t k, n;        // of the tree
    std::int64_t p, a, h, g;  // of the dragonfly
  };
  constexpr Size kSizes[] = {{16, 3, 4, 16, 4, 64}, {16, 4, 8, 32, 8, 256}, {32, 4, 16, 64, 16, 1024}};
  std::vector<LargeNetwork> networks;
  for (const Size& size : kSizes) {
    const auto tree = choose(topologies(), "k-ary-n-tree", {{"k", size.k}, {"n", size.n}});
    const std::string name = std::to_string(size.k) + "-ary " + std::to_string(size.n) + "-tree ";
    networks.push_back({name + "1q", spec_of(tree, choose(schemes(), "1q"))});
    networks.push_back({name + "obqa-8", spec_of(tree, choose(schemes(), "obqa", {{"queues", 8}}))});
    EventSpec dragonfly = spec_of(
        choose(topologies(), "dragonfly", {{"p", size.p}, {"a", size.a}, {"h", size.h}, {"g", size.g}}),
        choose(schemes(), "1q"));
    dragonfly.routing.algorithm = choose(routings(), "minimal");
    networks.push_back({"dragonfly " + std::to_string(size.a) + " x " + std::to_string(size.g) + " 1q",
                        std::move(dragonfly)});
  }
  return networks;
}

std::uint64_t expected_memory(const EventSpec& spec, std::uint32_t threads) {
  Memo memo;
  const Plan plan = headway::plan(spec, resolved(spec), {.memo = memo});
  plan.mistakes.throw_if_any();
  const RunWork work = work_of(spec, plan);
  return plan.need.network + (threads - 1) * plan.need.thread +
         static_cast<std::uint64_t>(kBytesPerPacket * work.packets + Wheel::bytes_of_events(work.moving));
}

LargeResult run(const LargeNetwork& network, std::uint32_t threads) {
  const ThreadScope scope(threads);
  LargeResult result;
  result.expected = expected_memory(network.spec, threads);
  PeakMemory::reset();
  const std::uint64_t before = PeakMemory::bytes_now();
  const Stopwatch build_time;
  const Model model = build(network.spec);
  const auto simulation =
      make_simulation(model.network, model.workload, {.seed = network.spec.seed, .threads = threads});
  result.build_s = build_time.seconds();
  simulation->run_until(*model.warmup);
  const std::uint64_t hops_before = simulation->record().counters.packet_hops;
  const double cpu_before = cpu_of(*simulation);
  const Stopwatch time;
  simulation->run_until(*model.warmup + model.duration);
  result.microsecond_s = time.seconds() * 1000 / kMeasured;
  const double cpu_s = cpu_of(*simulation) - cpu_before;
  const std::uint64_t hops = simulation->record().counters.packet_hops - hops_before;
  result.ns_per_hop = cpu_s * 1e9 / static_cast<double>(hops);
  result.nodes = model.network.nodes();
  result.trace_hash = simulation->record().trace_hash;
  result.memory = model.network.memory();
  result.memory.add(simulation->memory());
  const std::uint64_t peak = PeakMemory::bytes();
  result.resident = peak > before ? peak - before : 0;
  return result;
}

}  // namespace headway
