// SPDX-License-Identifier: Apache-2.0
#include "headway/cluster/sweep_status.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "headway/compile/run_cost.h"
#include "headway/io/file_lock.h"
#include "headway/run/journal.h"
#include "headway/run/results.h"
#include "headway/run/run_key.h"
#include "headway/run/seeds_plan.h"
#include "headway/run/sweep.h"

namespace headway {
namespace {

namespace fs = std::filesystem;

// What the journals have at this moment. A journal can disappear meanwhile: then its lines have moved.
class Journals {
 public:
  Journals(const fs::path& directory, bool with_results) : with_results_(with_results) {
    for (const fs::path& journal : shard_journals(directory)) take(journal);
    whole_ = take(directory / kJournalName);
  }

  bool has(std::uint64_t key) const { return known_.contains(key); }
  bool whole_has(std::uint64_t key) const { return whole_->contains(key); }
  const Result* result(std::uint64_t key) const {
    const auto found = results_.find(key);
    return found == results_.end() ? nullptr : &found->second;
  }
  const std::unordered_set<std::uint64_t>& of(const fs::path& journal) { return keys_[journal]; }

 private:
  const std::unordered_set<std::uint64_t>* take(const fs::path& journal) {
    auto& keys = keys_[journal];
    const auto on_run = [&](std::uint64_t key, std::string_view text, std::string_view) {
      keys.insert(key);
      known_.insert(key);
      if (!with_results_ || results_.contains(key)) return;
      try {
        results_.emplace(key, read_result(text));
      } catch (const NoResult&) {  // the run is repeated
      }
    };
    try {
      read_journal(journal, {on_run});
    } catch (const SpecError&) {  // it is not there, or no longer
    }
    return &keys;
  }

  bool with_results_;
  std::map<fs::path, std::unordered_set<std::uint64_t>> keys_;
  const std::unordered_set<std::uint64_t>* whole_ = nullptr;
  std::unordered_set<std::uint64_t> known_;
  std::unordered_map<std::uint64_t, Result> results_;
};

class StatusReader {
 public:
  StatusReader(const fs::path& directory, const Experiment& experiment, std::int64_t now)
      : experiment_(experiment),
        now_(now),
        seeds_(static_cast<std::size_t>(experiment.seeds)),
        keys_(experiment),
        processes_(shard_processes(directory)),
        journals_(directory, experiment.until.has_value()) {
    for (std::size_t point = 0; point < experiment_.points.size(); ++point) runs_.push_back(runs_of(point));
    status_.whole_running = is_locked(directory / kJournalName, LockKind::shared) && !any_running();
  }

  SweepStatus get() {
    for (std::size_t point = 0; point < runs_.size(); ++point)
      for (std::size_t run = point * seeds_; run < point * seeds_ + runs_[point]; ++run) {
        ++status_.runs;
        if (has(run)) ++status_.done;
      }
    if (!processes_.empty()) add_shards(std::ranges::max(processes_, {}, &ShardProcess::start).shard.of);
    return std::move(status_);
  }

 private:
  bool any_running() const { return std::ranges::any_of(processes_, &ShardProcess::running); }
  bool has(std::size_t run) const { return journals_.has(keys_.of_run[run]); }

  // As far as the results of the first ones say.
  std::size_t runs_of(std::size_t point) const {
    if (!experiment_.until) return seeds_;
    std::vector<const Result*> first;
    for (std::size_t run = 0; run < seeds_; ++run) {
      const Result* const result = journals_.result(keys_.of_run[point * seeds_ + run]);
      if (result == nullptr) break;
      first.push_back(result);
    }
    return plan_seeds(first, *experiment_.until).runs;
  }

  void add_shards(std::uint64_t number) {
    std::vector<bool> had;
    for (const std::uint64_t key : keys_.of_run) had.push_back(journals_.whole_has(key));
    const std::vector<std::uint64_t> shard_of = deal(experiment_, number, had);
    std::vector<double> work_left(number, 0), work_done(number, 0);
    for (std::uint64_t shard = 1; shard <= number; ++shard)
      status_.shards.push_back({.shard = {.number = shard, .of = number}});
    for (const ShardProcess& process : processes_)
      if (process.shard.of == number && process.shard.number <= number)
        if (auto& last = status_.shards[process.shard.number - 1].last; !last || is_later(process, *last))
          last = process;
    for (std::size_t point = 0; point < runs_.size(); ++point) {
      const double work = expected_work(experiment_, point);
      for (std::size_t run = point * seeds_; run < point * seeds_ + runs_[point]; ++run) {
        if (shard_of[run] == 0) continue;
        ShardStatus& shard = status_.shards[shard_of[run] - 1];
        ++shard.runs;
        if (!has(run)) {
          work_left[shard_of[run] - 1] += work;
          continue;
        }
        ++shard.done;
        if (shard.last && journals_.of(shard.last->journal).contains(keys_.of_run[run]))
          work_done[shard_of[run] - 1] += work;
      }
    }
    status_.left_s = 0;
    for (std::size_t i = 0; i < number; ++i) complete(status_.shards[i], work_left[i], work_done[i]);
  }

  // Prefers a running process to one that is not, and then the later one.
  static bool is_later(const ShardProcess& process, const ShardProcess& other) {
    return std::pair(process.running, process.start) >= std::pair(other.running, other.start);
  }

  void complete(ShardStatus& shard, double work_left, double work_done) {
    shard.state = state_of(shard);
    if (shard.state == ShardState::done) return;
    if (shard.state == ShardState::running && work_done > 0)
      shard.left_s = static_cast<double>(now_ - shard.last->start) * work_left / work_done;
    if (!shard.left_s || !status_.left_s)
      status_.left_s = std::nullopt;
    else
      status_.left_s = std::max(*status_.left_s, *shard.left_s);
  }

  static ShardState state_of(const ShardStatus& shard) {
    if (shard.last && shard.last->running) return ShardState::running;
    if (shard.done == shard.runs) return ShardState::done;
    if (!shard.last) return ShardState::not_begun;
    const std::string& end = shard.last->end;
    return end.empty() || end == kEndDone || end == kEndInterrupted ? ShardState::stopped
                                                                    : ShardState::failed;
  }

  const Experiment& experiment_;
  const std::int64_t now_;
  const std::size_t seeds_;
  const RunKeys keys_;
  const std::vector<ShardProcess> processes_;
  Journals journals_;
  std::vector<std::size_t> runs_;  // [point]
  SweepStatus status_;
};

}  // namespace

SweepStatus status_of(const fs::path& directory, const Experiment& experiment, std::int64_t now) {
  return StatusReader(directory, experiment, now).get();
}

}  // namespace headway
