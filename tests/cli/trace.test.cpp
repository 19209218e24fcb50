// SPDX-License-Identifier: Apache-2.0
// headway trace from the user's view: it makes, summarises and replays traces, and reports their mistakes.
#include "tests/cli/shell.h"

namespace headway::test {
namespace {

class TraceCommand : public ShellTest {};

TEST_F(TraceCommand, MakesTheSameTraceForTheSameSeed) {
  const Outcome outcome = shell(
      "headway trace make a.csv --seed 7 && headway trace make b.csv --seed 7 && headway trace make c.csv "
      "--seed 8 &&"
      " cmp a.csv b.csv && ! cmp -s a.csv c.csv && head -1 a.csv");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "time_ns,process,device,operation,bytes,response_ns\n");
}

TEST_F(TraceCommand, InfoSeesFormatAndCompressionAndShowsTheLoad) {
  const Outcome outcome =
      shell("headway trace make t.gz && headway trace info t.gz --nodes 16 --rate \"2 GB/s\" --out load");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("format        csv\n"), HasSubstr("load on 16 nodes with links of 2 GB/s"),
                    HasSubstr("a mean load of 0.3")));
  EXPECT_THAT(read("load/data.csv"), HasSubstr("curve,time_ms,load,status\nall,"));
}

TEST_F(TraceCommand, SaysWhatIsWrong) {
  EXPECT_THAT(shell("headway trace mak x").err, HasSubstr("did you mean 'make'?"));
  EXPECT_THAT(shell("headway trace make x.csv --set disk=3").err, HasSubstr("did you mean \"disks\"?"));
  EXPECT_EQ(shell("headway trace make x.csv --format spc").code, 2);
  EXPECT_THAT(shell("headway trace info x.csv --format synthetic").err,
              HasSubstr("unknown trace format 'synthetic'; valid: csv, npy"));
  EXPECT_EQ(
      shell("trap '' XFSZ; ulimit -f 8; headway trace make cut.csv --set length='\"60 s\"'; ! ls cut.csv")
          .code,
      0);
  EXPECT_THAT(shell("headway trace info nowhere.csv").err,
              HasSubstr("cannot be read: No such file or directory"));
  EXPECT_THAT(shell("echo hello there >junk; headway trace info junk").err,
              HasSubstr("cannot recognise the format of"));
  write("bad.csv", "time_us,source,destination,bytes\n0,1,2,64\n1,one,2,64\n2,1,2,64\n");
  const Outcome bad = shell("headway trace info bad.csv");
  EXPECT_EQ(bad.code, 2);
  EXPECT_THAT(bad.err, HasSubstr("record 2 (line 3): the source, 'one', is not a whole number"));
  EXPECT_THAT(shell("headway trace info bad.csv --skip-bad").out,
              HasSubstr("records       3 (1 could not be read"));
}

constexpr std::string_view kHeader = "time_us,source,destination,bytes\n";
constexpr std::string_view kPlays =
    "[network]\nk = 2\nn = 2\n[traffic.trace]\nfile = \"bad.csv\"\n"
    "[measure]\nwarmup = \"0 us\"\nduration = \"10 us\"\n";

TEST_F(TraceCommand, ChecksLookIntoTheBeginningOfATrace) {
  write("my.toml", kPlays);
  write("bad.csv", std::string(kHeader) + "0,1,2,64\n1,99,2,64\n");
  const std::string message =
      "bad.csv: record 2 (line 3): node 99 does not exist; the network has nodes 0 to 3 (node_numbers = "
      "\"modulo\" maps higher numbers to these)";
  for (const std::string command : {"headway check my.toml", "headway run my.toml"}) {
    const Outcome refused = shell(command);
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.err,
                AllOf(HasSubstr("error: my.toml:5:8: traffic.trace[0].file: "), HasSubstr(message)));
    EXPECT_THAT(refused.out, IsEmpty());
  }
  EXPECT_EQ(shell("headway check my.toml --set 'traffic.trace[0].node_numbers=modulo'").code, 0);
  EXPECT_EQ(shell("headway check my.toml --set traffic.trace.skip_bad=true").code, 0);
}

TEST_F(TraceCommand, RunsEndWithTheRecordThatCannotBeRead) {
  std::string good;  // more records than a check reads
  for (int record = 0; record < 2000; ++record) good += std::to_string(record / 1000.0) + ",1,2,64\n";
  write("bad.csv", std::string(kHeader) + good + "5,1,2\n");
  write("my.toml", kPlays);
  EXPECT_EQ(shell("headway check my.toml").code, 0);
  const Outcome stopped = shell("headway run my.toml");
  EXPECT_EQ(stopped.code, 2);
  EXPECT_THAT(stopped.err,
              HasSubstr("bad.csv: record 2001 (line 2002): it has 3 fields, but the header has 4"));
  EXPECT_EQ(shell("headway run my.toml --set traffic.trace.skip_bad=true").code, 0);
}

TEST_F(TraceCommand, PapersPlayATraceOfTheUser) {
  const Outcome outcome = shell(
      "headway trace make mine.csv.zst && headway paper obqa --figure 6a --quick --trace "
      "mine.csv.zst");
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("out/obqa-trace-quick/data.csv"), HasSubstr("6a-obqa4-voqsw: ")))
      << outcome.err;
  EXPECT_THAT(shell("grep mine.csv.zst out/obqa-trace-quick/spec.toml").out, HasSubstr("file = "));
  EXPECT_THAT(shell("headway paper obqa --figure 5a --trace mine.csv.zst").err,
              HasSubstr("none of these figures replays a trace"));
}

}  // namespace
}  // namespace headway::test
