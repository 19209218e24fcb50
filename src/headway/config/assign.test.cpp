// SPDX-License-Identifier: Apache-2.0
// Every kind of parameter can be set by name; wrong names, types and ranges are refused.
#include "headway/config/assign.h"

#include <gtest/gtest.h>

namespace headway {
namespace {

struct Sample {
  std::int64_t count = 1;
  double share = 0.5;
  std::string mode = "slow";
  std::optional<Bytes> memory;
  std::vector<std::int64_t> list;

  void describe(Parameters& parameters) {
    static constexpr std::string_view kModes[] = {"slow", "quick"};
    parameters.field({.name = "count", .help = "", .bounds = Bounds::from(1, 9)}, count);
    parameters.field({.name = "share", .help = "", .bounds = Bounds::over(0, 1)}, share);
    parameters.field({.name = "mode", .help = "", .choices = kModes}, mode);
    parameters.field({.name = "memory", .help = ""}, memory);
    parameters.field({.name = "list", .help = ""}, list);
  }
};

TEST(Assign, SetsFieldsByName) {
  Sample sample;
  for (const Argument& argument : Arguments{{"count", 9U},
                                            {"share", 1},
                                            {"mode", "quick"},
                                            {"memory", Bytes{64}},
                                            {"list", std::vector<std::int64_t>{3, 1}}})
    assign(sample, argument);
  EXPECT_EQ(sample.count, 9);
  EXPECT_EQ(sample.share, 1.0);
  EXPECT_EQ(sample.mode, "quick");
  EXPECT_EQ(sample.memory, Bytes{64});
  EXPECT_EQ(sample.list, (std::vector<std::int64_t>{3, 1}));
}

TEST(Assign, RefusesWrongNamesTypesAndRanges) {
  for (const Argument& argument : Arguments{{"cuont", 1},
                                            {"count", 0},
                                            {"count", 10},
                                            {"count", 1.5},
                                            {"share", 0.0},
                                            {"share", 1.5},
                                            {"mode", "medium"},
                                            {"memory", 64}}) {
    Sample sample;
    EXPECT_THROW(assign(sample, argument), std::invalid_argument) << argument.name;
  }
}

}  // namespace
}  // namespace headway
