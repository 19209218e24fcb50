// SPDX-License-Identifier: Apache-2.0
// Behaviour that users and scripts rely on: exit codes, output streams, complete help texts, "did you mean".
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <regex>

#include "headway/base/version.h"
#include "headway/cli/command.h"
#include "headway/metrics/metric.h"
#include "test_paths.h"
#include "tests/cli/shell.h"

namespace headway::test {
namespace {

class CommandLine : public ShellTest {
 protected:
  // Bash's completions of the word with this number.
  std::string complete(std::string_view words, int position) {
    return shell("source <(headway completion bash); COMP_WORDS=(" + std::string(words) +
                 "); COMP_CWORD=" + std::to_string(position) + "; _headway; echo \"${COMPREPLY[*]}\"")
        .out;
  }
};

constexpr std::string_view kSmall = R"([network]
k = 2
n = 2
[measure]
warmup = "2 us"
duration = "10 us"
[sweep]
"switch.scheme" = ["1q", "obqa"]
"traffic.flow.load" = [0.3, 1.0]
)";

TEST_F(CommandLine, TellsWhatIsCutOff) {
  write("small.toml", kSmall);
  const std::string failures =
      " --set 'network.failures={at=[\"0:2\",\"0:3\"],unreachable=\"reported\"}'"
      " --set traffic.flow.load=0.3";
  EXPECT_THAT(shell("headway run small.toml" + failures).out,
              HasSubstr("cut off (pairs of nodes that failed links leave without a path)\n"
                        "  scheme = 1q: 8 pairs, 66.67 % of the load\n"
                        "  scheme = obqa: 8 pairs, 66.67 % of the load\n"));
  EXPECT_THAT(shell("headway run small.toml").out, Not(HasSubstr("cut off")));
}

// A key that has no effect at some points makes these points equal.
TEST_F(CommandLine, TellsWhichPointsRepeatAnother) {
  write("small.toml", kSmall);
  const std::string sweep =
      " small.toml --set 'switch.scheme=[\"1q\",\"obqa\"]' --set 'switch.queues=[1,2,4]'"
      " --set traffic.flow.load=0.3";
  for (const char* const command : {"headway check", "headway run"})
    EXPECT_THAT(
        shell(command + sweep).err,
        HasSubstr("2 of 6 points repeat the run of another point, because what they sweep has no effect "
                  "there: switch.scheme = 1q, switch.queues = 2 repeats switch.scheme = 1q, "
                  "switch.queues = 1"));
  EXPECT_THAT(shell("headway check small.toml").err, Not(HasSubstr("repeat")));
}

TEST_F(CommandLine, MistakesOnTheCommandLineNameWhatWasMeant) {
  struct Case {
    std::string_view command;
    std::string_view message;
  };
  write("small.toml", kSmall);
  for (const auto& [command, message] : {
           Case{"headway rum small.toml", "unknown command 'rum'; did you mean 'run'?"},
           {"headway run small.toml --jbos 4", "unknown option '--jbos'; did you mean '--jobs'?"},
           {"headway run small.toml --jbos=4", "unknown option '--jbos'; did you mean '--jobs'?"},
           {"headway run", "SPEC is missing: spec of the experiment, a TOML file; - reads standard input"},
           {"headway run ''", "SPEC is missing: spec of the experiment"},
           {"headway run a.toml b.toml", "unexpected argument 'b.toml'; headway run takes SPEC"},
           {"headway run a.toml -- --jobs", "unexpected argument '--jobs'; headway run takes SPEC"},
           {"headway paper obqa dbbm", "unexpected argument 'dbbm'; headway paper takes KEY or nothing"},
           {"headway list queueing routing",
            "unexpected argument 'routing'; headway list takes FAMILY or nothing"},
           {"headway completion", "SHELL is missing: one of bash, zsh, fish"},
           {"headway trace", "ACTION is missing: one of make, info"},
           {"headway explain", "NAME is missing: a key of a spec, a member of a family, or a metric"},
           {"headway run small.toml --jobs=",
            "--jobs needs a value, N: number of points simulated in parallel"},
           {"headway run small.toml -o", "--out needs a value, DIR: writes results"},
           {"headway run small.toml --out --json", "--out needs a value, DIR: writes results"},
           {"headway run small.toml --json=yes", "--json takes no value, but 'yes' was given"},
           {"headway run small.toml --jobs many", "--jobs needs a whole number from 1 to 4096, not 'many'"},
           {"headway run small.toml --jobs 0", "--jobs needs a whole number from 1 to 4096, not '0'"},
           {"headway run small.toml --jobs 1 --jobs 2", "--jobs is given more than once"},
           {"headway run small.toml --set nonsense", "--set needs KEY=VALUE, not 'nonsense'"},
           {"headway run small.toml --set switch.shceme=1q", "scheme"},
           {"headway run missing.toml", "missing.toml"},
           {"headway list schmes", "did you mean 'schemes'?"},
           {"headway explain obqq", "did you mean 'obqa'?"},
           {"headway explain switch.quues", "did you mean 'switch.queues'?"},
           {"headway help rnu", "did you mean 'run'?"},
           {"headway simulate small.toml", "unknown command 'simulate'; did you mean 'run'?"},
           {"headway version", "unknown command 'version'; did you mean '--version'?"},
           {"headway frobnicate", "unknown command 'frobnicate'; 'headway --help' lists the commands"},
           {"headway run small.toml --output x", "unknown option '--output'; did you mean '--out'?"},
           {"headway run small.toml --set switch.vc=2",
            "switch.vc: unknown key; did you mean \"virtual_channels\"?"},
           {"headway run small.toml --set load=0.3",
            "load: unknown key; did you mean \"traffic.flow.load\"?"},
           {"headway saturation small.toml --share 2", "--share must be above 0 and at most 1, not 2"},
           {"headway saturation small.toml --share 2 --lowest 1",
            "--share must be above 0 and at most 1, not 2; --lowest must be at least 1e-06 and below 1, not "
            "1"},
           {"headway saturation small.toml --share much", "--share needs a number, not \"much\""},
           {"headway saturation small.toml --times 0.5", "--times must be at least 1, not 0.5"},
           {"headway saturation small.toml --precision 1",
            "--precision must be at least 1e-06 and below 1, not 1"},
           {"headway saturation small.toml --lowest 1", "--lowest must be at least 1e-06 and below 1, not 1"},
           {"headway completion tcsh", "valid: bash, zsh, fish"},
       }) {
    const Outcome outcome = shell(command);
    EXPECT_EQ(outcome.code, 2) << command;
    EXPECT_THAT(outcome.err, HasSubstr(message)) << command;
    EXPECT_THAT(outcome.err, StartsWith("error: ")) << command;
    EXPECT_THAT(outcome.out, IsEmpty()) << command;
  }
}

TEST_F(CommandLine, VersionSaysWhichBuildItIs) {
  EXPECT_EQ(shell("headway --version").out,
            fmt::format("headway {} ({}, {})\n{}, model {}, without MPI\n", version(), git_id(), compiler(),
                        build(), kModelVersion));
}

TEST_F(CommandLine, ShortOptionsAreThoseOfOtherPrograms) {
  write("small.toml", kSmall);
  EXPECT_EQ(shell("headway -v").out, shell("headway --version").out);
  EXPECT_EQ(shell("headway -V").out, shell("headway --version").out);
  EXPECT_EQ(shell("headway run -h").out, shell("headway run --help").out);
  EXPECT_EQ(shell("headway run small.toml -q -j 1").out,
            shell("headway run small.toml --quiet --jobs 1").out);
}

TEST_F(CommandLine, ReasonsBelowATableAreFewAndNotThereIfQuiet) {
  write("many.toml",
        "[network]\nk = 2\nn = 2\n[measure]\nwarmup = \"1 us\"\nduration = \"5 "
        "us\"\n[[traffic.flow]]\npattern = \"hotspot\"\n"
        "destination = 0\nfraction = 1\n[sweep]\n\"traffic.flow.load\" = { from = 0.5, to = 0.9, step = 0.05 "
        "}\n");
  const Outcome outcome = shell("headway run many.toml");
  EXPECT_THAT(outcome.out, HasSubstr("\n  load = 0.75: saturated: "));
  EXPECT_THAT(outcome.out, Not(HasSubstr("\n  load = 0.8: saturated: ")));
  EXPECT_THAT(outcome.out,
              HasSubstr("\n  ... and 3 more points: results.json of --out DIR has the reasons of all\n"));
  const Outcome quiet = shell("headway run many.toml --quiet");
  EXPECT_THAT(quiet.out, Not(HasSubstr("saturated: ")));
  EXPECT_THAT(outcome.out, StartsWith(quiet.out));
}

TEST_F(CommandLine, ResultsAreListedAndExplained) {
  EXPECT_THAT(shell("headway list metrics").out, HasSubstr("\n  accepted_load "));
  EXPECT_THAT(shell("headway list tables").out, HasSubstr("\n  per_link "));
  EXPECT_EQ(shell("headway list routing").out, shell("headway list routings").out);
  EXPECT_EQ(shell("headway list Routings").out, shell("headway list routings").out);
  EXPECT_EQ(shell("headway help CHECK").out, shell("headway help check").out);
  EXPECT_EQ(shell("headway explain Check").out, shell("headway explain check").out);
  EXPECT_THAT(shell("headway explain per_link").out, HasSubstr("\n  demand "));
  EXPECT_THAT(shell("headway explain limited_by").out, HasSubstr("\n  full load "));
  EXPECT_THAT(shell("headway explain status").out, StartsWith(shell("headway explain too_short").out));
  EXPECT_THAT(shell("headway explain round-robin").out,
              HasSubstr("round-robin: a value of switch.arbiter; "));
  EXPECT_THAT(shell("headway explain throughput").out, HasSubstr("\n  accepted_load "));
  // a command, and a command that has the name of a key
  EXPECT_THAT(shell("headway explain check").out, StartsWith("headway check: "));
  EXPECT_THAT(shell("headway explain trace").out,
              AllOf(StartsWith("traffic.trace: "), HasSubstr("'headway help trace' explains it")));
}

TEST_F(CommandLine, AnEmptySpecIsValidAndSaidToBeEmpty) {
  write("empty.toml", "# nothing\n");
  const Outcome outcome = shell("headway check empty.toml");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("warning: empty.toml is empty: every key has its default value"));
}

