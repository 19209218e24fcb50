// SPDX-License-Identifier: Apache-2.0
// docs/validation.md has no row of a test that is gone. That it has the row of every anchor, with our present
// number, is checked where the anchor is stated (tests/support/anchor.h).
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <string>

#include "tests/cli/repository.h"

namespace headway {
namespace {

std::set<std::string> names_of_tests() {
  std::set<std::string> names;
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int s = 0; s < all.total_test_suite_count(); ++s) {
    const testing::TestSuite& suite = *all.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t)
      names.insert(std::string(suite.name()) + "." + suite.GetTestInfo(t)->name());
  }
  return names;
}

TEST(ValidationPage, NamesTestsThatExist) {
  const std::set<std::string> names = names_of_tests();
  const std::string page = test::repository_file("docs/validation.md");
  static const std::regex test_of_row(R"(\| `([A-Za-z0-9]+\.[A-Za-z0-9]+)` \|\n)");
  int rows = 0;
  for (std::sregex_iterator found(page.begin(), page.end(), test_of_row), end; found != end; ++found, ++rows)
    EXPECT_TRUE(names.contains((*found)[1].str())) << (*found)[1].str() << ": run ./dev docs validation";
  EXPECT_GT(rows, 50);
}

}  // namespace
}  // namespace headway
