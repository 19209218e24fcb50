// SPDX-License-Identifier: Apache-2.0
// Runs the built program as a user would: in a shell, in a directory for this test only.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace headway::test {

// What the tests of the program say about its output.
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

struct Outcome {
  int code = 0;  // the exit code, as the shell sees it: 128 + signal for a killed program
  std::string out;
  std::string err;
};

// From here on, a background program of the script gets Ctrl-C, as in a terminal. Otherwise shells make it
// ignore SIGINT.
inline constexpr char kJobControl[] = "set -m\n";

// Waits until the program $pid catches SIGINT or has ended. The bit of SIGINT is in the last digit of the
// mask.
inline constexpr char kUntilItCatchesInterrupts[] =
    "until grep -q '^SigCgt:.*[2367abef]$' /proc/$pid/status || ! kill -0 $pid; do sleep 0.01; done\n";

// A directory that is removed at the end, with "headway" first on the PATH of its commands.
class ShellTest : public ::testing::Test {
 protected:
  ShellTest();
  ~ShellTest() override;

  Outcome shell(std::string_view script) const;  // runs in bash
  void write(std::string_view name, std::string_view content) const;
  std::string read(std::string_view name) const;

  std::filesystem::path directory_;
};

}  // namespace headway::test