TEST_F(CommandLine, EveryOptionSaysWhichValueItNeeds) {
  for (const cli::Command& command : cli::commands())
    for (const cli::Flag& flag : command.flags) {
      if (flag.value().empty() || !flag.needs_value()) continue;
      const Outcome outcome = shell(fmt::format("headway {} {}", command.name, flag.name()));
      EXPECT_EQ(outcome.code, 2);
      EXPECT_THAT(outcome.err, StartsWith(fmt::format("error: {} needs a value, {}: {}\n", flag.name(),
                                                      flag.value(), flag.help)));
    }
}

TEST_F(CommandLine, EveryCommandHasHelpWithExamplesThatParse) {
  for (const cli::Command& command : cli::commands()) {
    const Outcome outcome = shell("headway " + std::string(command.name) + " --help");
    EXPECT_EQ(outcome.code, 0) << command.name;
    EXPECT_THAT(outcome.err, IsEmpty());
    EXPECT_THAT(command.examples, Not(IsEmpty())) << command.name;
    for (const cli::Flag& flag : command.flags) EXPECT_THAT(outcome.out, HasSubstr(flag.name()));
    for (const cli::Example& example : command.examples) EXPECT_THAT(outcome.out, HasSubstr(example.command));
    EXPECT_EQ(shell("headway help " + std::string(command.name)).out, outcome.out);
  }
}

