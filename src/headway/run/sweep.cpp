// SPDX-License-Identifier: Apache-2.0
// Workers take tasks from one list; the calling thread waits, reports progress and forwards a cancellation.
// One mutex guards the list and the progress. It is held for some instructions: no result is taken and no
// function of the caller is called meanwhile, so it is never held together with another lock.
//
// Work is the expected number of packet-hops (compile/run_cost.h), by which the longest tasks start first and
// the remaining time is estimated.
#include "headway/run/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "headway/base/error.h"
#include "headway/base/memo.h"
#include "headway/base/threads.h"
#include "headway/base/visible.h"
#include "headway/compile/machine.h"
#include "headway/compile/run_cost.h"
#include "headway/engine/cut.h"
#include "headway/run/processes_of_sweep.h"
#include "headway/run/saturation.h"

namespace headway {
namespace {

static_assert(kMaxThreads == kMostParts);

struct WeighedTask {
  Task task;
  double work;

  bool operator<(const WeighedTask& other) const { return work > other.work; }  // the largest first
};

std::vector<WeighedTask> jobs_of(const Experiment& experiment, const std::vector<Task>& tasks) {
  std::vector<WeighedTask> jobs;
  for (const Task& task : tasks) {
    const bool same_point = !jobs.empty() && jobs.back().task.point == task.point;
    const double work = same_point ? jobs.back().work : expected_work(experiment, task.point);
    jobs.push_back({task, work});
  }
  return jobs;
}

class Sweep {
 public:
  Sweep(const Experiment& experiment, const std::vector<Task>& tasks, const TakeResult& take,
        const SweepOptions& options, const RunPoint& instead)
      : experiment_(experiment),
        take_(take),
        options_(options),
        instead_(instead),
        memo_(experiment.memo ? experiment.memo : std::make_shared<Memo>()),
        most_tasks_(experiment.until ? experiment.points.size() * static_cast<std::size_t>(experiment.seeds)
                                     : tasks.size()) {
    add(jobs_of(experiment, tasks));
  }

  bool run() {
    if (tasks_ == 0) return true;
    memo_->keep_at_most(kKeptBetweenRuns);
    plan_ = plan_sweep(experiment_, options_, most_tasks_);
    if (options_.on_plan) options_.on_plan(plan_);
    workers_ = std::vector<Worker>(plan_.jobs);
    working_ = plan_.jobs;
    {
      Threads pool;
      try {
        for (Worker& worker : workers_) pool.start([this, &worker] { work(worker); });
        watch();
      } catch (...) {
        stop();  // cancels the current tasks and joins the workers
        throw;
      }
    }
    if (error_) std::rethrow_exception(error_);
    if (out_of_memory_ > 0) throw PointError(lack_of_memory());
    return done_ == tasks_;
  }

 private:
  struct Worker {
    std::optional<double> work;  // of its current task; guarded by mutex_
    RunGauge gauge;
  };

  void work(Worker& worker) {
    while (const std::optional<WeighedTask> job = next_job(worker)) {
      try {
        finish(worker, *job, simulate(job->task, worker));
      } catch (const Cancelled&) {
        break;
      } catch (const OutOfMemory& stopped) {
        give_up(worker, stopped.what());
      } catch (...) {
        stop(std::current_exception());
        break;
      }
    }
    const std::scoped_lock lock(mutex_);
    end_job(worker);
    --working_;
    changed_.notify_all();
  }

  // Waits if a running task can still add others.
  std::optional<WeighedTask> next_job(Worker& worker) {
    std::unique_lock lock(mutex_);
    more_.wait(lock, [this] { return stop_ || !waiting_.empty() || running_ == 0; });
    if (stop_ || waiting_.empty()) return std::nullopt;
    const WeighedTask job = waiting_.extract(waiting_.begin()).value();
    ++running_;
    worker.gauge.fraction = 0;
    worker.gauge.threads = 1;
    worker.work = job.work;
    return job;
  }

  // Requires the lock.
  void end_job(Worker& worker) {
    if (!std::exchange(worker.work, std::nullopt)) return;
    if (--running_ == 0) more_.notify_all();
  }

  // Requires the lock, or that there are no workers.
  void add(const std::vector<WeighedTask>& jobs) {
    waiting_.insert(jobs.begin(), jobs.end());
    tasks_ += jobs.size();
    for (const WeighedTask& job : jobs) work_ += job.work;
  }

