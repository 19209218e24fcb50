// SPDX-License-Identifier: Apache-2.0
// Excessive sizes and times: they are refused with their place in the spec, or the run is stopped and keeps
// its results so far.
#include "tests/cli/shell.h"
#include "tests/support/sanitizer.h"

namespace headway::test {
namespace {

class Limits : public ShellTest {};

TEST_F(Limits, MistakesHaveAPlaceHoweverLargeTheNumbersAre) {
  write(
      "points.toml", "[sweep]\nseed = [" +
                         [] {
                           std::string list;
                           for (int i = 0; i < 1001; ++i)
                             list += std::to_string(i) + (i % 100 == 99 ? ",\n" : ",");
                           return list;
                         }() +
                         "]\n\"switch.input_memory\" = [" +
                         [] {
                           std::string list;
                           for (int i = 0; i < 1001; ++i)
                             list += "\"" + std::to_string(64 * (i + 1)) + " B\",\n";
                           return list;
                         }() +
                         "]\n");
  write("units.toml", "units = 3\n");
  write("cycle.toml", "units.cycle = \"4000000 s\"\nmeasure.warmup = \"3000 cycles\"\n");
  write("seeds.toml", "seed = 9000000000000000\nseeds = 2\n");
  struct Case {
    std::string_view file, message;
  };
  for (const auto& [file, message] :
       {Case{"points.toml", "error: points.toml:1:1: sweep: has more than 1000000 points"},
        {"units.toml", "error: units.toml:1:9: units: must be a table, not 3"},
        {"cycle.toml",
         "error: cycle.toml:2:18: measure.warmup: \"3000 cycles\" is too large to compute with"},
        {"seeds.toml", "error: seeds.toml:1:8: seed: 9000000000000000 is too large for 2 seeds"}})
    for (const std::string_view command : {"check", "run"}) {
      const Outcome outcome = shell("headway " + std::string(command) + ' ' + std::string(file));
      EXPECT_EQ(outcome.code, 2) << file;
      EXPECT_THAT(outcome.err, StartsWith(std::string(message)));
    }
}

constexpr bool kNeedsTerabytes = test::kAddressSanitizer || test::kThreadSanitizer;

// A sweep of 330,000 points: over seeds only, and over seeds and ten loads.
#ifdef NDEBUG
constexpr std::string_view kSeconds = "5";  // processor time
#else
constexpr std::string_view kSeconds = "30";  // unoptimised code takes several times as long
#endif

TEST_F(Limits, ALongSweepIsCheckedInSecondsAndLittleMemory) {
  if (kNeedsTerabytes) GTEST_SKIP() << "a sanitizer's shadow does not fit any limit";
  const auto sweep = [](int seeds, const std::string& more) {
    std::string text = "measure = { warmup = \"1 us\", duration = \"10 us\" }\n[sweep]\n" + more + "seed = [";
    for (int seed = 0; seed < seeds; ++seed) text += std::to_string(seed) + ", ";
    return text + "]\n";
  };
  write("seeds.toml", sweep(330'000, ""));
  write("loads.toml",
        sweep(33'000, "\"traffic.flow.load\" = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]\n"));
  for (const std::string file : {"seeds.toml", "loads.toml"}) {
    const Outcome outcome =
        shell("ulimit -t " + std::string(kSeconds) + "; ulimit -v 1000000; headway check " + file);
    EXPECT_EQ(outcome.code, 0) << file << outcome.err;
  }
}

constexpr std::string_view kFlow = R"([network]
k = 2
n = 2
[measure]
warmup = "1 us"
duration = "10 us"
[[traffic.flow]]
load = 0.5
)";

TEST_F(Limits, ASettingIsWhatIsSimulatedOrRefused) {
  write("my.toml", std::string(kFlow) + "[sweep]\n\"traffic.flow[0].load\" = [0.5, 0.9]\n");
  const Outcome one = shell("headway run my.toml --set traffic.flow.load=0.3");
  EXPECT_EQ(one.code, 0);
  EXPECT_THAT(one.out, AllOf(StartsWith("status"), Not(HasSubstr("0.9 "))));
  EXPECT_EQ(shell("headway run my.toml --set 'traffic.flow[0].load=0.3'").out, one.out);
  const Outcome added = shell("headway check my.toml --set 'traffic.flow[1].load=0.3'");
  EXPECT_EQ(added.code, 2);
  EXPECT_THAT(added.err, HasSubstr("there is no flow[1]"));
}

// Sixty-four nodes send to one. If all offered messages, 1 per ns, were stored, they would fill a gigabyte in
// 30 ms.
constexpr std::string_view kOverload = R"([network]
topology = "single-switch"
nodes = 64
[measure]
warmup = "0 us"
duration = "100 ms"
[[traffic.flow]]
pattern = "hotspot"
destination = 0
load = 0.01
[sweep]
"traffic.flow.load" = [0.0001, 1.0]
)";

TEST_F(Limits, ARunIsStoppedBeforeTheMemoryIsFullAndTheOthersAreKept) {
  if (kNeedsTerabytes) GTEST_SKIP() << "a sanitizer's shadow does not fit any limit";
  // nodes with a limit store all waiting messages
  write("overload.toml", std::string("node.admittance_limit = \"1000 GiB\"\n").append(kOverload));
  const Outcome outcome = shell("ulimit -v 600000; headway run overload.toml --jobs 1 --out results");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("warning: a run whose offered load exceeds what the network accepts can"),
                    HasSubstr("1 of 2 runs finished and saved in results"),
                    HasSubstr("error: at traffic.flow.load = 1.0, seed 1: stopped at "),
                    Not(HasSubstr("fewer jobs"))));
  EXPECT_EQ(shell("grep -c '\"key\"' results/journal.jsonl").out, "1\n");
}

TEST_F(Limits, JobsWhoseMessagesAreTooManyAreTold) {
  if (kNeedsTerabytes) GTEST_SKIP() << "a sanitizer's shadow does not fit any limit";
  write("linear.toml", R"(network = { topology = "pgft", radix = 64, nodes = 2048 }
[[traffic.job]]
program = "all-to-all"
size = "4 KiB"
algorithm = "linear"
)");
  const Outcome outcome = shell("ulimit -v 600000; headway run linear.toml");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(
      outcome.err,
      AllOf(HasSubstr("warning: a run whose jobs have all the messages open that they can have can need"),
            HasSubstr("a window with fewer messages at a time")));
}

TEST_F(Limits, OverloadAloneFillsNoMemory) {
  if (kNeedsTerabytes) GTEST_SKIP() << "a sanitizer's shadow does not fit any limit";
  write("overload.toml", kOverload);
  const Outcome outcome =
      shell("ulimit -v 600000; headway run overload.toml --jobs 1 --set 'measure.duration=40 ms'");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err.find("warning"), std::string::npos) << outcome.err;
}

// Eight gigabytes of blank lines, compressed, take minutes to read.
TEST_F(Limits, ATraceOfBlankLinesIsGivenUpWhenAsked) {
  write("blank.toml", R"([network]
k = 2
n = 2
[traffic.trace]
file = "blank.csv.gz"
[measure]
warmup = "0 us"
duration = "10 us"
)");
  shell(
      "echo 'time_us,source,destination,bytes' | gzip >blank.csv.gz; echo '1,2,3,64' | gzip >>blank.csv.gz;"
      "head -c 64M /dev/zero | tr '\\0' '\\n' | gzip >some.gz; for i in {1..128}; do cat some.gz; done "
      ">>blank.csv.gz");
  EXPECT_EQ(shell("timeout 5 headway check blank.toml").code, 0);
  EXPECT_EQ(shell("timeout --preserve-status -s INT -k 5 1 headway run blank.toml").code, 130);
}

TEST_F(Limits, ANameWithAZeroDoesNotCutTheMessage) {
  write("my.toml", "[traffic.trace]\nfile = \"t.csv\"\n[measure]\nwarmup = \"0 us\"\n");
  write("t.csv", std::string_view("time_us,sou\0rce,destination,bytes\n1,2,3,4\n", 42));
  EXPECT_THAT(shell("headway check my.toml").err,
              AllOf(HasSubstr("'sou\\x00rce', is unknown"), HasSubstr("the header must name the columns")));
}

}  // namespace
}  // namespace headway::test
