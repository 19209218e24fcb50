// SPDX-License-Identifier: Apache-2.0
// Runs fuzzing cases in child processes, so that signals, hangs and unbounded memory are reported like other
// findings. One child runs many cases. After a case that ends it, a new child continues with the next one.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace headway::test {

struct Finding {
  std::uint64_t number;  // number of the case
  std::string what;
};

// Returns what is wrong with a case, or an empty string. An escaping exception is a finding, too.
using Case = std::function<std::string(std::uint64_t number)>;

// Runs the cases 0 .. cases-1. Each may take 5 s of processor time and 1 GiB more memory than the process has
// now; builds with checks get more. With HEADWAY_FUZZ_CASE=N only case N runs, in this process, for use with
// a debugger.
std::vector<Finding> run_in_children(std::uint64_t cases, const Case& one);

// How many cases a test runs: `few`, or in the long form (HEADWAY_FUZZ=long) `many`.
std::uint64_t cases(std::uint64_t few, std::uint64_t many);

// Fails the calling test if there are findings, and shows each with `input_of` its case.
void expect_none(const std::vector<Finding>& findings,
                 const std::function<std::string(std::uint64_t number)>& input_of);

// Cut to the number of characters that a report can hold.
std::string shortened(std::string_view text);

}  // namespace headway::test
