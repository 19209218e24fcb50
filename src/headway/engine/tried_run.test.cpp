// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/tried_run.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>

namespace headway {
namespace {

// A simulation whose ticks take time, and which writes down what it has simulated.
class SlowTicks final : public Simulation {
 public:
  SlowTicks(std::uint32_t threads, std::chrono::microseconds of_tick, Tick& now)
      : threads_(threads), of_tick_(of_tick), now_(now) {}

  std::uint64_t run_until(Tick end, std::uint64_t) override {
    std::this_thread::sleep_for(of_tick_ * (end - now_));
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
  std::chrono::microseconds of_tick_;
  Tick& now_;
  Record record_;
};

// Returns the ticks of both after a run of so many.
std::pair<Tick, Tick> ticks_of(std::chrono::microseconds alone, std::chrono::microseconds of_parts,
                               Tick end) {
  Tick of_alone = 0, of_all = 0;
  const auto run = try_both(std::make_unique<SlowTicks>(1, alone, of_alone),
                            std::make_unique<SlowTicks>(2, of_parts, of_all), 1);
  EXPECT_EQ(run->threads(), 2);
  run->run_until(end / 3);
  run->run_until(end / 3);
  run->run_until(end);
  EXPECT_EQ(run->cpu_of_other_threads(), 1);  // also if they have been dropped
  return {of_alone, of_all};
}

TEST(TriedRun, KeepsTheFaster) {
  using std::chrono::microseconds;
  EXPECT_EQ(ticks_of(microseconds(1), microseconds(200), 5000), std::pair(Tick{5000}, Tick{1024}));
  EXPECT_EQ(ticks_of(microseconds(200), microseconds(1), 5000), std::pair(Tick{1024}, Tick{5000}));
  // a run that ends in the trial
  EXPECT_EQ(ticks_of(microseconds(1), microseconds(1), 900), std::pair(Tick{900}, Tick{900}));
}

}  // namespace
}  // namespace headway
