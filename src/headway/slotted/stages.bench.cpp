// SPDX-License-Identifier: Apache-2.0
// Switching elements advanced by one slot per second, over all replications. Goal: 20 million per second for
// any size (linear in N log N).
#include "headway/slotted/stages.h"
#include "tests/support/layered_design.h"

#include <benchmark/benchmark.h>

namespace headway::slotted {
namespace {

void slotted_kernel(benchmark::State& state, Queueing queueing) {
  Design design = layered_design(static_cast<std::uint32_t>(state.range(0)), 4, 2, 1);
  design.rules.queueing = queueing;
  Traffic traffic;
  traffic.load = 0.8;
  traffic.hotspot_fraction = 0.05;
  const Plan plan = compile(design, traffic);
  Stages stages(plan, 1);
  for (auto _ : state) stages.step();
  state.SetItemsProcessed(
      static_cast<std::int64_t>(state.iterations() * plan.switching_elements * kReplications));
}
BENCHMARK_CAPTURE(slotted_kernel, input_link, Queueing::input_link)->RangeMultiplier(8)->Range(8, 4096);
BENCHMARK_CAPTURE(slotted_kernel, output_link, Queueing::output_link)->RangeMultiplier(8)->Range(8, 4096);

}  // namespace
}  // namespace headway::slotted
