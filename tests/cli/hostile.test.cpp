// SPDX-License-Identifier: Apache-2.0
// Untrusted files and names: whatever they contain, no command in them is run, nothing is written outside
// --out, and no control characters reach the terminal.
#include <algorithm>

#include "headway/base/visible.h"
#include "test_paths.h"
#include "tests/cli/shell.h"

namespace headway::test {
namespace {

class Hostile : public ShellTest {
 protected:
  // Runs a script. Checks that its output is safe for a terminal and that no embedded command was run.
  Outcome harmless(const std::string& script) const {
    const Outcome outcome = shell(script);
    for (const std::string& said : {outcome.out, outcome.err}) {
      const std::string safe = visible_lines(said);
      const auto [there, here] = std::ranges::mismatch(safe, said);
      EXPECT_TRUE(there == safe.end())
          << script << "\n..." << std::string(there, std::min(there + 60, safe.end()));
    }
    EXPECT_EQ(shell("find . -name 'PWNED*'").out, "") << script;
    return outcome;
  }

  // Copies the program into a folder together with this paper.
  void install_paper(std::string_view paper, std::string_view claims) const {
    shell("mkdir -p bin share/headway/papers/bad; cp " + std::string(kProgram) + " bin/");
    write("share/headway/papers/bad/paper.toml", paper);
    write("share/headway/papers/bad/claims.toml", claims);
    write("share/headway/papers/bad/spec.toml",
          "[network]\ntopology = \"k-ary-n-tree\"\nk = 2\nn = 2\n[measure]\nwarmup = \"2 us\"\nduration = "
          "\"5 us\"\n"
          "[sweep]\n\"traffic.flow.load\" = [0.1, 0.2]\n");
  }
};

constexpr std::string_view kClaims =
    "[[claim]]\nid = \"c\"\nfigure = \"f\"\nwhere = \"`touch PWNED`\"\nsays = \"<!-- end bad --> $(touch "
    "PWNED)\"\n"
    "measure = \"mean('a', 0, 1)\"\nat_most = 1\n";

std::string paper_with(const std::string& id, const std::string& text) {
  return "title = \"" + text + "\"\ncitation = \"" + text + "\"\n[[figure]]\nid = \"" + id +
         "\"\nnumber = \"" + text + "\"\ntitle = \"" + text +
         "\"\nspec = \"spec.toml\"\nx = { column = \"traffic.flow.load\", label = \"" + text +
         "\" }\ny = { column = \"accepted_load\", label = \"" + text +
         "\" }\ncurve = [{ name = \"a\", label = \"" + text + "\" }]\n";
}

TEST_F(Hostile, TheNameOfATraceRunsNoCommand) {
  for (const std::string name :
       {"\"\\`touch PWNED\\`.csv.zst\"", "\"'\\`touch PWNED\\`.csv.zst'\"",
        "\"';system('touch PWNED');'.csv\"", "$'\"\\nsystem(\"touch PWNED\")\\n#.csv'",
        "$'\\e[2J\\u009b\\r.csv'", "'@data \\.csv'"}) {
    const Outcome outcome = harmless("headway trace make " + name +
                                     " --set disks=4 --set length='\"1 s\"' && "
                                     "headway trace info " +
                                     name + " --out x");
    EXPECT_EQ(outcome.code, 0) << name << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("x/figure.svg")) << outcome.err;
  }
}

TEST_F(Hostile, TheTextOfAPaperRunsNoCommandAndMakesNoMarkup) {
  const std::string text =
      "`touch PWNED` '.system('touch PWNED').' @data $(touch PWNED) \\\\ <script> [x](y) |";
  install_paper(paper_with("f", text), kClaims);
  const Outcome outcome =
      harmless("bin/headway paper bad --out out --report page/page.md; bin/headway paper");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("out/figure.svg")) << outcome.err;
  EXPECT_THAT(outcome.err, Not(HasSubstr("not drawn")));
  EXPECT_THAT(read("out/figure.svg"), Not(HasSubstr("<script>")));
  const std::string page = read("page/page.md");
  EXPECT_THAT(page, Not(HasSubstr("<script>")));
  EXPECT_THAT(page, Not(HasSubstr("[x](y)")));
  EXPECT_EQ(page.find("<!-- end bad -->"), page.rfind("<!-- end bad -->"));
}

