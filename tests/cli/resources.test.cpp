// SPDX-License-Identifier: Apache-2.0
// Little memory, signals in the middle of long work, and outputs that are not plain files.
#include <gmock/gmock.h>

#include "tests/cli/shell.h"
#include "tests/support/sanitizer.h"

namespace headway::test {
namespace {

using ::testing::HasSubstr;

constexpr bool kHasShadowMemory = kAddressSanitizer || kThreadSanitizer;

class Resources : public ShellTest {
 protected:
  void write_hot(std::string_view duration) const {
    write("hot.toml", std::string(R"([network]
k = 2
n = 3
[[traffic.flow]]
pattern = "hotspot"
destination = 1
[observe]
waiting = true
keep = true
interval = "1 us"
[measure]
warmup = "0 us"
bin = "100 ns"
duration = ")") + std::string(duration) +
                          "\"\n");
  }

  void expect_no_abort(const std::string& command, int kilobytes_more) const {
    int failed = 0, succeeded = 0;
    for (int kilobytes = 10'000; kilobytes <= 200'000 && succeeded < 3; kilobytes += kilobytes_more) {
      const Outcome outcome = shell("ulimit -v " + std::to_string(kilobytes) + "; " + command);
      // Too little to load the program, or for the memory that the C++ runtime reserves for exceptions before
      // main().
      const bool starts =
          outcome.err.find("terminate called without an active exception") == std::string::npos;
      if (outcome.code == 127 || (failed == 0 && !starts)) continue;
      EXPECT_TRUE(outcome.code == 0 || outcome.code == 1)
          << command << ' ' << kilobytes << ": " << outcome.code;
      ++(outcome.code == 0 ? succeeded : failed);
      if (outcome.code != 0) EXPECT_THAT(outcome.err, HasSubstr("error: ")) << kilobytes;
    }
    EXPECT_TRUE(failed > 0 && succeeded > 0) << command;
  }

  // Sends SIGTERM while the command works; returns its code, which is 0 if it does all of its work
  // nevertheless.
  Outcome terminated(const std::string& command, double seconds) const {
    return shell(command + " & pid=$!; sleep " + std::to_string(seconds) + "\nkill -TERM $pid; wait $pid");
  }
};

// Runs the command in more and more memory, until it has succeeded three times. Whatever part of the work
// lacks memory, the program says so; it does not abort.
TEST_F(Resources, ReadingResultsInLittleMemoryIsAnErrorWithAMessage) {
  if (kHasShadowMemory) GTEST_SKIP() << "a sanitizer's shadow does not fit any limit";
  write_hot("300 us");
  ASSERT_EQ(shell("headway run hot.toml --out out").code, 0);
  for (const char* const command : {"headway why out", "headway view out -o page.html"})
    expect_no_abort(command, 500);
}

// A link of this network is a million ticks long.
TEST_F(Resources, LinksOfManyTicksNeedNoMemory) {
  if (kHasShadowMemory) GTEST_SKIP() << "a sanitizer's shadow does not fit any limit";
  write_hot("20 us");
  const Outcome run =
      shell("ulimit -v 200000; headway run hot.toml --set 'network.link.delay=\"1.001001 us\"' --out out");
  EXPECT_EQ(run.code, 0) << run.err;
  const Outcome page = shell("ulimit -v 200000; headway view out -o page.html");
  EXPECT_EQ(page.code, 0) << page.err;
  const Outcome stored = shell("ulimit -v 200000; headway run out/spec.toml --out out");
  EXPECT_EQ(stored.code, 0) << stored.err;
}

TEST_F(Resources, ARunInLittleMemoryIsAnErrorWithAMessage) {
  if (kHasShadowMemory) GTEST_SKIP() << "a sanitizer's shadow does not fit any limit";
  write_hot("50 us");
  expect_no_abort("rm -rf out; headway run hot.toml --jobs 1 --out out --set 'seed=[1,2]'", 4'000);
}

// A tick in which a switch of many nodes generates its backlog, and one in which every invariant is checked.
TEST_F(Resources, SigtermEndsLongWork) {
  write("tick.toml", R"(network = { topology = "single-switch", nodes = 64 }
measure = { warmup = "0 us", duration = "10 us" }
traffic.flow = [{ arrivals = "saturated", backlog = 1_000_000, pattern = "hotspot" }]
)");
  write("building.toml", R"(network = { topology = "torus", sides = [24, 24, 24] }
routing = { algorithm = "dfsssp" }
measure = { warmup = "0 us", duration = "1 us" }
)");
  write("long.toml", R"(network = { topology = "single-switch", nodes = 4, link = { delay = "4.001 ns" } }
measure = { warmup = "0 us", duration = "1 s" }
traffic.flow = [{ load = 0.5 }]
)");
  for (const char* const command :
       {"headway run tick.toml", "headway run tick.toml --check", "headway run building.toml",
        "headway run long.toml --out out", "headway saturation long.toml", "headway check building.toml"}) {
    const Outcome outcome = terminated(command, 0.3);
    EXPECT_NE(outcome.code, 0) << command << outcome.err;
  }
}

TEST_F(Resources, AStuckRunLeavesTheFinishedResults) {
  write("my.toml", R"(network = { topology = "single-switch", nodes = 4, link = { delay = "4.001 ns" } }
measure = { warmup = "0 us", duration = "10 us" }
[sweep]
"measure.duration" = ["1 us", "1 s"]
)");
  const Outcome outcome = terminated("headway run my.toml --jobs 2 --out out", 0.5);
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("headway run my.toml --jobs 2 --out out"));
  EXPECT_THAT(read("out/results.json"), HasSubstr("\"status\""));
}

TEST_F(Resources, LinksAndPipesAreWrittenThrough) {
  write_hot("20 us");
  const Outcome outcome = shell(R"(set -e
headway run hot.toml --out out > log
mkdir elsewhere; ln -s elsewhere/page.html link.html
headway view out -o link.html
test -L link.html; test -s elsewhere/page.html
headway view out -o link.html; test -L link.html
mkfifo pipe; cat pipe > got & headway view out -o pipe; wait
test -p pipe; cmp got elsewhere/page.html; test ! -e pipe.tmp
)");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

}  // namespace
}  // namespace headway::test