TEST_F(CommandLine, OverviewShowsEveryCommandAndFailsWithoutOne) {
  const Outcome help = shell("headway --help");
  EXPECT_EQ(help.code, 0);
  for (const cli::Command& command : cli::commands()) EXPECT_THAT(help.out, HasSubstr(command.name));
  EXPECT_EQ(shell("headway").code, 2);
  EXPECT_THAT(shell("headway --version").out, StartsWith("headway " + std::string(version()) + " ("));
}

TEST_F(CommandLine, ManPageAndMarkdownKnowEveryFlag) {
  const std::string markdown = shell("headway help --markdown").out;
  EXPECT_THAT(markdown, AllOf(HasSubstr("[-o|--out DIR]"), HasSubstr("| `-o, --out DIR` |")));
  const std::string man = shell("headway help --man").out;
  for (const cli::Command& command : cli::commands()) {
    EXPECT_THAT(markdown, HasSubstr("## headway " + std::string(command.name)));
    for (const cli::Flag& flag : command.flags) {
      EXPECT_THAT(markdown, HasSubstr(flag.help));
      std::string dashed;
      for (const char c : flag.name()) dashed += c == '-' ? std::string("\\-") : std::string(1, c);
      EXPECT_THAT(man, HasSubstr(dashed));
    }
  }
}

