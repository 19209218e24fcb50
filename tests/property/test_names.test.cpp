// SPDX-License-Identifier: Apache-2.0
// Names of parametrised tests describe the parameter; they are not just numbers or dumps of bytes.
#include <gmock/gmock.h>

#include <string>

namespace headway {
namespace {

TEST(TestNames, SayWhatIsTested) {
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int s = 0; s < all.total_test_suite_count(); ++s) {
    const testing::TestSuite& suite = *all.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t) {
      const testing::TestInfo& test = *suite.GetTestInfo(t);
      const std::string name = std::string(suite.name()) + '.' + test.name();
      if (test.value_param() == nullptr) continue;
      EXPECT_THAT(test.value_param(), testing::Not(testing::HasSubstr("byte object"))) << name;
      const std::string parameter = name.substr(name.rfind('/') + 1);
      EXPECT_NE(parameter.find_first_not_of("0123456789"), std::string::npos) << name << " is only numbered";
    }
  }
}

}  // namespace
}  // namespace headway
