// SPDX-License-Identifier: Apache-2.0
// Stored results are the computed ones, and these depend only on files as read before the first run. Later
// changes of the spec's files, the journal, the standard streams or the terminal do not matter.
#include <nlohmann/json.hpp>

#include "tests/cli/shell.h"

namespace headway::test {
namespace {

// One switch with eight nodes, from files; 12 runs of about 50 ms each, in one thread.
class Stored : public ShellTest {
 protected:
  Stored() {
    write("net.toml", "[[switch]]\n[[node]]\nat = \"0\"\ncount = 8\n");
    write("routes.txt", "switch 0\n0 0\n1 1\n2 2\n3 3\n4 4\n5 5\n6 6\n7 7\n");
    write("to.txt", "1 2 3 4 5 6 7 0\n");
    write("one.toml", kFiles);
    write("sweep.toml", std::string(kFiles) +
                            "[sweep]\n\"traffic.flow.load\" = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, "
                            "0.45, 0.5, 0.55, 0.6]\n");
  }
  static constexpr std::string_view kFiles =
      "[network]\ntopology = \"file\"\nfile = \"net.toml\"\n"
      "[routing]\nalgorithm = \"table\"\nfile = \"routes.txt\"\n"
      "[[traffic.flow]]\npattern = \"permutation\"\nfile = \"to.txt\"\nload = 0.5\n"
      "[measure]\nwarmup = \"10 us\"\nduration = \"5 ms\"\n";