TEST_F(CommandLine, ASpecMayComeFromStandardInput) {
  write("small.toml", "[network]\nk = 2\nn = 2\n[measure]\nwarmup = \"2 us\"\nduration = \"5 us\"\n");
  EXPECT_EQ(shell("headway run - --json <small.toml").out, shell("headway run small.toml --json").out);
  EXPECT_EQ(shell("headway run - -o out <small.toml").code, 0);
  EXPECT_EQ(read("out/results.json"), shell("headway run small.toml --json").out);
  const Outcome wrong = shell("echo 'netwrk = 1' | headway check -");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("standard input:1:1: netwrk: unknown key; did you mean \"network\"?"));
}

TEST_F(CommandLine, ListsFamiliesAndNames) {
  const std::string all = shell("headway list").out;
  for (const char* name : {"k-ary-n-tree", "random-up", "obqa", "hotspot", "poisson", "oldest-first"})
    EXPECT_THAT(all, HasSubstr(name));
  EXPECT_EQ(shell("headway list schemes").out, shell("headway list scheme").out);
  EXPECT_THAT(shell("headway list arbiters").out, HasSubstr("round-robin"));
  EXPECT_THAT(shell("headway list arbiters").out, Not(HasSubstr("obqa")));
  EXPECT_THAT(shell("headway explain traffic.trace").out, HasSubstr("traffic.trace.acknowledgement  "));
}

// `./dev docs` writes the generated pages.
TEST_F(CommandLine, GeneratedDocsAreFresh) {
  const std::string docs = std::string(kSourceDir) + "/docs/";
  EXPECT_EQ(shell("headway help --markdown | diff " + docs + "cli.md -").out, "");
  for (const std::string page : {"keys", "families", "metrics", "steps"})
    EXPECT_EQ(shell("headway explain --markdown " + page + " | diff " + docs + page + ".md -").out, "");
}

TEST_F(CommandLine, TheManPageIsCleanRoff) {
  if (shell("command -v man").code != 0) GTEST_SKIP() << "no man";
  const Outcome outcome =
      shell("headway help --man >headway.1; LC_ALL=C.UTF-8 MANROFFSEQ= man --warnings -l headway.1");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, IsEmpty());
  EXPECT_THAT(outcome.out, HasSubstr("EXIT STATUS"));
}

TEST_F(CommandLine, BashCompletesCommandsFlagsAndNames) {
  EXPECT_EQ(complete("headway r", 1), "run\n");
  EXPECT_EQ(complete("headway run my.toml --jo", 3), "--jobs\n");
  EXPECT_EQ(complete("headway explain switch.sche", 2), "switch.scheme\n");
  EXPECT_EQ(complete("headway completion f", 2), "fish\n");
  shell("mkdir results; touch result");
  EXPECT_EQ(complete("headway view res", 2), "results\n");
  EXPECT_EQ(complete("headway why res", 2), "result results\n");
}

TEST_F(CommandLine, BashCompletesSettings) {
  // Bash passes KEY=VALUE as three words or as one.
  EXPECT_EQ(complete("headway run my.toml --set switch.sche", 4), "switch.scheme=\n");
  EXPECT_EQ(complete("headway check my.toml --set switch.scheme = ob", 6), "obqa\n");
  EXPECT_TRUE(complete("headway saturation my.toml --set kernel =", 5).starts_with("event-driven slotted"));
  EXPECT_EQ(complete("headway run my.toml --set kernel=s", 4), "kernel=slotted\n");
  EXPECT_EQ(complete("headway run my.toml --set = kernel = s", 7), "slotted\n");
  EXPECT_EQ(complete("headway run my.toml --set measure.tables = per-p", 6), "per-pair\n");
  EXPECT_EQ(complete("headway run my.toml --set traffic.trace.skip_bad = t", 6), "true\n");
  EXPECT_EQ(complete("headway run my.toml --set kernel = slotted --js", 7), "--json\n");
  EXPECT_EQ(complete("headway trace make x.csv --set skip_b", 5), "skip_bad=\n");
  EXPECT_EQ(complete("headway trace make x.csv --set skip_bad = f", 7), "false\n");
}

