// SPDX-License-Identifier: Apache-2.0
// D-mod-K on a fully provisioned fat-tree carries every shift permutation at full load (Zahavi, CCIT report
// 776, 2010): no link carries two flows, so packets at a constant rate never wait. With random up ports they
// collide.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "headway/config/assign.h"
#include "headway/run/run.h"
#include "tests/support/anchor.h"

namespace headway {
namespace {

using Numbers = std::vector<std::int64_t>;

Result shifted(const Numbers& children, const Numbers& parents, const Numbers& links, const char* routing,
               std::int64_t by) {
  EventSpec spec;
  spec.network.topology =
      choose(topologies(), "pgft", {{"children", children}, {"parents", parents}, {"links", links}});
  spec.routing.algorithm = choose(routings(), routing);
  spec.traffic.flows.front().pattern = choose(patterns(), "next-group", {{"size", 1}, {"by", by}});
  spec.traffic.flows.front().arrivals = choose(arrival_processes(), "periodic");
  spec.traffic.flows.front().load.points = {{Duration{0}, 1.0}};
  spec.measure.warmup = Duration{20'000};
  spec.measure.duration = Duration{30'000};
  return run(spec);
}

TEST(Shifts, FullyProvisionedTreesCarryThemAtFullLoad) {
  const struct {
    Numbers children, parents, links;
  } trees[] = {{{4, 4, 8}, {1, 4, 4}, {1, 1, 1}},   // switches of 8 ports
               {{6, 6, 4}, {1, 3, 3}, {1, 2, 4}}};  // parallel links on both levels
  for (const auto& tree : trees)
    for (const std::int64_t by : {1, 5, 16, 61}) {
      const Result result = shifted(tree.children, tree.parents, tree.links, "det", by);
      test::expect_anchor({"links",
                           fmt::format("accepted load: shift by {} in a tree of {} nodes, det", by,
                                       tree.children[0] * tree.children[1] * tree.children[2]),
                           "Zahavi 2010", 1, 1e-3},
                          result.metric("accepted_load"));
      // 64 ns for the packet and at most 6 links of 4 ns
      EXPECT_LE(result.metric("latency_max_ns"), 64 + 6 * 4) << by;
    }
  EXPECT_LT(shifted({4, 4, 8}, {1, 4, 4}, {1, 1, 1}, "random-up", 61).metric("accepted_load"), 0.9);
}

TEST(Shifts, OversubscribedTreesCarryTheirShare) {
  const Result result = shifted({8, 4, 4}, {1, 4, 4}, {1, 1, 1}, "det", 32);
  test::expect_anchor(
      {"links", "accepted load: shift by 32 in a tree of 128 nodes, two for each link up, det",
       "load of the busiest link", 0.5, 0.01},
      result.metric("accepted_load"));
}

}  // namespace
}  // namespace headway
