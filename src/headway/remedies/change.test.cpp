// SPDX-License-Identifier: Apache-2.0
#include "headway/remedies/change.h"

#include <gmock/gmock.h>

#include "headway/remedies/trials.h"

namespace headway {
namespace {

Document names(std::vector<std::string> all) {
  Document::Array list;
  for (std::string& name : all) list.emplace_back(std::move(name));
  return Document(std::move(list));
}
Document text(std::string value) { return Document(std::move(value)); }

TEST(Changes, OfListsOfNamesAddUp) {
  const std::vector<Override> both =
      merged({{"what_if.without", names({"a", "b"})}, {"switch.lanes", text("2")}},
             {{"what_if.without", names({"b", "c"})}});
  ASSERT_EQ(both.size(), 2);
  EXPECT_EQ(both[0].value, names({"a", "b", "c"}));
}

TEST(Changes, OfOtherKeysAreThoseOfTheSecond) {
  const std::vector<Override> both =
      merged({{"routing.algorithm", text("ecmp")}}, {{"routing.algorithm", text("spray")}});
  ASSERT_EQ(both.size(), 1);
  EXPECT_EQ(both[0].value, text("spray"));
}

TEST(Changes, AreOptionsThatAShellReads) {
  EXPECT_EQ(settings_text({{"what_if.without", names({"a"})}, {"switch.lanes", Document(std::int64_t{2})}}),
            "--set 'what_if.without=[\"a\"]' --set switch.lanes=2");
}

}  // namespace
}  // namespace headway