TEST_F(CommandLine, JsonIsOneDocumentAndNothingElse) {
  write("small.toml", kSmall);
  const Outcome outcome = shell("headway run small.toml --json");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, IsEmpty());
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["headway"], version());
  EXPECT_EQ(json["spec"]["network"]["k"], 2);
  ASSERT_EQ(json["points"].size(), 4U);
  const auto& point = json["points"][3];
  EXPECT_EQ(point["params"]["switch.scheme"], "obqa");
  EXPECT_EQ(point["params"]["traffic.flow.load"], 1.0);
  EXPECT_EQ(point["seed"], 1);
  EXPECT_TRUE(point["status"].is_string());
  for (const char* metric : {"offered_load", "accepted_load", "network_efficiency", "latency_mean_ns",
                             "latency_p99_ns", "network_latency_mean_ns", "packets_delivered", "packet_hops"})
    EXPECT_TRUE(point["metrics"][metric].is_number()) << metric;
  EXPECT_TRUE(point["series"]["time_ns"].is_array());
}

TEST_F(CommandLine, ResultsHaveWhatSchemesCostAndTheTerminalIfAsked) {
  write("small.toml", kSmall);
  const std::string asked =
      "headway run small.toml --set traffic.flow.load=0.3 --set 'measure.tables=[\"cost\"]'";
  const std::string table = shell(asked).out;
  // what does not fit into the table is named below it
  for (const Metric& metric : cost_metrics()) EXPECT_THAT(table, HasSubstr(metric.name));
  EXPECT_LE(table.find('\n'), 140U);
  EXPECT_THAT(table, HasSubstr("not shown: "));
  const std::string usual = "headway run small.toml --set traffic.flow.load=0.3";
  EXPECT_THAT(shell(usual).out, Not(HasSubstr("queues_per_port")));
  // files always contain this value, so that runs can be compared later
  const auto json = nlohmann::json::parse(shell(usual + " --json --out out").out);
  EXPECT_EQ(json["points"][0]["metrics"]["queues_per_port"], 1);
  EXPECT_EQ(json["points"][1]["metrics"]["queues_per_port"], 4);
  EXPECT_EQ(json["points"][1]["metrics"]["published_area_mm2"], 0.00647);
  EXPECT_THAT(read("out/results.csv"), HasSubstr(",queues_per_port,cam_lines_per_port,port_memory_bytes,"));
}

TEST_F(CommandLine, FlowsHaveATableAndMetricsOfTheirOwn) {
  write("flows.toml",
        "[network]\nk = 2\nn = 2\n[measure]\nwarmup = \"2 us\"\nduration = \"20 us\"\n"
        "[[traffic.flow]]\nload = 0.3\n"
        "[[traffic.flow]]\nname = \"storage\"\nload = 0.2\nmessage = \"1 KiB\"\npattern = \"hotspot\"\n"
        "destination = 1\n");
  const std::string run = "headway run flows.toml ";
  const std::string out = shell(run).out;
  EXPECT_THAT(out, HasSubstr("\nflow     offered_load  accepted_load  latency_mean_ns  latency_p99_ns  "
                             "slowdown_p99\nflow 0 "));
  EXPECT_THAT(out, HasSubstr("\nstorage "));
  const auto metrics = nlohmann::json::parse(shell(run + "--json").out)["points"][0]["metrics"];
  EXPECT_GT(metrics["storage.latency_mean_ns"], metrics["flow 0.latency_mean_ns"]);
  const std::string until = "--set 'seeds={ until = \"NAME\", relative = 0.5, at_least = 2, at_most = 3 }'";
  const auto with = [&](const std::string& name) {
    std::string text = until;
    return run + text.replace(text.find("NAME"), 4, name);
  };
  EXPECT_THAT(shell(with("storage.accepted_load")).out, HasSubstr("storage "));
  EXPECT_THAT(
      shell(with("storge.accepted_load")).err,
      HasSubstr("there is no metric \"storge.accepted_load\"; did you mean \"storage.accepted_load\"?"));
}

TEST_F(CommandLine, ExplainsTheStatusOfARun) {
  EXPECT_THAT(shell("headway explain status").out,
              HasSubstr("\n  unfinished  jobs were not done at measure.limit\n"));
}

