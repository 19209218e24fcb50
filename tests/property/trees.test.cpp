// SPDX-License-Identifier: Apache-2.0
// A PGFT with the parameters of a k-ary n-tree delivers every packet at the same tick as the k-ary n-tree.
#include <gtest/gtest.h>

#include "headway/config/assign.h"
#include "headway/engine/simulation.h"
#include "headway/topology/tree.h"
#include "tests/support/hand_made.h"

namespace headway {
namespace {

std::uint64_t trace_hash(const Graph& graph, const char* routing, const char* selection, const char* scheme,
                         std::uint32_t number) {
  NetworkOptions options;
  options.packet_bytes = 8;
  options.capacity = 3;
  options.arbiter = static_cast<ArbiterKind>(number % 3);
  options.store_and_forward = number % 2 == 1;
  if (number % 4 == 3 && !choose(schemes(), scheme)->pools_memory()) {
    options.output_capacity = 2;
    options.crossbar_speedup = 2;
    options.tick = Duration{Rational(1, 2)};
  }
  if (selection[0] != '\0') {
    options.selection = choose(selections(), selection)->build(graph);
    options.selection->free = static_cast<FreeOutput>(number % 3);
  }
  const Network network = test::network_of(graph, routing, choose(schemes(), scheme), options);
  const Workload workload =
      test::slotted(test::first_nodes(network.nodes()), test::anywhere(network.nodes()), 8, 0.7);
  const auto simulation = make_simulation(network, workload, {.seed = 42});
  simulation->run_until(2000);
  EXPECT_GT(simulation->record().counters.packets_delivered, 500U);
  return simulation->record().trace_hash;
}

TEST(Trees, APgftIsTheKAryNTreeOfItsParameters) {
  const struct {
    const char *routing, *selection;
    std::vector<const char*> schemes;
  } cases[] = {{"det", "", {"1q", "voqsw", "obqa", "dbbm", "voqnet", "fbicm", "recn-iq", "emptiest"}},
               {"random-up", "", {"1q", "voqsw", "obqa"}},
               {"turnaround", "", {"1q", "obqa"}},
               {"adaptive", "sadp", {"1q", "dbbm"}},
               {"adaptive", "ssp", {"1q", "dbbm"}},
               {"adaptive", "sdp", {"1q"}},
               {"adaptive", "sop", {"1q"}},
               {"adaptive", "mc", {"1q", "dbbm"}},
               {"adaptive", "cp", {"1q"}},
               {"adaptive", "rp", {"1q", "emptiest"}}};
  std::uint32_t number = 0;
  for (const auto& [k, n] : {std::pair{4, 3}, {2, 5}, {3, 2}}) {
    const std::vector<std::int64_t> children(static_cast<std::size_t>(n), k);
    std::vector<std::int64_t> parents = children;
    parents.front() = 1;
    const Graph tree = choose(topologies(), "k-ary-n-tree", {{"k", k}, {"n", n}})->build({});
    const Graph pgft =
        choose(topologies(), "pgft", {{"children", children}, {"parents", parents}})->build({});
    for (const auto& c : cases)
      for (const char* scheme : c.schemes) {
        EXPECT_EQ(trace_hash(pgft, c.routing, c.selection, scheme, number),
                  trace_hash(tree, c.routing, c.selection, scheme, number))
            << k << "-ary " << n << "-tree, " << c.routing << ' ' << c.selection << ' ' << scheme;
        ++number;
      }
  }
}

}  // namespace
}  // namespace headway
