// SPDX-License-Identifier: Apache-2.0
#include "tests/support/anchor.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>

#include "tests/cli/repository.h"

namespace headway::test {
namespace {

std::string difference(double expected, double ours) {
  if (ours == expected) return "0";
  if (expected == 0) return fmt::format("{:+.2g}", ours);
  const double percent = 100 * (ours / expected - 1);
  return std::abs(percent) < 0.005 ? "< 0.01 %" : fmt::format("{:+.2f} %", percent);
}

std::string row_of(const Anchor& anchor, double ours) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  return fmt::format("| {} | {} | {:.5g} | {:.5g} | {} | `{}.{}` |", anchor.what, anchor.source,
                     anchor.expected, ours, difference(anchor.expected, ours), test->test_suite_name(),
                     test->name());
}

}  // namespace

void expect_anchor(const Anchor& anchor, double ours) {
  EXPECT_NEAR(ours, anchor.expected, anchor.tolerance) << anchor.what << ": " << anchor.source;
  const std::string row = row_of(anchor, ours);
  if (const char* path = std::getenv("HEADWAY_ANCHORS"))
    std::ofstream(path, std::ios::app) << anchor.group << '\t' << row << '\n';
  else
    EXPECT_THAT(repository_file("docs/validation.md"), testing::HasSubstr(row + "\n"))
        << "run ./dev docs validation";
}

}  // namespace headway::test