  Result simulate(const Task& task, Worker& worker) {
    try {
      const Spec spec = spec_of(experiment_, task);
      const RunOptions options{.keep = options_.keep && task.repetition == 0,
                               .check = options_.check,
                               .skip = options_.skip,
                               .memory = plan_.memory_of_run,
                               .threads = plan_.threads,
                               .processes = options_.processes,
                               .memo = memo_.get(),
                               .cancelled = &stop_};
      const RunProgress progress(worker.gauge);
      if (options.processes != nullptr) begin_run(task, options);
      if (instead_) return instead_(spec, options, progress);
      return experiment_.search ? find_saturation(spec, *experiment_.search, options, progress)
                                : headway::run(spec, options, progress);
    } catch (const SpecError& error) {
      std::vector<Mistake> mistakes = error.mistakes();
      for (Mistake& mistake : mistakes)
        mistake.message += fmt::format(" (at {})", describe(experiment_, task));
      throw SpecError(std::move(mistakes));
    } catch (const std::bad_alloc&) {
      throw OutOfMemory(fmt::format("at {}: out of memory", visible(describe(experiment_, task))));
    } catch (const OutOfMemory& stopped) {
      throw OutOfMemory(fmt::format("at {}: {}", visible(describe(experiment_, task)), stopped.what()));
    } catch (const InvariantError& error) {
      throw InvariantError(fmt::format("at {}: {}", visible(describe(experiment_, task)), error.what()));
    } catch (const std::exception& error) {
      throw PointError(fmt::format("at {}: {}", visible(describe(experiment_, task)), error.what()));
    }
  }

  void finish(Worker& worker, const WeighedTask& job, Result result) {
    const std::vector<WeighedTask> more = jobs_of(experiment_, take_(job.task, std::move(result)));
    const std::scoped_lock lock(mutex_);
    work_done_ += job.work;
    ++done_;
    add(more);
    end_job(worker);
    if (!more.empty()) more_.notify_all();
  }

  void give_up(Worker& worker, std::string why) {
    const std::scoped_lock lock(mutex_);
    end_job(worker);
    if (out_of_memory_++ == 0) first_without_memory_ = std::move(why);
  }

  std::string lack_of_memory() const {
    std::string text = first_without_memory_;
    if (plan_.jobs > 1) text += "; with fewer jobs, each run has more memory";
    if (out_of_memory_ > 1) text += fmt::format("\n{} runs in total ran out of memory", out_of_memory_);
    return text;
  }

  void stop(std::exception_ptr error = nullptr) {
    const std::scoped_lock lock(mutex_);
    if (!error_) error_ = std::move(error);
    stop_ = true;
    more_.notify_all();
  }

  // Returns true if all workers have ended.
  bool wait_an_interval() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, options_.interval, [this] { return working_ == 0; });
  }

  void watch() {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds kPatience{500};
    std::optional<Clock::time_point> give_up_at;
    for (bool ended = false; !ended;) {
      ended = wait_an_interval();
      if (options_.cancelled != nullptr && *options_.cancelled) {
        stop();
        if (!give_up_at) give_up_at = Clock::now() + kPatience;
        if (!ended && Clock::now() >= *give_up_at && options_.on_stuck) {
          options_.on_stuck();
          give_up_at = Clock::time_point::max();
        }
      }
      if (options_.on_progress) options_.on_progress(progress());
    }
  }

  SweepProgress progress() {
    const std::scoped_lock lock(mutex_);
    double work = work_done_;
    SweepProgress now;
    for (const Worker& worker : workers_) {
      if (!worker.work) continue;
      work += *worker.work * std::clamp(worker.gauge.fraction.load(), 0.0, 1.0);
      now.threads += worker.gauge.threads;
    }
    now.runs = running_;
    if (work_ > 0) fraction_ = std::clamp(work / work_, fraction_, 1.0);
    if (done_ == tasks_) fraction_ = 1;  // the sums are rounded
    now.fraction = fraction_;
    now.tasks_done = done_;
    now.tasks = tasks_;
    now.elapsed = std::chrono::steady_clock::now() - start_;
    if (now.fraction > 0.01) now.left = now.elapsed * ((1 - now.fraction) / now.fraction);
    return now;
  }

  const Experiment& experiment_;
  const TakeResult& take_;
  const SweepOptions& options_;
  const RunPoint& instead_;
  const std::shared_ptr<Memo> memo_;
  const std::size_t most_tasks_;  // with SeedsUntil, tasks can be added
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  SweepPlan plan_;

  std::vector<Worker> workers_;
  std::atomic<bool> stop_{false};  // runs poll it; set with the lock, for those that wait for more tasks

