// SPDX-License-Identifier: Apache-2.0
// Runs long work in a separate thread, without the interpreter. The calling thread meanwhile checks for
// signals and calls back into Python. If that raises, as with Ctrl-C, the work is asked to stop. Work that
// does not stop within 0.7 s, as while it allocates the memory of a very large network, is left behind: it
// continues until its next check, and its result is dropped.
//
// When the interpreter ends, daemon threads can still be here. The interpreter then stops all work and waits
// for it. A thread must not return to an interpreter that has ended: Python before 3.14 ends such a thread by
// unwinding its stack, which ends the process if C++ is on it. Such a thread therefore sleeps until the
// process ends, as all threads do since Python 3.14.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>

#include "headway/base/cancel.h"
#include "module.h"

namespace headway::python {

// A thread that holds the interpreter's lock is in the library for as long as this exists.
class Inside {
 public:
  Inside();
  ~Inside();
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
};

// Lets other threads have the interpreter. Replaces pybind11's gil_scoped_release.
class Released {
 public:
  Released() : state_(PyEval_SaveThread()) {}
  ~Released();
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;

 private:
  Inside inside_;
  PyThreadState* state_;
};

// The state that the work and the calling thread share.
class Work {
 public:
  // For the work. `look` throws Cancelled if the work must stop.
  CancelFlag stopped() const { return &stop_; }
  void look() const { throw_if_set(&stop_); }
  // Sets the arguments of the next call of the Python function. Calls look(), too.
  template <class... Arguments>
  void report(Arguments... arguments) {
    look();
    const std::scoped_lock lock(mutex_);
    latest_ = [arguments...](const py::object& function) { function(arguments...); };
  }
  // Waits until the calling thread, which has the interpreter, has called `function`. Throws Cancelled if it
  // raised.
  void ask(std::function<void()> function) {
    std::unique_lock lock(mutex_);
    asked_ = std::move(function);
    change_.notify_all();
    change_.wait(lock, [&] { return !asked_ || stop_; });
    lock.unlock();
    look();
  }
  void end(std::exception_ptr thrown) {
    const std::scoped_lock lock(mutex_);
    thrown_ = std::move(thrown);
    ended_ = true;
    change_.notify_all();
  }

  // For the calling thread.
  void stop() {
    const std::scoped_lock lock(mutex_);
    stop_ = true;
    change_.notify_all();
  }
  // Returns true if it has ended.
  bool wait(std::chrono::milliseconds most) {
    std::unique_lock lock(mutex_);
    change_.wait_for(lock, most, [&] { return ended_ || (asked_ && !stop_); });
    return ended_;
  }
  void answer() {
    std::function<void()> function;
    {
      const std::scoped_lock lock(mutex_);
      function = asked_;
    }
    if (!function) return;
    function();
    const std::scoped_lock lock(mutex_);
    asked_ = nullptr;
    change_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    change_.wait(lock, [&] { return ended_; });
  }
  // Calls the function, unless it is None, with the latest report since the last call.
  void call(const py::object& function) {
    std::function<void(const py::object&)> latest;
    {
      const std::scoped_lock lock(mutex_);
      latest = std::exchange(latest_, nullptr);
    }
    if (latest && !function.is_none()) latest(function);
  }
  std::exception_ptr thrown() const { return thrown_; }

 private:
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;  // guards the members below
  std::condition_variable change_;
  std::function<void(const py::object&)> latest_;
  std::function<void()> asked_;
  std::exception_ptr thrown_;
  bool ended_ = false;
};

// Waits for the work to end, or leaves it behind. Rethrows the exception of Python or of the work.
void attend(const std::shared_ptr<Work>& work, const py::object& on_progress);

// Returns do_it(work), and calls `on_progress` with its reports. `do_it` must own everything that it uses
// because it can outlive the call.
template <class Do>
auto run_apart(const py::object& on_progress, Do do_it) {
  const auto work = std::make_shared<Work>();
  const auto result = std::make_shared<std::optional<std::invoke_result_t<Do&, Work&>>>();
  std::thread([work, result, own = std::optional<Do>(std::move(do_it))]() mutable {
    std::exception_ptr thrown;
    try {
      result->emplace((*own)(*work));
    } catch (...) {
      thrown = std::current_exception();
    }
    own.reset();  // what it owns is gone when the work has ended
    work->end(thrown);
  }).detach();
  attend(work, on_progress);
  return std::move(**result);
}

// Makes the end of the interpreter, and a fork, safe for threads that are here.
void watch_the_interpreter();

}  // namespace headway::python
