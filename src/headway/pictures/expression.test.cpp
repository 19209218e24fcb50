// SPDX-License-Identifier: Apache-2.0
#include "headway/pictures/expression.h"

#include <gtest/gtest.h>

#include <cmath>

namespace headway {
namespace {

// Two curves over x = 0, 10, 20, 30 and one of a single row.
const Curve& example(std::string_view name) {
  static const Curve rising{
      "rising",
      "Rising",
      "y",
      {{"x", {0, 10, 20, 30}}, {"y", {1, 2, 4, 8}}, {"other", {5, 5, 5, 6}}, {"victim", {0, 1, 0, 1}}},
      {},
      {}};
  static const Curve flat{"4b/flat", "Flat", "y", {{"x", {0, 10, 20, 30}}, {"y", {3, 3, 3, 3}}}, {}, {}};
  static const Curve single{"single", "Single", "", {{"x", {0}}, {"bytes", {512}}}, {}, {}};
  if (name == "rising") return rising;
  return name == "single" ? single : flat;
}

TEST(Expression, Evaluates) {
  const std::pair<const char*, double> cases[] = {
      {"1.5", 1.5},
      {"-2 + 3 * 4", 10},
      {"(1 + 2) / 4 - 1", -0.25},
      {"8 - 4 - 2", 2},
      {"8 / 4 / 2", 1},
      {"--3", 3},
      {"at('rising', 10)", 2},
      {"at('rising', 25)", 6},
      {"at('rising', 0)", 1},
      {"at('rising', 30, 'other')", 6},
      {"at('rising', 5 + 5)", 2},
      {"mean('rising', 10, 20)", 3},
      {"lowest('rising', 5, 30) + highest('rising', 0, 20)", 6},
      {"mean('rising', 0, 30) / mean('4b/flat', 0, 30)", 1.25},
      {"value('single', 'bytes')", 512},
      {"min(3, 1, 2) + max(3, 1, 2)", 4},
      {"below('rising', 4)", 2},
      {"below('rising', 5.5, 'other')", 3},
      {"strays('rising', 10, 30, 'victim')", 0},
      {"strays('rising', 10, 20, 'victim')", 2},
      {"strays('rising', 'victim')", 2},
      {"abs(at('rising', 0) - at('4b/flat', 0))", 2},
  };
  for (const auto& [text, expected] : cases)
    EXPECT_DOUBLE_EQ(Expression(text).evaluate(example), expected) << text;
}

// Only the expression of a curve has an x.
TEST(Expression, MayBeOverX) {
  const Expression over_x("2 * x + at('rising', x)", true);
  EXPECT_DOUBLE_EQ(over_x.evaluate(example, 10), 22);
  EXPECT_DOUBLE_EQ(over_x.evaluate(example, 25), 56);
  EXPECT_THROW(Expression("2 * x"), ExpressionError);
}

TEST(Expression, HasNoNumberWhereTheCurveDoesNotReach) {
  for (const char* text :
       {"at('rising', -1)", "at('rising', 31)", "mean('rising', 11, 19)", "value('rising')",
        "at('rising', 10, 'unknown')", "saturation('rising')", "strays('rising', 11, 'victim')",
        "below('rising', 1, 'unknown')", "max(1, at('rising', 99))", "0 / 0"})
    EXPECT_TRUE(std::isnan(Expression(text).evaluate(example))) << text;
}

TEST(Expression, ListsItsCurves) {
  EXPECT_EQ(Expression("at('a', 1) - mean('5a/b', 2, 3)").curves(), (std::vector<std::string>{"a", "5a/b"}));
}

TEST(Expression, SaysWhereAMistakeIs) {
  struct Case {
    std::string text;
    std::size_t offset;
    std::string message;
  };
  const Case cases[] = {
      {"", 0, "expected a number"},
      {"1 +", 3, "expected a number"},
      {"1 2", 2, "unexpected '2'"},
      {"(1", 2, "expected ')'"},
      {"mode('a')", 0, "unknown function 'mode'"},
      {"1 + at('a')", 4, "wrong number of arguments for at"},
      {"saturation('a', 1, 2)", 0, "wrong number of arguments for saturation"},
      {"at(3)", 3, "expected a name in single quotes"},
      {"at('a", 4, "not closed"},
      {std::string(1000, '('), 100, "nested too deeply"},
  };
  for (const Case& c : cases) {
    try {
      Expression parsed(c.text);
      ADD_FAILURE() << "accepted " << c.text;
    } catch (const ExpressionError& error) {
      EXPECT_EQ(error.offset(), c.offset) << c.text;
      EXPECT_NE(std::string(error.what()).find(c.message), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace headway
