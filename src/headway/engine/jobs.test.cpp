// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/jobs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "headway/compile/build.h"
#include "headway/compile/load.h"
#include "headway/config/toml.h"
#include "headway/engine/simulation.h"

namespace headway {
namespace {

// The most operations in memory during an iteration of a job on 64 nodes.
std::uint64_t most_in_memory(const std::string& program) {
  const std::string text =
      "network = { topology = \"k-ary-n-tree\", k = 8, n = 2 }\n[[traffic.job]]\n" + program;
  const Spec spec = load_experiment(parse_toml(text, "x"), {}).points.front().spec();
  const Model model = build(std::get<EventSpec>(spec));
  const auto simulation = make_simulation(model.network, model.workload, {});
  std::uint64_t most = 0;
  for (Tick end = 0; !simulation->jobs().done() && end < 10'000'000; end += 500) {
    simulation->run_until(end);
    most = std::max(most, simulation->jobs().operations_in_memory(0));
  }
  EXPECT_TRUE(simulation->jobs().done());
  EXPECT_EQ(simulation->jobs().operations_in_memory(0), 0U) << "all are complete";
  return most;
}

// Three pages of 32 operations for each rank, of several hundred.
TEST(Jobs, HaveTheOpenOperationsInMemory) {
  constexpr std::uint64_t kPages = 64 * 3 * 32;
  for (const char* const keys : {"", "chunks = 2\n", "iterations = 3\n", "sends = \"buffered\"\n"})
    EXPECT_LE(most_in_memory(fmt::format("program = \"all-reduce\"\nsize = \"4 KiB\"\n{}", keys)),
              keys[0] == 'c' ? 2 * kPages : kPages)
        << keys;
  EXPECT_LE(most_in_memory("program = \"all-to-all\"\nsize = \"64 B\"\nalgorithm = \"pairwise\"\n"), kPages);
  EXPECT_EQ(most_in_memory("program = \"all-to-all\"\nsize = \"64 B\"\nalgorithm = \"linear\"\n"), 64 * 128U)
      << "all of them are open";
}

}  // namespace
}  // namespace headway
