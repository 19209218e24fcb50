// SPDX-License-Identifier: Apache-2.0
#include "headway/papers/claim.h"

#include <gmock/gmock.h>

#include <cmath>

namespace headway {
namespace {

Claim claim(const char* measure, std::optional<double> at_least, std::optional<double> at_most,
            const char* known = "") {
  return {"id", "4a", "section 4", "says", Expression(measure), std::nullopt, at_least, at_most, known};
}

Finding verdict(const Claim& judged, const Estimate& measured) { return judge(judged, measured).verdict; }

Curve one_row(const char* name, double y) { return {name, name, "y", {{"x", {0}}, {"y", {y}}}, {}, {}}; }

TEST(Claim, OfWhatIsNotRandomIsJudgedExactly) {
  const auto of = [](double value) { return Estimate{.value = value}; };
  EXPECT_EQ(verdict(claim("1", 0.4, 0.6), of(0.5)), Finding::holds);
  EXPECT_EQ(verdict(claim("1", 0.4, 0.6), of(0.4)), Finding::holds);
  EXPECT_EQ(verdict(claim("1", 512, 512), of(512)), Finding::holds);
  EXPECT_EQ(verdict(claim("1", 0.4, 0.6), of(0.7)), Finding::fails);
  EXPECT_EQ(verdict(claim("1", 0.4, {}), of(0.7)), Finding::holds);
  EXPECT_EQ(verdict(claim("1", {}, 0.6), of(0.7)), Finding::fails);
  EXPECT_EQ(verdict(claim("1", {}, 0.6), of(std::nan(""))), Finding::fails)
      << "nothing measured is no success";
}

// Student's t for four seeds is 3.182: the interval of these four is 0.5 +- 0.023.
TEST(Claim, IsJudgedByTheIntervalOfItsMean) {
  const Estimate measured = estimate(std::vector{0.49, 0.51, 0.485, 0.515});
  EXPECT_NEAR(measured.value, 0.5, 1e-12);
  EXPECT_NEAR(measured.standard_error, 0.0073598, 1e-6);
  EXPECT_NEAR(measured.half_width, 3.18245 * 0.0073598, 1e-6);
  EXPECT_EQ(measured.seeds, 4U);
  EXPECT_EQ(verdict(claim("1", 0.47, 0.53), measured), Finding::holds);
  EXPECT_EQ(verdict(claim("1", 0.47, {}), measured), Finding::holds);
  EXPECT_EQ(verdict(claim("1", 0.53, {}), measured), Finding::fails);
  EXPECT_EQ(verdict(claim("1", {}, 0.47), measured), Finding::fails);
  EXPECT_EQ(verdict(claim("1", 0.51, {}), measured), Finding::cannot_tell);
  EXPECT_EQ(verdict(claim("1", 0.49, {}), measured), Finding::cannot_tell)
      << "held, before errors were known";
  EXPECT_EQ(verdict(claim("1", 0.499, 0.501), measured), Finding::cannot_tell);
}

TEST(Claim, ThatHoldsByAHairSaysSo) {
  const Estimate measured = estimate(std::vector{0.49, 0.51, 0.485, 0.515});
  EXPECT_EQ(describe(claim("1", 0.47, {}), judge(claim("1", 0.47, {}), measured)), "holds by a hair");
  EXPECT_EQ(describe(claim("1", 0.4, {}), judge(claim("1", 0.4, {}), measured)), "holds");
  EXPECT_EQ(to_string(measured), "0.5 ± 0.023");
}

TEST(Claim, IsOpenAfterOneSeedWhateverItGave) {
  const Estimate one = estimate(std::vector{0.5});
  EXPECT_EQ(verdict(claim("1", 0.1, 0.9), one), Finding::cannot_tell);
  EXPECT_EQ(verdict(claim("1", 100, {}), one), Finding::cannot_tell);
  EXPECT_EQ(to_string(one), "0.5 (one seed: error unknown)");
  EXPECT_EQ(verdict(claim("1", 0.5, 0.5), estimate(std::vector{0.5, 0.5})), Finding::holds);
  EXPECT_EQ(verdict(claim("1", 0.1, 0.1), estimate(std::vector{0.1, 0.1, 0.1})), Finding::holds)
      << "equal seeds have no error, not one of rounding";
}

TEST(Claim, IsUnexpectedWhereItContradictsItsDeclaration) {
  const Claim plain = claim("1", {}, 0.6), known = claim("1", {}, 0.6, "because");
  const Estimate holds{.value = 0.5}, fails{.value = 0.7}, open = estimate(std::vector{0.5, 0.7});
  EXPECT_FALSE(judge(plain, holds).unexpected);
  EXPECT_TRUE(judge(plain, fails).unexpected);
  EXPECT_TRUE(judge(known, holds).unexpected);
  EXPECT_FALSE(judge(known, fails).unexpected);
  EXPECT_FALSE(judge(plain, open).unexpected);
  EXPECT_FALSE(judge(known, open).unexpected);
  EXPECT_EQ(describe(known, judge(known, fails)), "does not hold (known)");
  EXPECT_EQ(describe(known, judge(known, holds)), "holds (declared not to)");
  EXPECT_EQ(remark(known, judge(known, fails)), "known: because");
}

TEST(Claim, IsNotJudgedWhereNothingOrNothingQuickDecidesIt) {
  Claim undecidable = claim("1", {}, {});
  undecidable.undecidable = "the trace is not the paper's";
  EXPECT_EQ(verdict(undecidable, Estimate{.value = 1}), Finding::not_judged);
  EXPECT_EQ(remark(undecidable, judge(undecidable, {})), "undecidable: the trace is not the paper's");
  Claim long_only = claim("1", {}, 0.6);
  long_only.not_quick = "it stops too early";
  EXPECT_EQ(judge(long_only, Estimate{.value = 0.7}, true).verdict, Finding::not_judged);
  EXPECT_EQ(judge(long_only, Estimate{.value = 0.7}, false).verdict, Finding::fails);
}

TEST(Claim, IsMeasuredSeedBySeed) {
  // the noise of a seed is common to both curves, so the ratio has none
  const std::vector<FigureCurves> figures = {
      {"4a", {{one_row("a", 1), one_row("b", 2)}, {one_row("a", 3), one_row("b", 6)}}},
      {"t1", {{one_row("bytes", 512)}}, false}};
  const auto ratio = measure(claim("value('b') / value('4a/a')", 1.9, 2.1), figures);
  ASSERT_TRUE(ratio);
  EXPECT_EQ(ratio->value, 2);
  EXPECT_EQ(ratio->half_width, 0);
  EXPECT_EQ(ratio->seeds, 2U);
  const auto mixed = measure(claim("value('a') * value('t1/bytes')", 1, {}), figures);
  EXPECT_EQ(mixed->value, 1024);
  EXPECT_NEAR(mixed->standard_error, 512, 1e-9);
  EXPECT_EQ(measure(claim("value('t1/bytes')", 512, 512), figures)->seeds, 0U);
  EXPECT_FALSE(measure(claim("value('7/a')", 1, {}), figures));
}

TEST(Claim, UsesTheSeedsThatAllItsFiguresHave) {
  const std::vector<FigureCurves> figures = {
      {"4a", {{one_row("a", 1)}, {one_row("a", 2)}, {one_row("a", 9)}}},
      {"4b", {{one_row("a", 1)}, {one_row("a", 2)}}}};
  const auto measured = measure(claim("value('a') - value('4b/a')", 0, 0), figures);
  EXPECT_EQ(measured->seeds, 2U);
  EXPECT_EQ(measured->value, 0);
}

TEST(Claim, SaysWhatIsExpected) {
  EXPECT_EQ(expectation(claim("1", 0.4, 0.6)), "0.4 to 0.6");
  EXPECT_EQ(expectation(claim("1", 2, {})), "at least 2");
  EXPECT_EQ(expectation(claim("1", {}, 2)), "at most 2");
  EXPECT_EQ(expectation(claim("1", 512, 512)), "512");
  Claim with_number = claim("1", 0.08, 0.16);
  with_number.expected = 0.12;
  EXPECT_EQ(expectation(with_number), "0.12 (0.08 to 0.16)");
}

}  // namespace
}  // namespace headway
