// SPDX-License-Identifier: Apache-2.0
// Flows that start at given times, as a program: CPU 1 of a rank is its clock, a chain of computes, each from
// one start to the next, and a send requires the compute that ends at its start. So every flow starts at its
// own time, whatever the others do.
#pragma once

#include <cstdint>
#include <vector>

#include "headway/programs/builder.h"

namespace headway {

class Clocks {
 public:
  static constexpr std::uint8_t kCpu = 1;

  explicit Clocks(ProgramBuilder& builder) : builder_(builder), clocks_(builder.ranks()) {}

  // The operation of the rank that ends this long after the beginning; kNone for the beginning. The times of
  // a rank must ascend.
  std::uint32_t at(std::uint32_t rank, std::uint64_t picoseconds, std::uint32_t place) {
    Clock& clock = clocks_[rank];
    if (picoseconds > clock.time) {
      const std::uint32_t next = builder_.compute(rank, picoseconds - clock.time, kCpu, place);
      if (clock.op != kNone) builder_.require(rank, next, clock.op);
      clock = {picoseconds, next};
    }
    return clock.op;
  }

 private:
  struct Clock {
    std::uint64_t time = 0;
    std::uint32_t op = kNone;  // the compute that ends then
  };
  ProgramBuilder& builder_;
  std::vector<Clock> clocks_;  // [rank]
};

}  // namespace headway
