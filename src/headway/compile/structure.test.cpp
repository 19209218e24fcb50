// SPDX-License-Identifier: Apache-2.0
// OBQA's example (Euro-Par 2010, sections 2 and 3, Figures 1 and 3): the 2-ary 3-tree.
#include "headway/compile/structure.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "headway/config/assign.h"
#include "headway/pictures/curve.h"

namespace headway {
namespace {

using testing::ElementsAre;

EventSpec tree(int k, int n, std::string_view scheme, Arguments parameters = {}) {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", k}, {"n", n}});
  spec.switches.scheme = choose(schemes(), scheme, parameters);
  return spec;
}

TEST(Structure, TellsHowRoutesSpreadDestinations) {
  const Result result = structure(tree(2, 3, "obqa", {{"queues", 2}}));
  EXPECT_EQ(result.metric("nodes"), 8);
  EXPECT_EQ(result.metric("switches"), 12);
  EXPECT_EQ(result.metric("stages"), 3);
  EXPECT_EQ(result.metric("radix"), 4);
  EXPECT_EQ(result.metric("switch_links"), 16);
  EXPECT_EQ(result.metric("diameter"), 4);
  EXPECT_EQ(result.metric("bisection_links"), 4);
  EXPECT_EQ(result.metric("bisection_share"), 1);
  EXPECT_EQ(result.metric("queues_per_port"), 2);
  EXPECT_EQ(result.metric("minimum_memory_bytes"), 256);
  EXPECT_EQ(result.metric("published_area_mm2"), 0.00359);
  const Table& stages = result.table("structure_per_stage");
  EXPECT_THAT(find_column(stages, "stage")->values, ElementsAre(0, 1, 2));
  // "each switch of the last stage receives packets addressed only to two destinations"
  EXPECT_THAT(find_column(stages, "destinations_per_switch")->values, ElementsAre(8, 4, 2));
  // "when going downwards, a packet share links only with packets addressed to the same destination"
  EXPECT_THAT(find_column(stages, "destinations_per_link")->values, ElementsAre(1, 1, 1));
  EXPECT_THAT(find_column(stages, "load_imbalance")->values, ElementsAre(1, 1, 1));
  // switch 0 port 0: 1, 3, 5, 7 in queue 1; switch 4: 2 and 6 in queue 1; switch 8: destination 4 only
  EXPECT_THAT(find_column(stages, "destinations_per_queue")->values, ElementsAre(4, 2, 1));
}

TEST(Structure, SeesQueuesThatNothingReaches) {
  const Result result = structure(tree(4, 2, "dbbm", {{"queues", 4}}));
  EXPECT_THAT(find_column(result.table("structure_per_stage"), "queues_used")->values, ElementsAre(4, 1));
}

// Six switches in a ring with two nodes each: two links connect the halves, which have six nodes each. A ring
// of five switches has no halves. Rings have no stages.
TEST(Structure, LeavesOutWhatANetworkDoesNotHave) {
  EventSpec spec;
  spec.network.topology =
      choose(topologies(), "torus", {{"sides", std::vector<std::int64_t>{6}}, {"nodes_per_switch", 2}});
  spec.routing.algorithm = choose(routings(), "dor");
  const Result even = structure(spec);
  EXPECT_EQ(even.metric("stages"), 0);
  EXPECT_EQ(even.metric("diameter"), 3);
  EXPECT_DOUBLE_EQ(even.metric("bisection_share"), 2.0 / 6);
  assign(*spec.network.topology, {"sides", std::vector<std::int64_t>{5}});
  const Result odd = structure(spec);
  EXPECT_TRUE(std::isnan(odd.metric("bisection_links")));
  EXPECT_TRUE(std::isnan(odd.metric("bisection_share")));
}

TEST(Structure, HasNoImbalanceWhereALinkHasNoPaths) {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "pgft",
                                 {{"children", std::vector<std::int64_t>{2, 2}},
                                  {"parents", std::vector<std::int64_t>{1, 4}},
                                  {"links", std::vector<std::int64_t>{1, 1}}});
  EXPECT_TRUE(
      std::isnan(find_column(structure(spec).table("structure_per_stage"), "load_imbalance")->values[0]));
}

TEST(Structure, NeedsOnePathPerPair) {
  EventSpec spec = tree(2, 2, "1q");
  spec.routing.algorithm = choose(routings(), "random-up");
  EXPECT_THROW(structure(spec), SpecError);
}

}  // namespace
}  // namespace headway
