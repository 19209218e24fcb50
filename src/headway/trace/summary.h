// SPDX-License-Identifier: Apache-2.0
// What a trace is, in one pass and bounded memory: how long, how much, in which sizes, how bursty, and what
// it would put on the links of a network at any compression.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "headway/base/histogram.h"
#include "headway/trace/replay.h"

namespace headway {

// Amounts over time in at most kBins bins of equal width, which doubles whenever the trace outgrows them.
class TimeBins {
 public:
  static constexpr std::size_t kBins = 512;
  explicit TimeBins(std::size_t rows) : values_(rows * kBins) {}

  void add(std::size_t row, TraceTime time, std::uint64_t amount);
  TraceTime width() const { return width_; }
  std::size_t used() const { return used_; }  // bins up to the last that holds something
  std::uint64_t at(std::size_t row, std::size_t bin) const { return values_[row * kBins + bin]; }

 private:
  std::vector<std::uint64_t> values_;  // [row][bin]
  TraceTime width_ = kMicrosecond;
  std::size_t used_ = 0;
};

struct TraceSummary {
  explicit TraceSummary(std::uint32_t nodes)
      : in(nodes), out(nodes), bytes_in(nodes), bytes_out(nodes), counts(1) {}

  std::uint64_t records = 0, skipped = 0, passed_over = 0;  // of the file up to the end of the window
  std::uint64_t messages = 0, bytes = 0;                    // that the window makes, placed on nodes
  TraceTime length = 0;                                     // of the window
  Histogram sizes;                                          // of messages
  std::vector<std::uint64_t> in, out;                       // [node] bytes
  TimeBins bytes_in, bytes_out;                             // row: node
  TimeBins counts;                                          // messages

  // The node with most bytes in or out, and which of the two it is.
  struct Hottest {
    NodeId node = 0;
    bool into = true;
    std::uint64_t bytes = 0;
  };
  Hottest hottest() const;
  // Variance over mean of the number of messages in windows of that many bins: 1 for a Poisson process at
  // every width, growing with the width for traffic that is bursty on all scales.
  double dispersion(std::size_t bins) const;
};

// `progress` is called now and then with what is known so far.
TraceSummary summarise(const TraceWindow& window,
                       const std::function<void(const TraceSummary&)>& progress = {});

}  // namespace headway