TEST_F(CommandLine, JobsThatRunAloneTooHaveASlowdown) {
  write("jobs.toml",
        "network = { topology = \"single-switch\", nodes = 4 }\n"
        "[[traffic.job]]\nname = \"sync\"\nsize = \"4 KiB\"\n"
        "[[traffic.job]]\nprogram = \"incast\"\nsenders = 3\n");
  const std::string run = "headway run jobs.toml ";
  EXPECT_THAT(shell(run).out, Not(HasSubstr("slowdown  ")));
  EXPECT_THAT(shell(run + "--alone").out, HasSubstr("\njob    completion_ns   alone_ns   slowdown\nsync "));
  const auto metrics = nlohmann::json::parse(shell(run + "--alone --json").out)["points"][0]["metrics"];
  EXPECT_GT(metrics["sync.slowdown"], 1);
  EXPECT_EQ(shell(run + "--alone --set 'seeds={ until = \"sync.slowdown\", relative = 0.5 }'").code, 0);
  EXPECT_THAT(shell("headway run jobs.toml --alone --set traffic.job.background=true").err,
              HasSubstr("measure.alone: there is no job that could be run alone"));
}

TEST_F(CommandLine, TheSameBytesFromAnyNumberOfJobs) {
  write("small.toml", kSmall);
  const std::string one = shell("headway run small.toml --json --jobs 1 --set seeds=2").out;
  EXPECT_THAT(one, Not(IsEmpty()));
  EXPECT_EQ(shell("headway run small.toml --json --jobs 4 --set seeds=2").out, one);
  EXPECT_EQ(shell("headway run small.toml --jobs 1").out, shell("headway run small.toml --jobs 3").out);
}

TEST_F(CommandLine, ATableHasARowPerPointAndMarksWhatDidNotSettle) {
  write("small.toml", kSmall);
  const Outcome outcome = shell("headway run small.toml --set measure.duration='\"100 us\"'");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, StartsWith("scheme  load  status"));
  EXPECT_THAT(outcome.out, HasSubstr("1q      1.0   saturated"));
  EXPECT_THAT(outcome.out, HasSubstr("* not a steady state"));
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST_F(CommandLine, SetAndSeedChangeTheSpec) {
  write("small.toml", kSmall);
  const auto json = nlohmann::json::parse(
      shell("headway run small.toml --json --seed 9 --set switch.scheme=dbbm --set switch.queues=2 "
            "--set traffic.flow.load=0.4")
          .out);
  EXPECT_EQ(json["points"].size(), 1U);
  EXPECT_EQ(json["points"][0]["seed"], 9);
  EXPECT_EQ(json["spec"]["switch"]["scheme"], "dbbm");
}

TEST_F(CommandLine, CheckReportsEveryMistakeAndRunsNothing) {
  write("bad.toml",
        "[network]\ntopologie = \"mesh\"\n[switch]\nscheme = \"obqq\"\ninput_memory = \"4 kg\"\n");
  const Outcome outcome = shell("headway check bad.toml");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("bad.toml:2:1"));
  EXPECT_THAT(outcome.err, HasSubstr("bad.toml:4:"));
  EXPECT_THAT(outcome.err, HasSubstr("bad.toml:5:"));
  EXPECT_EQ(shell("headway run bad.toml").err, outcome.err);
  write("small.toml", kSmall);
  const Outcome fine = shell("headway check small.toml");
  EXPECT_EQ(fine.code, 0);
  EXPECT_THAT(fine.out + fine.err, IsEmpty());
  EXPECT_EQ(
      shell("headway check small.toml --resolved >r.toml && headway check r.toml --resolved | cmp - r.toml")
          .code,
      0);
}

// The numbers depend on the machine.
TEST_F(CommandLine, CheckSaysWhatRunsCost) {
  write("small.toml", kSmall);
  const Outcome two = shell(
      "headway check small.toml --set switch.scheme=1q --set traffic.flow.load=0.3 --set seed=[1,2] --cost");
  EXPECT_EQ(two.code, 0);
  EXPECT_THAT(two.out,
              testing::ContainsRegex("point +processor time +memory\nseed = 1 .* s +[0-9]+ MiB\nseed = 2 "));
  EXPECT_THAT(two.out, HasSubstr("\ntogether "));
  for (const std::string search : {"", " --saturation"})
    EXPECT_THAT(shell("headway check small.toml --json" + search).out,
                AllOf(HasSubstr("\"packet_hops\": "), HasSubstr("\"most_cpu_s\": "),
                      HasSubstr("\"memory_bytes\": ")));
  EXPECT_THAT(shell("script -qec \"headway check small.toml\" /dev/null").out,
              HasSubstr("of processor time"));
}

