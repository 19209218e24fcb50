// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/shell.h"

namespace headway::test {
namespace {

class PlotCommand : public ShellTest {
 protected:
  PlotCommand() {
    write("small.toml",
          "seeds = 2\n[network]\nk = 2\nn = 2\n[measure]\nwarmup = \"2 us\"\nduration = \"5 us\"\n"
          "[sweep]\n\"switch.scheme\" = [\"1q\", \"voqsw\"]\n\"traffic.flow.load\" = [0.2, 0.4]\n");
  }
};

TEST_F(PlotCommand, DrawsWhatARunHasLeft) {
  ASSERT_EQ(shell("headway run small.toml --out out").code, 0);
  const Outcome plot = shell("headway plot out --y latency_mean_ns");
  EXPECT_EQ(plot.code, shell("command -v gnuplot").code == 0 ? 0 : 1) << plot.err;
  EXPECT_THAT(plot.out, HasSubstr("out/plot/data.csv"));
  EXPECT_THAT(read("out/plot/data.csv"),
              StartsWith("curve,traffic.flow.load,latency_mean_ns,interval_95,status\n1q,0.2,"));
  EXPECT_THAT(shell("headway plot out --x time_ns --out over-time; cat over-time/data.csv").out,
              HasSubstr("\"voqsw, 0.4\""));
}

// A curve per combination of two or three swept keys besides x.
TEST_F(PlotCommand, DrawsEveryCombinationOfSweptKeys) {
  const std::string memories = " --set 'switch.input_memory=[\"4 KiB\", \"8 KiB\"]'";
  const std::string delays = " --set 'network.link.delay=[\"4 ns\", \"8 ns\"]'";
  for (const std::string& swept : {memories, memories + delays}) {
    ASSERT_EQ(shell("rm -rf out; headway run small.toml --out out" + swept).code, 0);
    const Outcome plot = shell("headway plot out --y latency_mean_ns");
    EXPECT_EQ(plot.code, 0) << plot.err;
  }
  EXPECT_THAT(read("out/plot/data.csv"), HasSubstr("\n\"voqsw, 8 KiB, 4 ns\",0.4,"));
  const std::string svg = read("out/plot/figure.svg");
  for (const char* scheme : {"1q", "voqsw"})
    for (const char* memory : {"4", "8"})
      for (const char* delay : {"4", "8"})
        EXPECT_THAT(svg, HasSubstr(std::string(scheme) + ", " + memory + " KiB, " + delay + " ns"));
}

TEST_F(PlotCommand, SaysWhatIsMissing) {
  EXPECT_THAT(shell("headway plot nowhere").err, HasSubstr("nowhere contains no results.json"));
  ASSERT_EQ(shell("headway run small.toml --out out").code, 0);
  const Outcome wrong = shell("headway plot out --y latency --x load");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("--y"));
  EXPECT_THAT(wrong.err, HasSubstr("traffic.flow.load"));
  EXPECT_THAT(shell("headway plot out --y latency_men_ns").err,
              HasSubstr("did you mean \"latency_mean_ns\"?"));
  EXPECT_THAT(shell("headway plot out --y foo").err,
              HasSubstr("the results have no 'foo'; valid: the metrics in results.csv"));
  write("out/results.json", "{\"points\": [{}]}");
  EXPECT_THAT(shell("headway plot out").err, HasSubstr("not a result: params is missing"));
}

TEST_F(PlotCommand, DrawsATimelineOfAJob) {
  write("job.toml",
        "[network]\nk = 2\nn = 2\n[[traffic.job]]\nname = \"sync\"\nprogram = \"barrier\"\n"
        "overhead = \"1 us\"\n[measure]\ntables = [\"per-operation\", \"critical-path\"]\n"
        "[sweep]\n\"traffic.sync.overhead\" = [\"1 us\", \"2 us\"]\n");
  ASSERT_EQ(shell("headway run job.toml --out out").code, 0);
  const Outcome plot = shell("headway plot out --timeline sync");
  EXPECT_EQ(plot.code, shell("command -v gnuplot").code == 0 ? 0 : 1) << plot.err;
  EXPECT_THAT(plot.out, HasSubstr("out/plot/data.csv"));
  EXPECT_THAT(read("out/plot/data.csv"), HasSubstr("\nrank,handles messages,0,,0,1000,\n"));
  EXPECT_THAT(read("out/plot/data.csv"), HasSubstr("\ncritical path,overhead,"));
  shell("headway plot out --timeline sync --point 2");
  EXPECT_THAT(read("out/plot/data.csv"), HasSubstr("\nrank,handles messages,0,,0,2000,\n"));
  EXPECT_THAT(shell("headway plot out --timeline sinc").err,
              HasSubstr("--timeline: the results have no job 'sinc'; did you mean \"sync\"?"));
  EXPECT_THAT(shell("headway plot out --timeline sync --point 3").err, HasSubstr("there is no point 3"));
  EXPECT_THAT(shell("headway plot out --timeline sync --y makespan_ns").err, HasSubstr("omit --y"));
  EXPECT_THAT(shell("headway plot out --point 2").err, HasSubstr("--point is for --timeline"));
  ASSERT_EQ(shell("headway run job.toml --set 'measure.tables=[]' --out bare").code, 0);
  EXPECT_THAT(shell("headway plot bare --timeline sync").err,
              HasSubstr("no per_operation; runs have it with: jobs, and `\"per-operation\"` in "
                        "`measure.tables`"));
}

TEST_F(PlotCommand, DrawsWhatChangesGain) {
  write("job.toml",
        "[network]\nk = 2\nn = 2\n[[traffic.job]]\nname = \"sync\"\nprogram = \"barrier\"\n"
        "overhead = \"1 us\"\n");
  ASSERT_EQ(shell("headway why job.toml --try --try node.injection_memory='\"64 KiB\"' --out out").code, 0);
  const Outcome plot = shell("headway plot out --table remedies --title Gains");
  EXPECT_EQ(plot.code, shell("command -v gnuplot").code == 0 ? 0 : 1) << plot.err;
  EXPECT_THAT(plot.out, HasSubstr("out/plot/data.csv"));
  EXPECT_THAT(read("out/plot/data.csv"), HasSubstr("\nbound,without computing,"));
  EXPECT_THAT(read("out/plot/data.csv"), HasSubstr("\nown,"));
  EXPECT_THAT(shell("headway plot out --table remedies --y gain").err,
              HasSubstr("--table remedies chooses the axes; omit --y"));
  ASSERT_EQ(shell("headway run job.toml --out bare").code, 0);
  EXPECT_THAT(shell("headway plot bare --table remedies").err,
              HasSubstr("the results have no remedies; runs have it with: `headway why SPEC --try`"));
}

// The user's own folder instead of an installed paper. It needs no claims.
TEST_F(PlotCommand, APaperMayBeAFolder) {
  shell("mkdir mine");
  write(
      "mine/paper.toml",
      "title = \"Mine\"\ncitation = \"me\"\n[[figure]]\nid = \"1\"\nnumber = \"Figure 1\"\ntitle = \"mine\"\n"
      "spec = \"../small.toml\"\nx = { column = \"traffic.flow.load\", label = \"Load\" }\n"
      "y = { column = \"accepted_load\", label = \"Accepted\" }\n"
      "curve = [{ name = \"a\", label = \"A\", where = { \"switch.scheme\" = \"1q\" } },\n"
      "  { name = \"b\", label = \"B\", where = { \"switch.scheme\" = \"voqsw\" } }]\n");
  const Outcome made = shell("headway paper mine/");
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(read("out/mine/data.csv"), HasSubstr("\nb,0.4,"));
}

// A figure over some points of a sweep simulates only these points.
TEST_F(PlotCommand, AFigureMayChooseItsPoints) {
  shell("mkdir mine");
  write(
      "mine/paper.toml",
      "title = \"Mine\"\ncitation = \"me\"\n[[figure]]\nid = \"1\"\nnumber = \"Figure 1\"\ntitle = \"mine\"\n"
      "spec = \"../small.toml\"\nwhere = { \"switch.scheme\" = \"1q\" }\n"
      "x = { column = \"traffic.flow.load\", label = \"Load\" }\n"
      "y = { column = \"accepted_load\", label = \"Accepted\" }\n"
      "curve = [{ name = \"a\", label = \"A\" }]\n");
  const Outcome made = shell("headway paper mine/");
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(read("out/mine/data.csv"), HasSubstr("\na,0.4,"));
  EXPECT_THAT(shell("grep -c voqsw out/mine/results.csv").out, StartsWith("0"));
}

}  // namespace
}  // namespace headway::test
