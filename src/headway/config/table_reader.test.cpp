// SPDX-License-Identifier: Apache-2.0
#include "headway/config/table_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "headway/config/toml.h"

namespace headway {
namespace {

std::vector<std::string> lines_of(const Mistakes& mistakes) {
  std::vector<std::string> lines;
  for (const Mistake& mistake : mistakes.list()) lines.emplace_back(SpecError({mistake}).what());
  return lines;
}

TEST(TableReader, ReportsWhatIsWrongWithItsPlace) {
  const Document table = parse_toml("name = 3\nlable = 1\nzzz = 2\n", "a.toml");
  Mistakes mistakes;
  TableReader reader(table, "axis", mistakes);
  EXPECT_FALSE(reader.text_of("name"));
  EXPECT_FALSE(reader.text_of("label"));
  reader.missing("label");
  reader.refuse_others();
  EXPECT_EQ(lines_of(mistakes),
            (std::vector<std::string>{
                "a.toml:1:8: axis.name: must be text in quotes", "a.toml:1:1: axis.label: is missing",
                "a.toml:2:1: axis.lable: unknown key; did you mean \"label\"?",
                "a.toml:3:1: axis.zzz: unknown key; valid here: \"name\" and \"label\""}));
}

TEST(TableReader, ReadsTextAndKnowsWhatItTook) {
  const Document table = parse_toml("name = \"x\"\n", "a.toml");
  Mistakes mistakes;
  TableReader reader(table, "", mistakes);
  EXPECT_EQ(reader.text_of("name"), "x");
  EXPECT_EQ(reader.key("name"), "name");
  reader.refuse_others();
  EXPECT_TRUE(mistakes.empty());
}

}  // namespace
}  // namespace headway