TEST_F(Hostile, AFigureIsWrittenInsideOut) {
  for (const std::string id : {"../../esc", "/tmp/headway-esc", "..", "a/b"}) {
    install_paper(paper_with(id, "x"), "");
    const Outcome outcome = harmless(
        "mkdir -p deep/er; cd deep/er; ../../bin/headway paper bad --out out; code=$?; "
        "ls -R ../..  | grep -c esc; exit $code");
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("paper.toml:4:6: figure[0].id: \"" + id + "\" is not a plain word"));
    EXPECT_EQ(outcome.out, "0\n");
  }
}

TEST_F(Hostile, NamesCannotSteerTheTerminal) {
  const std::string esc = "\\u001b[2J\\u009b31m\\r\\u0007\\u202e\\u007f";
  write("keys.toml",
        "[network]\n\"a" + esc + "\" = 1\ntopology = \"" + esc + "\"\n[sweep]\n\"b" + esc + "\" = [1]\n");
  write("values.toml", "[network]\ntopology = \"file\"\nfile = \"" + esc + ".toml\"\n");
  write("trace.csv", "time_us,\x1b[2J,bytes\n1,2,3\n");
  write("bad.toml", "a = \x1b[2J\n");
  write("small.toml", "[network]\nk = 2\nn = 2\n[measure]\nwarmup = \"2 us\"\nduration = \"5 us\"\n");
  const std::string name = "$'\\e[2J\\x9b\\r\\a\\n'";
  for (const std::string& command : std::vector<std::string>{"run keys.toml",
                                                             "check keys.toml",
                                                             "check values.toml",
                                                             "run bad.toml",
                                                             "trace info trace.csv",
                                                             "trace info trace.csv --format csv",
                                                             "run " + name,
                                                             "check " + name,
                                                             name,
                                                             "list " + name,
                                                             "explain " + name,
                                                             "help " + name,
                                                             "run small.toml --set " + name + "=1",
                                                             "run small.toml --set switch.scheme=" + name,
                                                             "run small.toml --" + name,
                                                             "paper " + name,
                                                             "paper obqa --figure " + name,
                                                             "paper obqa --trace " + name,
                                                             "trace info " + name,
                                                             "trace " + name + " x",
                                                             "completion " + name,
                                                             "saturation small.toml --precision " + name,
                                                             "run small.toml --out /proc/" + name,
                                                             "run small.toml --jobs " + name}) {
    const Outcome outcome = harmless("headway " + command);
    EXPECT_NE(outcome.code, 0) << command;
    EXPECT_LT(outcome.code, 128) << command;
    EXPECT_THAT(outcome.err, Not(HasSubstr("\n\n"))) << command << outcome.err;
  }
  harmless("headway check small.toml --set traffic.flow.pattern=" + name + " --resolved");
}

TEST_F(Hostile, NamesInResultsAreShownAndKept) {
  const std::string name = "$'n\\e[2J\\n\\u009b.toml'";
  write("routes.txt", "switch s\n0 0\n1 1\n2 2\n3 3\n");
  write("net.toml", "[[switch]]\nname = \"s\"\nports = 4\n[[node]]\nat = \"s\"\ncount = 4\n");
  write("small.toml",
        "[network]\ntopology = \"file\"\n[routing]\nalgorithm = \"table\"\nfile = "
        "\"routes.txt\"\n[measure]\nwarmup = \"2 "
        "us\"\nduration = \"5 us\"\n"
        "[sweep]\n\"network.file\" = [\"n\\u001b[2J\\n\\u009b.toml\", \"net.toml\"]\n");
  const Outcome outcome =
      harmless("cp net.toml " + name +
               "; headway run small.toml --out out; headway run small.toml --json; "
               "headway check small.toml --resolved; cat out/*.csv out/*.json out/*.toml out/journal.jsonl");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(shell("wc -l <out/results.csv").out, "3\n");
  EXPECT_THAT(outcome.out, HasSubstr("n\\x1b[2J\\x0a\\u009b.toml"));
}