  // Starts a command with results in "out" and waits until its journal has two runs. $pid is the program.
  static std::string start(const std::string& command) {
    return command +
           " --jobs 1 --out out >table 2>err & pid=$!\n"
           "until [ \"$(cat out/journal.jsonl 2>/dev/null | wc -l)\" -ge 2 ] || ! kill -0 $pid; do sleep "
           "0.01; done\n";
  }
  std::size_t points(std::string_view file) const {
    return nlohmann::json::parse(read(file))["points"].size();
  }
};

TEST_F(Stored, AnEditDuringASweepIsForTheNextOne) {
  EXPECT_EQ(shell("headway run sweep.toml --out before").code, 0);
  const Outcome edited = shell(start("headway run sweep.toml") +
                               "sed -i 's/count = 8/count = 8\\nrate = \"4 GB\\/s\"/' net.toml\n"
                               "printf '7 0 1 2 3 4 5 6\\n' >to.txt\n"
                               "printf 'switch 0\\n* 0\\n' >routes.txt\n"  // an invalid table
                               "wait $pid");
  EXPECT_EQ(edited.code, 0) << read("err");
  EXPECT_EQ(read("out/results.json"), read("before/results.json"));
  write("routes.txt", "switch 0\n0-0 0\n1 1\n2 2\n3 3\n4 4\n5 5\n6 6\n7 7\n");
  EXPECT_EQ(shell("headway run sweep.toml --out out; headway run sweep.toml --out after").code, 0);
  EXPECT_EQ(read("out/results.json"), read("after/results.json"));
  EXPECT_NE(read("out/results.json"), read("before/results.json"));
  EXPECT_EQ(std::stoi(shell("wc -l <out/journal.jsonl").out), 24);
}

TEST_F(Stored, ATraceThatChangesStopsTheSweep) {
  std::string trace = "time_ns,source,destination,bytes\n";
  for (int i = 0; i < 1000; ++i)
    trace +=
        std::to_string(1000 * i) + ',' + std::to_string(i % 8) + ',' + std::to_string((i + 1) % 8) + ",100\n";
  write("a.csv", trace);
  const std::string traced = "headway run sweep.toml --set traffic.trace.file=a.csv";
  const Outcome changed = shell(start(traced) + "sed -i 's/,100$/,900/' a.csv; wait $pid");
  EXPECT_EQ(changed.code, 2);
  EXPECT_THAT(read("err"), AllOf(HasSubstr("a.csv: has changed since it was first read"),
                                 HasSubstr("(at traffic.flow.load = "), HasSubstr("of 12 runs finished")));
  write("a.csv", trace);
  EXPECT_EQ(shell(traced + " --out out; " + traced + " --out whole").code, 0);
  EXPECT_EQ(read("out/results.json"), read("whole/results.json"));
}

TEST_F(Stored, WhatIsNoPlainFileIsRefusedAtOnce) {
  shell("mkfifo pipe");
  const std::string one = "headway check one.toml --set ";
  for (const std::string no_file : {"pipe", "/dev/zero", "."})
    for (const std::string& command :
         {"headway check " + no_file, "headway run " + no_file, "headway trace info " + no_file,
          one + "network.file=" + no_file, one + "routing.file=" + no_file,
          one + "'traffic.flow[0].file=" + no_file + "'", one + "traffic.trace.file=" + no_file,
          "headway paper obqa --quick --trace " + no_file}) {
      const Outcome outcome = shell("timeout 20 " + command);
      EXPECT_EQ(outcome.code, 2) << command << '\n' << outcome.err;
      EXPECT_THAT(outcome.err, HasSubstr("it must be a regular file")) << command;
    }
}

TEST_F(Stored, ADirectoryOfResultsWithAPipeInItIsRefusedAtOnce) {
  const Outcome journal =
      shell("mkdir out; mkfifo out/journal.jsonl; timeout 20 headway run one.toml --out out");
  EXPECT_EQ(journal.code, 1);
  EXPECT_THAT(journal.err, HasSubstr("out/journal.jsonl"));
  const Outcome spec = shell(
      "rm out/journal.jsonl; : >out/journal.jsonl; mkfifo out/spec.toml; timeout 20 headway run one.toml "
      "--out out");
  EXPECT_EQ(spec.code, 2);
  EXPECT_THAT(spec.err, HasSubstr("out/spec.toml: is a pipe"));
}

TEST_F(Stored, AnErrorInTheMiddleOfAFileIsNotItsEnd) {
  for (const std::string key :
       {"network.file", "routing.file", "'traffic.flow[0].file", "traffic.trace.file"}) {
    const Outcome outcome =
        shell("headway check one.toml --set " + key + "=/proc/self/mem" + (key.starts_with('\'') ? "'" : ""));
    EXPECT_EQ(outcome.code, 2) << key;
    EXPECT_THAT(outcome.err, HasSubstr("/proc/self/mem: cannot be read: Input/output error")) << key;
  }
}

TEST_F(Stored, FilesThatAreTooLargeAreRefused) {
  shell("truncate -s 1T large");
  for (const std::string command : {"headway check large", "headway check one.toml --set network.file=large",
                                    "headway check one.toml --set routing.file=large"}) {
    const Outcome outcome = shell("timeout 60 " + command);
    EXPECT_EQ(outcome.code, 2) << command << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("is larger than")) << command;
  }
}

TEST_F(Stored, ADamagedJournalIsNotBelieved) {
  EXPECT_EQ(shell("headway run sweep.toml --set seeds=2 --out out").code, 0);
  const std::string sound = read("out/results.json");
  // Damage that leaves valid JSON: another number; columns of different length; an unknown status.
  for (const std::string damage :
       {R"(s/"accepted_load":0\.[0-9]*/"accepted_load":9.197/)", R"(s/"time_ns":\[[^]]*\]/"time_ns":[1.0]/)",
        R"(s/"series":{/"series":{"more":[],/)", R"(s/"metrics":{/"metrics":{"more":1.0,/)",
        R"(s/"status":"ok"/"status":"fine"/)", R"(s/"metrics":{[^}]*}/"metrics":{}/)"}) {
    shell("sed -i '3~2 " + damage + "' out/journal.jsonl");
    const Outcome again = shell("headway run sweep.toml --set seeds=2 --out out");
    EXPECT_EQ(again.code, 0) << damage;
    EXPECT_THAT(again.err, HasSubstr("lines of out/journal.jsonl; their results are computed again"));
    EXPECT_EQ(read("out/results.json"), sound) << damage;
  }
}

TEST_F(Stored, NamesThatAreNotUtf8) {
  EXPECT_EQ(shell("headway run one.toml --out $'d\\xff' --quiet && cp $'d\\xff/results.json' out.json").code,
            0);
  EXPECT_EQ(points("out.json"), 1U);
  EXPECT_EQ(shell("cp one.toml $'\\xff.toml' && headway run $'\\xff.toml' --json >out.json").code, 0);
  EXPECT_EQ(points("out.json"), 1U);
  // File names are part of the resolved spec, which must be UTF-8.
  for (const std::string command :
       {"mkdir $'\\xff'; cp *.toml *.txt $'\\xff'; cd $'\\xff'; headway run sweep.toml --out out",
        "headway run sweep.toml --out out --set network.file=$'\\xff'"}) {
    const Outcome outcome = shell(command);
    EXPECT_EQ(outcome.code, 2) << command;
    EXPECT_THAT(outcome.err, HasSubstr("UTF-8")) << command;
    EXPECT_THAT(outcome.out, IsEmpty()) << command;
  }
}

TEST_F(Stored, ClosedStandardStreamsAreNotWrittenIntoResults) {
  EXPECT_EQ(shell("headway run one.toml --out whole").code, 0);
  for (const std::string closed : {">&-", "2>&-", "<&-", ">&- 2>&-", "<&- >&- 2>&-"}) {
    EXPECT_EQ(shell("rm -rf out; headway run one.toml --out out " + closed).code, 0) << closed;
    EXPECT_EQ(std::stoi(shell("wc -l <out/journal.jsonl").out), 1) << closed;
    EXPECT_THAT(read("out/journal.jsonl"), Not(HasSubstr("status  "))) << closed;
    EXPECT_EQ(read("out/results.json"), read("whole/results.json")) << closed;
  }
}

TEST_F(Stored, OutputThatCannotBeWrittenLosesNoResult) {
  EXPECT_EQ(shell("headway run sweep.toml --out whole").code, 0);
  const Outcome full = shell("headway run sweep.toml --out out >/dev/full");
  EXPECT_EQ(full.code, 1);
  EXPECT_THAT(full.err, HasSubstr("cannot write to standard output: No space left on device"));
  EXPECT_EQ(read("out/results.json"), read("whole/results.json"));
  EXPECT_EQ(shell("headway run none.toml 2>/dev/full").code, 2);
}

TEST_F(Stored, ATerminalThatGoesAwayKeepsWhatIsFinished) {
  for (const std::string signal : {"HUP", "TERM"}) {
    const Outcome outcome =
        shell("rm -rf out\n" + start("headway run sweep.toml") + "kill -" + signal + " $pid; wait $pid");
    EXPECT_EQ(outcome.code, 130) << signal;
    EXPECT_GE(points("out/results.json"), 2U) << signal;
    EXPECT_LT(points("out/results.json"), 12U) << signal;
  }
  // Several hang-ups in a row count as one. Under nohup they are ignored.
  EXPECT_EQ(shell("rm -rf out\n" + start("headway run sweep.toml") +
                  "kill -HUP $pid; kill -HUP $pid; kill -HUP $pid; wait $pid")
                .code,
            130);
  EXPECT_GE(points("out/results.json"), 2U);
  EXPECT_EQ(shell("rm -rf out\n" + start("nohup headway run sweep.toml") + "kill -HUP $pid; wait $pid").code,
            0);
  EXPECT_EQ(points("out/results.json"), 12U);
}

// A shell script starts what it puts into the background with SIGINT ignored, so that Ctrl-C is not for it.
TEST_F(Stored, ASignalThatIsIgnoredStaysIgnored) {
  for (const std::string signal : {"INT", "TERM", "HUP"}) {
    EXPECT_EQ(shell("rm -rf out; trap '' " + signal + "\n" + start("headway run sweep.toml") + "kill -" +
                    signal + " $pid; kill -" + signal + " $pid; wait $pid")
                  .code,
              0)
        << signal;
    EXPECT_EQ(points("out/results.json"), 12U) << signal;
  }
}

class StoredSearch : public ShellTest {
 protected:
  StoredSearch() {
    write("search.toml",
          "[network]\nk = 4\nn = 2\n[measure]\nwarmup = \"10 us\"\nduration = \"500 us\"\n"
          "[sweep]\n\"switch.scheme\" = [\"1q\", \"voqsw\", \"dbbm\", \"obqa\", \"voqnet\"]\n");
  }
};

TEST_F(StoredSearch, HasTheFilesOfARun) {
  const Outcome first = shell("headway saturation search.toml --out out");
  EXPECT_EQ(first.code, 0);
  for (const char* file : {"results.json", "results.csv", "series.csv", "spec.toml", "manifest.json"})
    EXPECT_THAT(read(std::string("out/") + file), Not(IsEmpty())) << file;
  EXPECT_EQ(read("out/results.json"), shell("headway saturation search.toml --json").out);
  const auto manifest = nlohmann::json::parse(read("out/manifest.json"));
  EXPECT_EQ(manifest["command"][1], "saturation");
  const std::string journal = read("out/journal.jsonl");
  EXPECT_EQ(shell("headway saturation search.toml --out out").out, first.out);
  EXPECT_EQ(read("out/journal.jsonl"), journal);
  // Runs and other searches have entries of their own in the journal.
  EXPECT_EQ(shell("headway saturation search.toml --out out --precision 0.1").code, 0);
  EXPECT_EQ(std::stoi(shell("wc -l <out/journal.jsonl").out), 10);
}

TEST_F(StoredSearch, ControlCShowsAndKeepsWhatIsFinished) {
  const Outcome outcome = shell(
      std::string(kJobControl) +
      "headway saturation search.toml --jobs 1 --out out >table 2>err & pid=$!\n"
      "until [ \"$(cat out/journal.jsonl 2>/dev/null | wc -l)\" -ge 2 ] || ! kill -0 $pid; do sleep 0.01; "
      "done\n"
      "kill -INT $pid; wait $pid");
  EXPECT_EQ(outcome.code, 130);
  EXPECT_THAT(read("err"), AllOf(HasSubstr("of 5 runs finished and saved in out; to continue:"),
                                 HasSubstr("headway saturation search.toml --jobs 1 --out out\n")));
  EXPECT_THAT(read("table"), AllOf(HasSubstr("1q"), Not(HasSubstr("voqnet"))));
  EXPECT_EQ(
      shell("headway saturation search.toml --out out; headway saturation search.toml --out whole").code, 0);
  EXPECT_EQ(read("out/results.json"), read("whole/results.json"));
}

TEST_F(StoredSearch, WhatCannotBeSearchedIsNothingToContinue) {
  const Outcome outcome = shell("headway saturation search.toml --set traffic.flow.load=0 --out out");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("a saturation search scales the loads of the flows, but no load is above 0"),
                    Not(HasSubstr("continue"))));
}

TEST_F(StoredSearch, ControlCWithoutADirectoryShowsWhatIsFinished) {
  const Outcome outcome = shell(std::string(kJobControl) +
                                "headway saturation search.toml --jobs 1 >table 2>err & pid=$!\n"
                                "until [ \"$(wc -l <table)\" -ge 3 ] || ! kill -0 $pid; do sleep 0.01; done\n"
                                "kill -INT $pid; wait $pid");
  EXPECT_EQ(outcome.code, 130);
  EXPECT_THAT(read("table"), HasSubstr("1q"));
  EXPECT_THAT(read("err"), HasSubstr("with --out DIR, an interrupted run can be continued"));
}

}  // namespace
}  // namespace headway::test
