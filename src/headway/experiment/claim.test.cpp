// SPDX-License-Identifier: Apache-2.0
#include "headway/experiment/claim.h"

#include <gtest/gtest.h>

namespace headway {
namespace {

const Curve& no_curve(std::string_view) { throw std::logic_error("these claims read no curve"); }

Claim claim(const char* measure, std::optional<double> at_least, std::optional<double> at_most,
            const char* known = "") {
  return {"id", "4a", "section 4", "says", Expression(measure), std::nullopt, at_least, at_most, known};
}

TEST(Claim, HoldsWithinItsRange) {
  const auto verdict = [](const Claim& c) { return judge(c, no_curve).verdict; };
  EXPECT_EQ(verdict(claim("0.5", 0.4, 0.6)), Verdict::holds);
  EXPECT_EQ(verdict(claim("0.4", 0.4, 0.6)), Verdict::holds);
  EXPECT_EQ(verdict(claim("0.7", 0.4, 0.6)), Verdict::fails);
  EXPECT_EQ(verdict(claim("0.7", 0.4, {})), Verdict::holds);
  EXPECT_EQ(verdict(claim("0.7", {}, 0.6)), Verdict::fails);
  EXPECT_EQ(verdict(claim("0 / 0", {}, 0.6)), Verdict::fails) << "nothing measured is no success";
  EXPECT_EQ(verdict(claim("0.7", {}, 0.6, "because")), Verdict::known);
  EXPECT_EQ(verdict(claim("0.5", {}, 0.6, "because")), Verdict::recovered);
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