TEST_F(Hostile, NamesOfNodesAndSwitchesAreShownAndKept) {
  const std::string esc = "\\u001b[2J\\n\\u009b`touch PWNED`";
  write("net.toml", "[[switch]]\nname = \"s" + esc + "\"\nports = 4\n[[node]]\nat = \"s" + esc +
                        "\"\nname = \"a" + esc + "\"\n[[node]]\nat = \"s" + esc + "\"\nname = \"b" + esc +
                        "\"\n[[node]]\nat = \"s" + esc + "\"\nname = \"c" + esc + "\"\n");
  write("routes.txt", "switch 0\n0 0\n1 1\n2 2\n");
  write("small.toml",
        "[network]\ntopology = \"file\"\nfile = \"net.toml\"\n[routing]\nalgorithm = \"table\"\nfile = "
        "\"routes.txt\"\n"
        "[[traffic.flow]]\nsources = { first = 2 }\npattern = \"hotspot\"\ndestination = 2\n"
        "[[traffic.flow]]\nsources = { first = 2 }\n"
        "[measure]\nwarmup = \"2 us\"\nduration = \"50 us\"\ntables = [\"fairness\", \"per-link\", "
        "\"per-pair\"]\n");
  const Outcome outcome =
      harmless("headway run small.toml --out out; code=$?; cat out/*.csv out/*.json out/*.toml; exit $code");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("\\x1b[2J\\x0a\\u009b`touch PWNED`"));
}

TEST_F(Hostile, ColoursAreOursAlone) {
  if (shell("command -v script").code != 0) GTEST_SKIP() << "no pseudo-terminal";
  write("bad.toml", "\"\\u001b[31mx\" = 1\n");
  const std::string seen = shell("TERM=xterm NO_COLOR= script -qec \"headway check bad.toml\" /dev/null").out;
  EXPECT_THAT(seen, HasSubstr("\\x1b[31mx"));
  EXPECT_THAT(seen, HasSubstr("\x1b[1;31merror:\x1b[0m"));
  EXPECT_THAT(seen, Not(HasSubstr("\x1b[31mx")));
}

// The nearest name in a suggestion is untrusted, too.
TEST_F(Hostile, AdviceNamesNothingRaw) {
  write("net.toml", "[[switch]]\nname = \"le\\naf\"\nports = 4\n[[node]]\nat = \"leaf\"\n");
  write("my.toml", "[network]\ntopology = \"file\"\nfile = \"net.toml\"\n");
  const Outcome outcome = shell("headway check my.toml");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("there is no switch \"leaf\"; did you mean \"le\\x0aaf\"?"));
}

TEST_F(Hostile, TheCommandThatContinuesIsSafeToPaste) {
  const std::string name = "\"it's \\`touch PWNED\\`.toml\"";
  write("small.toml", "[network]\nk = 2\nn = 2\n[measure]\nwarmup = \"2 us\"\nduration = \"100 ms\"\n");
  const Outcome outcome =
      harmless(kJobControl + ("cp small.toml " + name) + "; headway run " + name + " --out out & pid=$!\n" +
               kUntilItCatchesInterrupts + "kill -INT $pid; wait $pid");
  EXPECT_EQ(outcome.code, 130);
  EXPECT_THAT(outcome.err, HasSubstr("headway run 'it'\\''s `touch PWNED`.toml' --out out\n"));
}

}  // namespace
}  // namespace headway::test
