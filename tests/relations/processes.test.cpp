// SPDX-License-Identifier: Apache-2.0
// A run in several processes has the results of a run in one, to the last bit.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <string>

#include "headway/config/assign.h"
#include "headway/engine/backlog.h"
#include "headway/engine/processes.h"
#include "headway/run/processes_of_sweep.h"
#include "headway/run/run.h"
#include "headway/run/sweep.h"
#include "tests/support/always_cut.h"
#include "tests/support/random_program.h"
#include "tests/support/same_results.h"
#include "tests/support/thread_processes.h"

namespace headway {
namespace {

// The result of a run by this many processes with as many threads each.
Result run_by(std::uint32_t processes, std::uint32_t threads, const Spec& spec,
              const RunProgress& progress = {}) {
  const auto options = [&](Processes& processes) {
    return RunOptions{.threads = threads, .processes = &processes, .hooks = &test::kAlwaysCut};
  };
  return test::with_processes(
      processes,
      [&](Processes& processes) {
        Result result = run(spec, options(processes), progress);
        processes.broadcast(test::end_of_sweep());
        return result;
      },
      [&](Processes& processes) { take_part(spec, options(processes)); });
}

TEST(Processes, DoNotChangeResults) {
  const std::uint64_t cases = test::cases_of(5);
  std::map<std::string, int> together;  // what the cases in several processes have
  for (const auto& [name, make] : test::kRandomSpecs)
    for (std::uint64_t number = 0; number < cases; ++number) {
      const test::RandomSpec random = make(number);
      EventSpec spec = test::short_spec(random, number);
      spec.measure.duration = Duration{1000};
      RunGauge gauge;
      const Result several =
          run_by(number % 2 == 0 ? 2 : 3, number % 3 == 0 ? 2 : 1, spec, RunProgress(gauge));
      ASSERT_EQ(test::first_difference(run(spec), several), "")
          << name << '(' << number << "): " << random.description;
      if (gauge.threads > 1) ++together[name];
      if (gauge.threads > 1 && spec.observe.waiting) ++together["observed"];
    }
  if (cases < 3) return;  // under a sanitizer
  for (const char* const what : {"random_spec", "random_spec_with_lane_turns", "random_spec_with_control",
                                 "random_spec_with_pauses", "random_spec_with_cells", "observed"})
    EXPECT_GE(together[what], 1) << what;
}

EventSpec tree(double load) {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 3}});
  spec.traffic.flows[0].load.points[0].load = load;
  spec.measure.warmup = Duration{500};
  spec.measure.duration = Duration{4000};
  return spec;
}

TEST(Processes, MeasureMessagesAndKeepBacklogs) {
  EventSpec spec = tree(1);
  spec.traffic.flows[0].sizes = choose(message_sizes(), "fixed", {{"message", Bytes{640}}});
  spec.measure.warmup = Duration{1000};
  spec.measure.duration = Duration{10'000};
  spec.observe.waiting = true;
  const Result one = run(spec);
  EXPECT_GT(one.metric("messages_completed"), 300);
  EXPECT_EQ(test::first_difference(one, run_by(3, 1, spec)), "");
}

TEST(Processes, EndTogetherIfTheBacklogIsTooLarge) {
  EventSpec spec = tree(1);
  spec.traffic.flows[0].pattern = choose(patterns(), "hotspot", {{"destination", 3}});
  spec.node.admittance_limit = Bytes{1LL << 40};
  spec.measure.duration = Duration{400'000};
  RunOptions options{.memory = 1 << 20, .threads = 1, .hooks = &test::kAlwaysCut};
  const std::string why = test::with_processes(
      2,
      [&](Processes& processes) -> std::string {
        options.processes = &processes;
        try {
          run(spec, options);
          return "not stopped";
        } catch (const OutOfMemory& stopped) {
          processes.broadcast(test::end_of_sweep());
          return stopped.what();
        }
      },
      [&, options](Processes& processes) mutable {
        options.processes = &processes;
        take_part(spec, options);
      });
  EXPECT_TRUE(why.starts_with("stopped at")) << why;
}

}  // namespace
}  // namespace headway
