// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/tried_run.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace headway {
namespace {

class TriedRun final : public Simulation {
 public:
  TriedRun(std::unique_ptr<Simulation> alone, std::unique_ptr<Simulation> parts, Tick window,
           TrialClock clock)
      : alone_(std::move(alone)), parts_(std::move(parts)), window_(window), clock_(std::move(clock)) {}

  std::uint64_t run_until(Tick end, std::uint64_t most_ticks) override {
    if (most_ticks != UINT64_MAX) keep_alone();  // only one thread counts ticks
    std::uint64_t done = 0;
    while (is_trial() && now_ < end) done += simulate_piece(end);
    return is_trial() ? done : done + kept().run_until(end, most_ticks);
  }
  void begin_measurement() override {
    if (alone_) alone_->begin_measurement();
    if (parts_) parts_->begin_measurement();
  }
  const Record& record() const override { return kept().record(); }
  StateView view() const override { return kept().view(); }
  Stall find_stall() const override { return kept().find_stall(); }
  const Jobs& jobs() const override { return kept().jobs(); }
  std::uint32_t threads() const override { return parts_ ? parts_->threads() : 1; }
  double cpu_of_other_threads() const override {
    return cpu_of_dropped_ + (parts_ ? parts_->cpu_of_other_threads() : 0);
  }
  MemoryParts memory() const override {
    MemoryParts memory = kept().memory();
    if (is_trial()) memory.add(parts_->memory());
    return memory;
  }

 private:
  // At first, the network fills and threads wake.
  static constexpr Tick kWindowsBefore = 512, kWindowsMeasured = 512, kWindowsOfPiece = 256;

  bool is_trial() const { return alone_ && parts_; }
  Simulation& kept() const { return alone_ ? *alone_ : *parts_; }

  std::uint64_t simulate_piece(Tick end) {
    const Tick begin_of_measured = kWindowsBefore * window_,
               end_of_trial = begin_of_measured + kWindowsMeasured * window_;
    const bool counts = now_ >= begin_of_measured;
    now_ = std::min({end, now_ + kWindowsOfPiece * window_, counts ? end_of_trial : begin_of_measured});
    const auto start = clock_();
    const std::uint64_t ticks = alone_->run_until(now_);
    const auto middle = clock_();
    parts_->run_until(now_);
    if (counts) {
      time_alone_ += middle - start;
      time_of_parts_ += clock_() - middle;
    }
    if (now_ == end_of_trial) keep_faster();
    return ticks;
  }

  void keep_faster() {
    if (time_of_parts_ > time_alone_)
      keep_alone();
    else
      alone_.reset();
  }
  void keep_alone() {
    if (!is_trial()) return;
    cpu_of_dropped_ = parts_->cpu_of_other_threads();
    parts_.reset();
  }

  std::unique_ptr<Simulation> alone_, parts_;  // both during the trial
  Tick window_;
  Tick now_ = 0;  // of the trial
  TrialClock clock_;
  TrialClock::result_type time_alone_{}, time_of_parts_{};
  double cpu_of_dropped_ = 0;  // seconds, of threads of `parts_`
};

}  // namespace

std::unique_ptr<Simulation> try_both(std::unique_ptr<Simulation> alone, std::unique_ptr<Simulation> parts,
                                     Tick window, TrialClock clock) {
  return std::make_unique<TriedRun>(std::move(alone), std::move(parts), window, std::move(clock));
}

}  // namespace headway
