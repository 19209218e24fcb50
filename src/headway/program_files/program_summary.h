// SPDX-License-Identifier: Apache-2.0
// What a program contains, without running it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "headway/base/wide.h"
#include "headway/programs/program.h"

namespace headway {

struct ProgramSummary {
  struct SizeClass {
    std::uint64_t messages = 0;
    Wide bytes = 0;
  };
  std::uint32_t ranks = 0;
  std::uint64_t sends = 0, receives = 0, computes = 0, requirements = 0;
  Wide bytes = 0;                  // of all messages
  double compute_ps = 0;           // of all computes
  std::uint64_t own_messages = 0;  // of a rank to itself
  std::uint32_t cpus = 0;          // the largest number of a CPU, and one
  std::uint32_t largest_rank = 0;  // the one with most operations
  std::uint32_t operations_of_largest = 0;
  std::uint64_t depth = 0;  // operations of the longest chain in which each waits for the one before
  // By the smallest size of the class: messages of at least this and less than twice as many bytes, or of 0.
  std::map<std::uint64_t, SizeClass> sizes;
};

// The program must not have a cycle.
ProgramSummary summary_of(const Program& program);

std::string summary_page(const ProgramSummary& summary, std::string_view kind);

}  // namespace headway
