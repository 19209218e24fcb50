// SPDX-License-Identifier: Apache-2.0
#include "headway/traces/summary.h"

#include <algorithm>

namespace headway {

void TimeBins::add(std::size_t row, TraceTime time, std::uint64_t amount) {
  time = std::max<TraceTime>(time, 0);
  while (time / width_ >= static_cast<TraceTime>(kBins)) {
    width_ *= 2;
    for (std::size_t first = 0; first < values_.size(); first += kBins)
      for (std::size_t bin = 0; bin < kBins; ++bin)
        values_[first + bin] = bin < kBins / 2 ? values_[first + 2 * bin] + values_[first + 2 * bin + 1] : 0;
    used_ = (used_ + 1) / 2;
  }
  const auto bin = static_cast<std::size_t>(time / width_);
  values_[row * kBins + bin] += amount;
  used_ = std::max(used_, bin + 1);
}

double TraceSummary::dispersion(std::size_t bins) const {
  double sum = 0, squares = 0, windows = 0;
  for (std::size_t first = 0; first + bins < counts.used(); first += bins) {  // the last bin is not full
    double count = 0;
    for (std::size_t bin = first; bin < first + bins; ++bin) count += static_cast<double>(counts.at(0, bin));
    sum += count;
    squares += count * count;
    ++windows;
  }
  return (squares - sum * sum / windows) / sum;
}

TraceSummary summarise(const TraceWindow& window, const std::function<void(const TraceSummary&)>& progress) {
  constexpr std::uint64_t kBetweenReports = 1 << 18;
  TraceSummary summary(window.rules.nodes);
  TracePass pass(window);
  const auto note = [&] {
    summary.records = pass.reader().records();
    summary.skipped = pass.reader().skipped();
    summary.passed_over = pass.reader().passed_over();
    summary.length = (window.end == INT64_MAX ? pass.latest() : window.end) - window.begin;
  };
  while (const auto message = pass.next()) {
    const TraceTime time = message->time - window.begin;
    ++summary.messages;
    summary.bytes += message->bytes;
    summary.sizes.add(message->bytes);
    summary.in[message->destination] += message->bytes;
    summary.out[message->source] += message->bytes;
    summary.bytes_in.add(message->destination, time, message->bytes);
    summary.bytes_out.add(message->source, time, message->bytes);
    summary.counts.add(0, time, 1);
    if (progress && summary.messages % kBetweenReports == 0) {
      note();
      progress(summary);
    }
  }
  note();
  return summary;
}

}  // namespace headway
