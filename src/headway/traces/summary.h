// SPDX-License-Identifier: Apache-2.0
// Summarises a trace in one pass with bounded memory: length, amount, message sizes, burstiness, and the load
// on the links of a network at any compression.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "headway/base/histogram.h"
#include "headway/trace/replay.h"

namespace headway {

// Amounts over time in at most kBins bins of equal width. The width doubles whenever the trace exceeds the
// bins.
class TimeBins {
 public:
  static constexpr std::size_t kBins = 512;
  explicit TimeBins(std::size_t rows) : values_(rows * kBins) {}

  void add(std::size_t row, TraceTime time, std::uint64_t amount);
  TraceTime width() const { return width_; }
  std::size_t used() const { return used_; }  // number of bins up to the last one that is not empty
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
  std::uint64_t messages = 0, bytes = 0;                    // messages of the window, placed on nodes
  TraceTime length = 0;                                     // of the window
  Histogram sizes;                                          // of messages
  std::vector<std::uint64_t> in, out;                       // [node] bytes
  TimeBins bytes_in, bytes_out;                             // row: node
  TimeBins counts;                                          // messages

  // Variance divided by mean of the number of messages in windows of `bins` bins. It is 1 for a Poisson
  // process at every width, and grows with the width for traffic that is bursty on all time scales.
  double dispersion(std::size_t bins) const;
};

// Calls `progress` periodically with the current summary.
TraceSummary summarise(const TraceWindow& window,
                       const std::function<void(const TraceSummary&)>& progress = {});

}  // namespace headway
