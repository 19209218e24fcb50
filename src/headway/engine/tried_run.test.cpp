// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/tried_run.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <utility>

namespace headway {
namespace {

using std::chrono::microseconds;

// A simulation whose ticks take time of a clock, and which writes down what it has simulated.
class SlowTicks final : public Simulation {
 public:
  SlowTicks(std::uint32_t threads, microseconds of_tick, Tick& now, microseconds& clock)
      : threads_(threads), of_tick_(of_tick), now_(now), clock_(clock) {}

  std::uint64_t run_until(Tick end, std::uint64_t) override {
    clock_ += of_tick_ * (end - now_);
    now_ = end;
    return 1;
  }
  const Record& record() const override { return record_; }
  void begin_measurement() override {}
  StateView view() const override { throw std::logic_error("has no state"); }
  Stall find_stall() const override { return {}; }
  const Jobs& jobs() const override { throw std::logic_error("has no jobs"); }
  std::uint32_t threads() const override { return threads_; }
  double cpu_of_other_threads() const override { return threads_ - 1; }
  MemoryParts memory() const override { return {}; }

 private:
  std::uint32_t threads_;
  microseconds of_tick_;
  Tick& now_;
  microseconds& clock_;
  Record record_;
};

// Returns the ticks of both after a run of so many.
std::pair<Tick, Tick> ticks_of(microseconds alone, microseconds of_parts, Tick end) {
  Tick of_alone = 0, of_all = 0;
  microseconds clock{0};
  const auto run =
      try_both(std::make_unique<SlowTicks>(1, alone, of_alone, clock),
               std::make_unique<SlowTicks>(2, of_parts, of_all, clock), 1, [&] { return clock; });
  EXPECT_EQ(run->threads(), 2);
  run->run_until(end / 3);
  run->run_until(end / 3);
  run->run_until(end);
  EXPECT_EQ(run->cpu_of_other_threads(), 1);  // also if they have been dropped
  return {of_alone, of_all};
}

TEST(TriedRun, KeepsTheFaster) {
  EXPECT_EQ(ticks_of(microseconds(10), microseconds(11), 5000), std::pair(Tick{5000}, Tick{1024}));
  EXPECT_EQ(ticks_of(microseconds(11), microseconds(10), 5000), std::pair(Tick{1024}, Tick{5000}));
  // a run that ends in the trial
  EXPECT_EQ(ticks_of(microseconds(1), microseconds(1), 900), std::pair(Tick{900}, Tick{900}));
}

}  // namespace
}  // namespace headway
