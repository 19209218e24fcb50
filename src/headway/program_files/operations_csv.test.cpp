// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/support/program_bytes.h"

namespace headway {
namespace {

using test::read_program;
using testing::HasSubstr;

constexpr std::string_view kCsvHeader = "rank,kind,peer,bytes,time_ns,tag,cpu,after\n";

std::string csv_refusal(const std::string& rows) {
  return read_program("csv", std::string(kCsvHeader) + rows).text();
}

TEST(OperationsCsv, ReadsRowsOfMixedRanksAndColumnsInAnyOrder) {
  const auto read =
      read_program("csv",
                   "# made by hand\r\nkind, rank ,after,time_ns,bytes,peer\r\n"
                   "receive,1,,0.0,8,0\ncompute,0,,2.5,,-1\n\nsend,0,~0 ,,8,1\ncompute,1,0 ~0,1e3,0,0\n");
  ASSERT_TRUE(read.program) << read.text();
  EXPECT_EQ(test::csv_text(read), std::string(kCsvHeader) +
                                      "0,compute,,,2.5,,0,\n0,send,1,8,,0,0,~0\n"
                                      "1,receive,0,8,,0,0,\n1,compute,,,1000,,0,0 ~0\n");
  EXPECT_EQ(read.program->ops[1].place, 6U) << "empty lines and comments count";
}

TEST(OperationsCsv, WritesWhatItReads) {
  const std::string text = std::string(kCsvHeader) +
                           "0,compute,,,0.001,,255,\n0,send,1,9,,4294967295,0,0\n0,send,0,0,,0,3,~0 1\n"
                           "0,receive,0,5,,0,0,\n1,receive,0,9,,4294967295,0,\n";
  const auto first = read_program("csv", text);
  ASSERT_TRUE(first.program) << first.text();
  EXPECT_EQ(test::csv_text(first), text);
}

TEST(OperationsCsv, SaysWhatIsWrong) {
  EXPECT_THAT(read_program("csv", "").text(),
              HasSubstr("test: the file is empty; begin with the columns: rank,kind"));
  EXPECT_EQ(read_program("csv", "rank,knid\n").text(),
            "test:1:6: there is no column \"knid\"; did you mean \"kind\"?\n");
  EXPECT_EQ(read_program("csv", "rank,kind,rank\n").text(), "test:1:11: the column \"rank\" is here twice\n");
  EXPECT_THAT(read_program("csv", "rank,cpu\n").text(),
              HasSubstr("test:1:1: the column \"kind\" is missing"));
  EXPECT_EQ(csv_refusal("0,sned,1,8,,,,\n"), "test:2:3: there is no kind \"sned\"; did you mean \"send\"?\n");
  EXPECT_EQ(csv_refusal("0,send,1,8,,,\n"), "test:2:1: the row has 7 fields, but the header has 8\n");
  EXPECT_EQ(csv_refusal("0,send,,8,,,,\n"), "test:2:1: the peer is missing\n");
  EXPECT_EQ(csv_refusal("0,send,1,8,5,,,\n"), "test:2:12: a send has no time; leave the field empty\n");
  EXPECT_EQ(csv_refusal("0,compute,1,,5,,,\n"), "test:2:11: a compute has no peer; leave the field empty\n");
  EXPECT_EQ(csv_refusal("0,compute,,,-5,,,\n"),
            "test:2:13: the time_ns, \"-5\", is not a number; nanoseconds, at most 46 days\n");
  EXPECT_EQ(csv_refusal("0,compute,,,5,,256,\n"), "test:2:16: the cpu, \"256\", is too large; 0 to 255\n");
  EXPECT_EQ(csv_refusal("0,compute,,,5,,x,\n"),
            "test:2:16: the cpu, \"x\", is not a whole number; 0 to 255\n");
  EXPECT_THAT(csv_refusal("0,receive,-1,8,,,,\n"), HasSubstr("test:2:11: any peer (-1) is not possible"));
  EXPECT_EQ(csv_refusal("0,compute,,,5,,,\n0,compute,,,5,,,0 1\n"),
            "test:3:19: rank 0 has no operation 1 before this one, which is its 1; 0 to 0\n");
  // A wrong row keeps its number, so that the rows after it are no mistakes.
  EXPECT_EQ(csv_refusal("0,compute,,,x,,,\n0,compute,,,5,,,0\n0,compute,,,5,,,0 1\n"),
            "test:2:13: the time_ns, \"x\", is not a number; nanoseconds, at most 46 days\n");
}

TEST(OperationsCsv, CannotSayThatAnOperationRequiresALaterOne) {
  const auto read = read_program("goal", "num_ranks 1\nrank 0 {\na: calc 1\nb: calc 1\na requires b\n}\n");
  ASSERT_TRUE(read.program) << read.text();
  EXPECT_EQ(not_in_csv(*read.program),
            "operation 0 of rank 0 (line 3: compute 1000 ps) requires operation 1 of rank 0 (line 4: compute "
            "1000 ps), which is not an earlier one");
}

TEST(OperationsCsv, EveryPrefixAndEveryChangeOfAByteIsAProgramOrAMistakeWithItsPlace) {
  const std::string small =
      std::string(kCsvHeader) + "0,compute,,,1,,1,\n0,send,1,8,,3,,0\n1,receive,0,8,,3,,\n";
  const auto expect_sane = [](const std::string& text) {
    const auto read = read_program("csv", text);
    if (read.program) return;
    for (const Mistake& mistake : read.mistakes.list())
      if (!mistake.message.starts_with("operation ")) {
        EXPECT_THAT(mistake.where, testing::MatchesRegex("test(:[0-9]+:[0-9]+)?")) << text;
      }
    ASSERT_FALSE(read.mistakes.empty());
  };
  for (std::size_t size = 0; size < small.size(); ++size) expect_sane(small.substr(0, size));
  for (std::size_t at = 0; at < small.size(); ++at)
    for (int byte = 0; byte < 256; ++byte) {
      std::string text = small;
      text[at] = static_cast<char>(byte);
      expect_sane(text);
    }
}

TEST(OperationsCsv, ReadsAHundredThousandOperations) {
  std::string text(kCsvHeader);
  for (int row = 0; row < 50'000; ++row)
    text += fmt::format("{},send,{},64,,0,0,{}\n{},receive,{},64,,0,0,\n", row % 100, (row + 1) % 100,
                        row < 100 ? "" : fmt::format("{}", 2 * (row / 100) - 1), row % 100, (row + 99) % 100);
  const auto read = read_program("csv", text);
  ASSERT_TRUE(read.program) << read.text();
  EXPECT_EQ(read.program->size(), 100'000U);
  EXPECT_EQ(read.program->dependents.size(), 49'900U);
}

}  // namespace
}  // namespace headway
