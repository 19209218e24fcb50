// SPDX-License-Identifier: Apache-2.0
// headway view makes a page from one or two runs, or says why it cannot. tests/browser opens such pages.
#include <fstream>

#include "tests/cli/repository.h"
#include "tests/cli/shell.h"

namespace headway::test {
namespace {

class View : public ShellTest {
 protected:
  void SetUp() override {
    ShellTest::SetUp();
    const std::string hot = repository_file("examples/hot.toml");
    write("hot.toml", hot + "waiting = true\nkeep = true\n");  // in its last table, observe
  }
  void run(const std::string& options) const { ASSERT_EQ(shell("headway run hot.toml " + options).code, 0); }
  void expect_refused(const std::string& arguments, const std::string& reason) const {
    const Outcome outcome = shell("headway view " + arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(reason)) << arguments;
  }
};

TEST_F(View, WritesAPageAndSaysWhere) {
  run("--out out");
  const Outcome outcome = shell("headway view out");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "out/view.html\n");
  EXPECT_THAT(read("out/view.html"), StartsWith("<!doctype html>"));
  EXPECT_EQ(shell("headway view out -o other.html").out, "other.html\n");
  EXPECT_EQ(read("other.html"), read("out/view.html"));
}

TEST_F(View, ComparesRunsAndPointsOfASweep) {
  run("--out a");
  run("--set switch.scheme=voqnet --out b");
  EXPECT_EQ(shell("headway view a b -o ab.html").code, 0);
  EXPECT_THAT(read("ab.html"), HasSubstr("id=\"run-1\""));
  write("sweep.toml", read("hot.toml") + "\n[sweep]\n\"switch.scheme\" = [\"1q\", \"voqnet\"]\n");
  ASSERT_EQ(shell("headway run sweep.toml --out s").code, 0);
  EXPECT_EQ(shell("headway view s s --point 1 --point 2 -o both.html").code, 0);
  EXPECT_EQ(shell("headway view s --point 2").code, 0);
  expect_refused("s --point 3", "s has 2 points, so there is no point 3");
  expect_refused("s --point 1 --point 2", "a second --point is for a second directory");
}

TEST_F(View, NumbersOfThePageAreExplained) {
  EXPECT_THAT(shell("headway explain occupancy").out, HasSubstr("of a snapshot; shown by headway view"));
}

TEST_F(View, RunsOfOnePageAreOfOneNetwork) {
  run("--out a");
  run("--set network.n=3 --out b");
  expect_refused("a b", "a and b are of different networks (network.n: 2 and 3)");
}

TEST_F(View, RunsWithoutSnapshotsAreRefusedWithWhatToDo) {
  run("--set observe.keep=false --out out");
  expect_refused("out", "--set observe.waiting=true --set observe.keep=true --out out");
  expect_refused("nowhere", "nowhere contains no results.json");
}

// It opens the page only if its output is a terminal and there is a desktop.
TEST_F(View, OpensThePageWhereThereIsADesktop) {
  run("--out out");
  ASSERT_EQ(shell("mkdir fake && printf '#!/bin/sh\necho \"$@\" >> opened\n' > fake/xdg-open && chmod +x "
                  "fake/xdg-open")
                .code,
            0);
  const auto opened_by = [&](const std::string& environment, const std::string& command) {
    const Outcome outcome =
        shell("rm -f opened; unset DISPLAY WAYLAND_DISPLAY; export PATH=$PWD/fake:$PATH " + environment +
              "\n" + command);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("view.html"));
    return read("opened");
  };
  const std::string at_terminal = "script -qec 'headway view out' /dev/null";
  const std::string page = (std::filesystem::canonical(directory_) / "out/view.html").string() + '\n';
  EXPECT_EQ(opened_by("DISPLAY=:7", at_terminal), page);
  EXPECT_EQ(opened_by("WAYLAND_DISPLAY=wayland-0", at_terminal), page);
  EXPECT_EQ(opened_by("", at_terminal), "");
  EXPECT_EQ(opened_by("DISPLAY=", at_terminal), "");
  EXPECT_EQ(opened_by("DISPLAY=:7", "headway view out"), "");  // output to a pipe or a file
  // the page is written even if no program can open it
  EXPECT_EQ(shell("unset WAYLAND_DISPLAY; export DISPLAY=:7 PATH=$(dirname $(command -v headway))\n"
                  "/usr/bin/script -qec 'headway view out' /dev/null")
                .code,
            0);
}

TEST_F(View, DamagedDirectoriesAreRefusedWithTheReason) {
  run("--out out");
  const std::string file = "out/snapshots/" + shell("printf %s $(ls out/snapshots)").out;
  const std::string snapshots = read(file), results = read("out/results.json");
  const auto with = [&](const std::string& name, const std::string& content, const std::string& reason) {
    std::ofstream(directory_ / name) << content;
    expect_refused("out", reason);
  };
  with(file, snapshots.substr(0, snapshots.size() / 2), "the file of snapshots is cut off");
  with(file, "headway snapshots 2\n", "another version of Headway");
  with(file, "something else", "not a file of snapshots");
  run("--set network.n=3 --out larger");
  with(file, shell("cat larger/snapshots/*").out, "the snapshots are of a network with 64 nodes");
  std::ofstream(directory_ / file) << snapshots;
  with("out/results.json", results.substr(0, results.size() / 2), "cannot read out/results.json");
  const std::size_t version = results.find(R"("headway": ")") + 12;
  const std::string of_the_future =
      results.substr(0, version) + "99.0" + results.substr(results.find('"', version));
  with("out/results.json", of_the_future,
       "cannot read out/results.json: Headway 99.0 wrote it, and this is ");
}

}  // namespace
}  // namespace headway::test
