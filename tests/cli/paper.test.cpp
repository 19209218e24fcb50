// SPDX-License-Identifier: Apache-2.0
// headway paper, where it needs no long simulation: its lists, its files and its exit codes.
#include <fmt/format.h>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/cli/shell.h"

namespace headway::test {
namespace {

class PaperCommand : public ShellTest {};

TEST_F(PaperCommand, ListsPapersAndFigures) {
  const Outcome outcome = shell("headway paper");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("obqa"));
  EXPECT_THAT(outcome.out, HasSubstr("Figure 5(a): hot spot"));
}

TEST_F(PaperCommand, KnowsItsPapersAndFigures) {
  const Outcome paper = shell("headway paper obqua");
  EXPECT_EQ(paper.code, 2);
  EXPECT_THAT(paper.err, HasSubstr("did you mean 'obqa'?"));
  const Outcome figure = shell("headway paper obqa --figure 5c");
  EXPECT_EQ(figure.code, 2);
  EXPECT_THAT(figure.err, HasSubstr("unknown figure '5c'"));
  EXPECT_EQ(shell("headway paper obqa --quick --report page.md").code, 2);
}

TEST_F(PaperCommand, WritesATableAndJudgesItsClaims) {
  const Outcome outcome = shell("headway paper obqa --figure t3 --out t3");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("| OBQA, 4 queues | 4 | 512 | 0.00647 |"));
  EXPECT_THAT(outcome.out, HasSubstr("t3-obqa-4: holds\n"));
  EXPECT_THAT(read("t3/data.csv"), HasSubstr("obqa-4,4,512,0.00647,ok\n"));
  const auto claims = nlohmann::json::parse(read("t3/claims.json"));
  EXPECT_EQ(claims["quick"], false);
  for (const auto& claim : claims["claims"]) EXPECT_EQ(claim["verdict"], "holds") << claim;
}

TEST_F(PaperCommand, StopsAtControlCAndContinues) {
  const Outcome stopped =
      shell(std::string(kJobControl) +
            "headway paper obqa --figure 4b --quick --jobs 1 --out out >/dev/null & pid=$!\n"
            "until [ \"$(cat out/journal.jsonl 2>/dev/null | wc -l)\" -ge 2 ]; do sleep 0.01; done\n"
            "kill -INT $pid; wait $pid");
  EXPECT_EQ(stopped.code, 130);
  EXPECT_THAT(stopped.err, HasSubstr("the same command continues"));
  EXPECT_EQ(shell("ls out | grep -c svg").out, "0\n");
}

// A paper with one small figure and the given claims, beside a copy of the program.
class PaperVerdict : public ShellTest {
 protected:
  Outcome judge(std::string_view claims, std::string_view flags = "", int seeds = 3) {
    shell("mkdir -p bin share/headway/papers/small; cp $(command -v headway) bin/");
    write("share/headway/papers/small/paper.toml", R"(title = "A small paper"
citation = "Nobody"
[[figure]]
id = "1"
number = "Figure 1"
title = "latency"
spec = "figure.toml"
x = { column = "traffic.flow.load", label = "Load" }
y = { column = "latency_mean_ns", label = "Latency" }
quick = { seeds = 2 }
curve = [{ name = "1q", label = "1Q", where = {} }]
)");
    write("share/headway/papers/small/figure.toml", fmt::format(R"(seeds = {}
[network]
topology = "k-ary-n-tree"
k = 2
n = 2
[[traffic.flow]]
arrivals = "poisson"
[measure]
warmup = "5 us"
duration = "20 us"
[sweep]
"traffic.flow.load" = [0.2, 0.5]
)",
                                                                seeds));
    write("share/headway/papers/small/claims.toml", claims);
    return shell(fmt::format("bin/headway paper small --out out {}", flags));
  }
  static std::string claim(std::string_view id, std::string_view expected) {
    return fmt::format(
        "[[claim]]\nid = \"{}\"\nfigure = \"1\"\nwhere = \"here\"\nsays = \"it waits\"\n"
        "measure = \"at('1q', 0.5) / at('1q', 0.2)\"\n{}\n",
        id, expected);
  }
};

TEST_F(PaperVerdict, IsOpenWhereTheBoundLiesWithinTheError) {
  const Outcome measured = judge(claim("a", "at_least = 0.5"));
  EXPECT_EQ(measured.code, 0) << measured.err;
  EXPECT_THAT(measured.out, HasSubstr("a: holds\n"));
  EXPECT_THAT(measured.out, ContainsRegex("expected at least 0.5, measured 1\\.[0-9]+ ± 0\\.[0-9]+"));
  const auto json = nlohmann::json::parse(read("out/claims.json"))["claims"][0];
  EXPECT_EQ(json["seeds"], 3);
  const double value = json["measured"], half_width = json["half_width"];
  EXPECT_NEAR(half_width, 4.30265 * json["standard_error"].get<double>(), 1e-9);

  const Outcome open = judge(claim("a", fmt::format("at_least = {}", value - half_width / 2)));
  EXPECT_EQ(open.code, 0);
  EXPECT_THAT(open.out, HasSubstr("a: cannot tell\n"));
  EXPECT_THAT(open.out, HasSubstr("1 claims: 0 hold, 1 cannot be told"));
}