// Runs with flows alone have nothing that could be skipped, and short messages lose little.
TEST_F(CommandLine, LongMessagesThatAreNotSkippedHaveAReason) {
  if (shell("command -v script").code != 0) GTEST_SKIP() << "no pseudo-terminal";
  const std::string network = "[network]\nk = 4\nn = 2\n";
  const auto job = [](const std::string& size) {
    return "[[traffic.job]]\nprogram = \"broadcast\"\nranks = 4\nsize = \"" + size +
           "\"\n[measure]\nuntil = \"done\"\n";
  };
  const std::string flow = "[[traffic.flow]]\narrivals = \"saturated\"\n[traffic]\npacket = \"1 KiB\"\n";
  const auto says = [&](const std::string& command, const std::string& traffic) {
    write("jobs.toml", network + traffic);
    const Outcome outcome = shell("script -qec 'headway " + command + " jobs.toml' /dev/null");
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    return std::regex_replace(outcome.out, std::regex("\r"), "");
  };
  const std::string reason = ", because a flow beside jobs is saturated\n";
  EXPECT_THAT(says("check", flow + job("2 MiB")),
              HasSubstr("\nevery packet of the long messages is simulated" + reason));
  EXPECT_THAT(says("check --cost", flow + job("2 MiB")), HasSubstr("is simulated" + reason));
  EXPECT_THAT(says("check --json", flow + job("2 MiB")),
              HasSubstr("\"no_skip\": \"a flow beside jobs is saturated\""));
  EXPECT_THAT(says("run", flow + job("2 MiB")),
              HasSubstr("\nevery packet of the long messages was simulated" + reason));
  const auto silent = Not(HasSubstr("long messages"));
  EXPECT_THAT(says("check", job("2 MiB")), HasSubstr("\nless if the traffic of long messages repeats"));
  EXPECT_THAT(says("run", job("2 MiB")), silent);
  EXPECT_THAT(says("run --no-skip", flow + job("2 MiB")), silent);
  for (const std::string command : {"check", "run"}) {
    EXPECT_THAT(says(command, flow + job("64 KiB")), silent);
    EXPECT_THAT(says(command, flow + "[measure]\nduration = \"20 us\"\n"), silent);
  }
}

TEST_F(CommandLine, AClosedPipeIsNoError) {
  EXPECT_EQ(shell("headway explain --markdown keys | head -n 1; exit ${PIPESTATUS[0]}").code, 0);
  EXPECT_EQ(shell("headway list >&-; exit 0").code, 0);
}

TEST_F(CommandLine, AFullDiskIsReported) {
  write("small.toml", kSmall);
  for (const std::string command :
       {"headway list", "headway run small.toml", "headway run small.toml --json"}) {
    const Outcome outcome = shell(command + " >/dev/full");
    EXPECT_EQ(outcome.code, 1) << command;
    EXPECT_THAT(outcome.err, HasSubstr("cannot write to standard output: No space left on device"))
        << command;
  }
}

TEST_F(CommandLine, ColoursAreForTerminalsThatWantThem) {
  const std::string plain = shell("headway --help").out;
  EXPECT_THAT(plain, Not(HasSubstr("\x1b[")));
  if (shell("command -v script").code != 0) GTEST_SKIP() << "no pseudo-terminal";
  EXPECT_THAT(shell("TERM=xterm NO_COLOR= script -qec 'headway --help' /dev/null").out, HasSubstr("\x1b[1m"));
  EXPECT_THAT(shell("TERM=xterm NO_COLOR=1 script -qec 'headway --help' /dev/null").out,
              Not(HasSubstr("\x1b[")));
}

TEST_F(CommandLine, ATerminalSeesProgressAndQuietHidesIt) {
  write("small.toml", kSmall);
  if (shell("command -v script").code != 0) GTEST_SKIP() << "no pseudo-terminal";
  EXPECT_THAT(shell("script -qec 'headway run small.toml' /dev/null").out, HasSubstr("4 points in "));
  EXPECT_THAT(shell("script -qec 'headway run small.toml --quiet' /dev/null").out,
              Not(HasSubstr("4 points in ")));
}

}  // namespace
}  // namespace headway::test
