// SPDX-License-Identifier: Apache-2.0
// Cases of fuzzing in child processes, so that a signal, a hang and memory without end are findings as any
// other. One child runs many cases; the next begins behind the case that ended it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace headway::test {

struct Finding {
  std::uint64_t number;  // of the case
  std::string what;
};

// What is wrong with a case, or nothing. An exception that leaves it is wrong, too.
using Case = std::function<std::string(std::uint64_t number)>;

// Runs the cases 0 .. cases-1. Each may take 5 s of processor time and 1 GiB more memory than the process has
// now; builds with checks get more. With HEADWAY_FUZZ_CASE=N only case N runs, in this process: for a
// debugger.
std::vector<Finding> run_in_children(std::uint64_t cases, const Case& one);

// How many cases a test runs: `few`, or in the long form (HEADWAY_FUZZ=long) `many`.
std::uint64_t cases(std::uint64_t few, std::uint64_t many);

// Fails the test that calls it with what was found, and `input_of` the case.
void expect_none(const std::vector<Finding>& findings,
                 const std::function<std::string(std::uint64_t number)>& input_of);

// As many characters as a report can hold.
std::string shortened(std::string_view text);

}  // namespace headway::test