  std::mutex mutex_;                 // guards the members below
  std::condition_variable changed_;  // for the calling thread: working_ is 0
  std::condition_variable more_;     // for workers: stop_, more tasks, or none is running
  std::multiset<WeighedTask> waiting_;
  std::size_t tasks_ = 0;    // all
  std::size_t running_ = 0;  // tasks
  std::size_t working_ = 0;  // workers that have not ended
  std::size_t done_ = 0;     // tasks
  double work_ = 0, work_done_ = 0;
  double fraction_ = 0;  // of the last progress; tasks that are added do not take it back
  std::exception_ptr error_;
  std::size_t out_of_memory_ = 0;  // tasks
  std::string first_without_memory_;
};

// Returns true if some run is long enough for several threads, whose start takes about 30 ms, or if its
// network is so large that threads build it faster.
bool is_worth_threads(const Experiment& experiment) {
  // Choice: a third of a second or more, and about 16,000 nodes or more.
  constexpr double kHops = 2e6;
  constexpr std::uint64_t kBytes = 64 << 20;
  if (experiment.need.network >= kBytes) return true;
  for (std::size_t point = 0; point < experiment.points.size(); ++point)
    if (expected_work(experiment, point) >= kHops) return true;
  return false;
}

}  // namespace

SweepPlan plan_sweep(const Experiment& experiment, const SweepOptions& options, std::size_t tasks) {
  const MemoryNeed& need = experiment.need;
  const std::uint64_t sure = need.start + (options.check ? need.checking : 0);
  if (sure > machine_memory())
    throw SpecError("network.topology",
                    fmt::format("this network needs about {} of memory{}", memory_text(sure),
                                options.check ? ", including the check of its invariants" : ""),
                    fmt::format("this machine has {}", memory_text(machine_memory())));
  const std::uint64_t memory = options.memory != 0 ? options.memory : available_memory() / 10 * 9;
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  const unsigned wanted = static_cast<unsigned>(
      std::clamp<std::size_t>(options.processes != nullptr ? 1
                              : options.jobs != 0          ? options.jobs
                                                           : cores / std::max(options.threads, 1U),
                              1, tasks));
  SweepPlan plan;
  plan.jobs = static_cast<unsigned>(std::clamp<std::uint64_t>(sure == 0 ? wanted : memory / sure, 1, wanted));
  plan.memory_of_run = memory / plan.jobs;
  const std::uint64_t spare = plan.memory_of_run - std::min(sure, plan.memory_of_run);
  const std::uint64_t fit = 1 + spare / std::max<std::uint64_t>(need.thread, 1);
  // with a number of jobs, the user has said how many cores to use
  if (options.threads != 0 || options.jobs != 0 || !is_worth_threads(experiment))
    plan.threads = std::max(options.threads, 1U);
  else
    plan.threads = static_cast<unsigned>(std::clamp<std::uint64_t>(cores / plan.jobs, 1, fit));
  constexpr std::uint64_t kOfThread = 64 << 20;  // its heap and its stack
  plan.memory_of_run -= std::min(kOfThread, plan.memory_of_run / 2);
  if (plan.jobs < wanted)
    plan.warning = fmt::format("{} jobs instead of {}: a run needs {} of memory, and {} are free", plan.jobs,
                               wanted, memory_text(sure), memory_text(memory));
  if (sure + need.traffic > plan.memory_of_run)
    plan.warning +=
        fmt::format("{}a run {} can need {} of memory in total; it is stopped before it uses more than {}",
                    plan.warning.empty() ? "" : "\n",
                    need.of_jobs ? "whose jobs have all the messages open that they can have"
                                 : "whose offered load exceeds what the network accepts",
                    memory_text(sure + need.traffic), memory_text(plan.memory_of_run));
  return plan;
}

std::vector<Task> all_tasks(const Experiment& experiment) {
  std::vector<Task> tasks;
  for (std::size_t point = 0; point < experiment.points.size(); ++point)
    for (int repetition = 0; repetition < experiment.seeds; ++repetition)
      tasks.push_back({point, repetition});
  return tasks;
}

bool run_sweep(const Experiment& experiment, const std::vector<Task>& tasks, const TakeResult& take,
               const SweepOptions& options, const RunPoint& instead) {
  return Sweep(experiment, tasks, take, options, instead).run();
}

Spec spec_of(const Experiment& experiment, const Task& task) {
  Spec spec = experiment.points[task.point].spec();
  seed_of(spec) += static_cast<std::uint64_t>(task.repetition);
  return spec;
}

std::string describe(const Experiment& experiment, const Task& task) {
  const Point& point = experiment.points[task.point];
  return fmt::format("{}{}seed {}", params_text(point.params), point.params.empty() ? "" : ", ",
                     point.seed + static_cast<std::uint64_t>(task.repetition));
}

}  // namespace headway
