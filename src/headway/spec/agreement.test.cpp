// SPDX-License-Identifier: Apache-2.0
// Values that all documents share are kept, values that differ are those of the base, and members that only
// some documents have are omitted.
#include "headway/spec/agreement.h"

#include <gtest/gtest.h>

#include "headway/config/toml.h"

namespace headway {
namespace {

std::string agreed(const std::vector<std::string_view>& documents, std::string_view base) {
  Agreement agreement;
  for (const std::string_view text : documents) agreement.add(parse_toml(text, "x"));
  const Document said = parse_toml(base, "base");
  return to_text(agreement.result(&said));
}

TEST(Agreement, KeepsWhatAllHave) {
  EXPECT_EQ(agreed({"a = 1\nb = 2"}, "c = 3"), "{ a = 1, b = 2 }");
  EXPECT_EQ(agreed({"a = 1\nb = 2", "a = 1\nb = 2"}, "c = 3"), "{ a = 1, b = 2 }");
  EXPECT_EQ(agreed({"a = 1\nb = 2", "a = 1\nb = 3"}, ""), "{ a = 1, b = 2 }");
  EXPECT_EQ(agreed({"a = 1\nb = 2", "a = 1\nb = 3"}, "b = 4\nc = 5"), "{ a = 1, b = 4, c = 5 }");
}

TEST(Agreement, LeavesOutWhatOnlySomeHave) {
  EXPECT_EQ(agreed({"a = 1", "a = 1\nq = 4", "a = 1"}, ""), "{ a = 1 }");
  EXPECT_EQ(agreed({"q = 4\na = 1", "a = 1", "q = 4\na = 1"}, "q = 8"), "{ q = 8, a = 1 }");
}

TEST(Agreement, LooksIntoTablesAndLists) {
  EXPECT_EQ(agreed({"t = { a = 1, b = 2 }", "t = { a = 1, b = 3 }", "t = { a = 1, c = 3 }"}, "t = { b = 9 }"),
            "{ t = { a = 1, b = 9 } }");
  EXPECT_EQ(agreed({"l = [{ a = 1 }, { b = 2 }]", "l = [{ a = 1 }, { b = 3 }]"}, "l = [{}, { b = 7 }]"),
            "{ l = [{ a = 1 }, { b = 7 }] }");
  EXPECT_EQ(agreed({"l = [{ a = 1 }]", "l = [{ a = 1 }, { a = 1 }]"}, "l = 3"), "{ l = 3 }");
  EXPECT_EQ(agreed({"l = [{ a = 1 }]", "l = \"all\"", "l = [{ a = 1 }]"}, ""), "{ l = [{ a = 1 }] }");
}

}  // namespace
}  // namespace headway
