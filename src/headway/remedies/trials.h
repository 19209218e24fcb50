// SPDX-License-Identifier: Apache-2.0
// Runs of one spec with different changes, each at most once. With a directory, they are points of its
// results, so that a later call repeats none of them.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "headway/base/memo.h"
#include "headway/compile/experiment.h"
#include "headway/config/document.h"
#include "headway/run/results.h"
#include "headway/run/sweep.h"
#include "headway/spec/overrides.h"

namespace headway {

class Collection;

// The tables of a run that say where the time goes.
enum class Account : std::uint8_t {
  none,
  path,    // the critical path of jobs
  photos,  // photographs of all packets
};

// What a run is made of, beside the spec.
struct TrialSpec {
  std::vector<Override> set;
  std::uint64_t seed = 1;
  Account account = Account::none;
  std::string name = {};  // in results, as the value of "change"
};

// A run that has been made, or that could not be made.
struct Trial {
  TrialSpec of;
  std::optional<PointResult> point;  // none: the spec is refused, or the run failed
  std::string why_not = {};          // then, the reason
  double events = 0;                 // of the whole run

  const Result* result() const { return point ? &point->result : nullptr; }
};

// How much may be simulated. Events are counted, not seconds, so that equal calls try the same.
// Choice: a second stands for ten million events, about what one core simulates in it.
inline constexpr double kEventsOfASecond = 1e7;

// Simulates specs of one run each in another place, and gives their results in this order; none: that run
// failed.
using RunElsewhere = std::function<std::vector<std::optional<Result>>(const std::vector<Document>& specs)>;

struct TrialOptions {
  SweepOptions sweep = {};
  RunElsewhere elsewhere = {};  // instead of a sweep here
  std::optional<std::filesystem::path> directory = {};
  std::vector<std::string> command = {};  // for the manifest of the directory
  double most_events = 60 * kEventsOfASecond;
  std::size_t most_runs = 40;
  // A run that simulates a job ends after this time, as it does not help then; none: as the spec says.
  std::optional<Duration> limit = {};
};

class Trials {
 public:
  Trials(Document spec, std::vector<Override> overrides, MemoryFiles files, TrialOptions options);

  // The trials of these specs, in their order. They run in parallel. Throws Cancelled if the user interrupts.
  std::vector<const Trial*> run(const std::vector<TrialSpec>& specs);
  // A trial whose run the caller has made.
  const Trial& know(const TrialSpec& spec, PointResult point);
  // Whether a spec with these changes has no mistakes.
  bool accepts(const std::vector<Override>& set) const;
  const Trial& run(const TrialSpec& spec) { return *run(std::vector{spec}).front(); }
  // Whether this many more runs like the base are within the budget.
  bool may_run(std::size_t more = 1) const;
  // The part of the budget that is used, 0 .. 1.
  double used() const;
  void end_after(const Duration& limit) { options_.limit = limit; }

  std::size_t runs() const { return runs_; }
  double cpu_s() const { return cpu_s_; }

 private:
  const Trial* find(const TrialSpec& spec) const;
  Experiment loaded(const TrialSpec& spec) const;
  void load(Trial& trial);
  void simulate(const std::vector<Trial*>& fresh);
  // The reason why runs are missing then; empty: none is.
  std::string run_missing(Collection& collection, std::span<Trial* const> trials) const;

  Document document_;
  std::vector<Override> overrides_;
  MemoryFiles files_;
  TrialOptions options_;
  std::shared_ptr<Memo> memo_ = std::make_shared<Memo>();
  std::deque<Trial> trials_;
  Experiment experiment_;  // all that could be loaded, in the order of `placed_`
  std::vector<Trial*> placed_;
  std::size_t runs_ = 0;
  double cpu_s_ = 0, events_ = 0, events_of_base_ = 0;
};

// "--set 'a.b=1' --set c=2", which makes the changes by hand.
std::string settings_text(const std::vector<Override>& set);

}  // namespace headway