TEST_F(PaperVerdict, FailsTheCommandOnlyIfItIsClearAndNotAsDeclared) {
  EXPECT_EQ(judge(claim("a", "at_most = 0.5")).code, 1);
  EXPECT_EQ(judge(claim("a", "at_most = 0.5\nknown = \"it never waits less\"")).code, 0);
  const Outcome holds = judge(claim("a", "at_least = 0.5\nknown = \"it does not\""));
  EXPECT_EQ(holds.code, 1);
  EXPECT_THAT(holds.out, HasSubstr("a: holds (declared not to)\n"));
}

TEST_F(PaperVerdict, OfOneSeedIsNone) {
  const Outcome one = judge(claim("a", "at_most = 0.5"), "", 1);
  EXPECT_EQ(one.code, 0);
  EXPECT_THAT(one.out, HasSubstr("a: cannot tell\n"));
  EXPECT_THAT(one.out, HasSubstr("(one seed: error unknown)"));
}

TEST_F(PaperVerdict, IsNotGivenWhereNothingDecides) {
  const Outcome quick = judge(
      claim("a", "at_most = 0.5\nnot_quick = \"two seeds are too few\"") + claim("b", "at_least = 0.5") +
          "[[claim]]\nid = \"c\"\nfigure = \"1\"\nwhere = \"here\"\nsays = \"users like it\"\n"
          "undecidable = \"we have not asked them\"\n",
      "--quick");
  EXPECT_EQ(quick.code, 0) << quick.err;
  EXPECT_THAT(quick.out, HasSubstr("a: not judged, quick\n"));
  EXPECT_THAT(quick.out, HasSubstr("not in a quick run: two seeds are too few"));
  EXPECT_THAT(quick.out, HasSubstr("c: not judged, quick\n"));
  EXPECT_THAT(quick.out, HasSubstr("undecidable: we have not asked them"));
  EXPECT_THAT(quick.out, HasSubstr("3 claims: "));
  EXPECT_THAT(quick.out, HasSubstr(", 2 are not judged"));
}

// The complement pattern has no conflicts under deterministic routing, so a search takes two runs: at the
// lowest load and at full load.
TEST_F(PaperCommand, SearchesSaturationLoadsOnce) {
  shell("mkdir -p bin share/headway/papers/small; cp $(command -v headway) bin/");
  write("share/headway/papers/small/paper.toml", R"(title = "A small paper"
citation = "Nobody"
[[figure]]
id = "1"
number = "Table 1"
title = "the load that is sustained"
spec = "table.toml"
saturation = { precision = 0.1 }
draw = "table"
columns = ["saturation_load", "saturation_load_low", "saturation_load_high"]
curve = [{ name = "det", label = "DET", where = {} }]
)");
  write("share/headway/papers/small/table.toml", R"(seeds = 2
[network]
topology = "k-ary-n-tree"
k = 2
n = 2
[[traffic.flow]]
pattern = "complement"
arrivals = "periodic"
[measure]
warmup = "20 us"
duration = "300 us"
)");
  write("share/headway/papers/small/claims.toml", R"toml([[claim]]
id = "full"
figure = "1"
where = "here"
says = "complement passes"
measure = "value('det', 'saturation_load')"
expected = 1
tolerance = 0
)toml");
  const std::string command = "bin/headway paper small --out out";
  const Outcome outcome = shell(command);
  EXPECT_EQ(outcome.code, 0) << outcome.err << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("| DET | 1 | 1 | 1 |"));
  EXPECT_THAT(outcome.out, HasSubstr("full: holds\n"));
  const std::string journal = read("out/journal.jsonl");
  EXPECT_EQ(std::ranges::count(journal, '\n'), 2);
  EXPECT_THAT(journal, HasSubstr("\"saturation_runs\":2"));
  EXPECT_EQ(shell(command).out, outcome.out);
  EXPECT_EQ(read("out/journal.jsonl"), journal);
}

TEST_F(PaperCommand, SaysBeforeAnythingRunsThatItCannotWrite) {
  const Outcome outcome = shell("headway paper obqa --figure 5a --out /proc/nowhere");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, IsEmpty());
}

}  // namespace
}  // namespace headway::test
