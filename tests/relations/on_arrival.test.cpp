// SPDX-License-Identifier: Apache-2.0
// Adaptive routing on arrival: where no load matters it takes the paths of other routings, and where loads
// matter it carries more.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/relations/relations.h"
#include "tests/relations/tree_of_choices.h"

namespace headway {
namespace {

Result of_tree(std::string_view routing, std::string_view network, std::string_view scheme = "voqsw") {
  return test::result_of_tree({.routing = routing,
                               .flow = "pattern = \"permutation\", load = 0.9",
                               .scheme = scheme,
                               .network = network});
}

constexpr std::string_view kAlwaysFree = R"(algorithm = "adaptive"
choose = "arrival"
free_load = "1 GB"
selection = )";

TEST(RelationOfChoicesOnArrival, WithAllOutputsFreeTheyAreThoseOfOtherRoutings) {
  EXPECT_EQ(test::difference(of_tree(R"(algorithm = "det")", ""),
                             of_tree(fmt::format("{}\"sadp\"", kAlwaysFree), ""), {.all_metrics = false}),
            "");
  EXPECT_EQ(test::difference(of_tree(R"(algorithm = "spray")", ""),
                             of_tree(fmt::format("{}\"rp\"", kAlwaysFree), ""), {.all_metrics = false}),
            "");
  EXPECT_NE(test::difference(of_tree(R"(algorithm = "det")", ""),
                             of_tree(R"(algorithm = "adaptive"
choose = "arrival"
selection = "sadp")",
                                     ""),
                             {.all_metrics = false}),
            "");
}

TEST(RelationOfChoicesOnArrival, CarryAPermutationWithQueuesOfOutputsOnly) {
  const std::string_view adaptive = R"(algorithm = "adaptive"
choose = "arrival")";
  const auto accepted = [](const Result& result) { return result.metric("accepted_load"); };
  EXPECT_GT(accepted(of_tree(adaptive, "")), 0.88);
  EXPECT_LT(accepted(of_tree(adaptive, "", "1q")), 0.8);
  EXPECT_LT(accepted(of_tree(R"(algorithm = "det")", "")), 0.75);
}

// Restricted choices: with one candidate everywhere, packets take the routes of det; with all, those of none.
TEST(RelationOfChoicesOnArrival, LimitsLeadFromDetToAllPaths) {
  constexpr std::string_view kAdaptive = R"(algorithm = "adaptive"
choose = "arrival"
selection = "sadp"
)";
  const auto of = [&](std::string_view limits) {
    return of_tree(fmt::format("{}{}", kAdaptive, limits), "");
  };
  const auto differs = [](const Result& a, const Result& b) {
    return test::difference(a, b, {.all_metrics = false});
  };
  const Result det = of_tree(R"(algorithm = "det")", ""), all = of("");
  EXPECT_EQ(differs(det, of("choose_among = 1")), "");
  EXPECT_EQ(differs(det, of("choose_in = [1]")), "");
  EXPECT_EQ(differs(all, of("choose_in = [0]")), "");
  EXPECT_EQ(differs(all, of("choose_among = 4")), "");
  const double least = det.metric("accepted_load"), some = of("choose_among = 2").metric("accepted_load");
  EXPECT_LT(least, some);
  EXPECT_LT(some, all.metric("accepted_load"));
}

// A quarter of the links up of some leaves are down: hashes and tables do not see how much is left.
TEST(RelationOfChoicesOnArrival, GoAroundFailures) {
  const std::string_view failures = R"(failures = { at = ["0:4", "3:5"] })";
  const double by_load =
      of_tree("algorithm = \"adaptive\"\nchoose = \"arrival\"", failures).metric("accepted_load");
  const double by_hash = of_tree(R"(algorithm = "ecmp")", failures).metric("accepted_load");
  EXPECT_GT(by_load, by_hash + 0.1);
}

}  // namespace
}  // namespace headway
