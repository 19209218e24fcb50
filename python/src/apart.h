// SPDX-License-Identifier: Apache-2.0
// Long work in a thread of its own, without the interpreter. The calling thread meanwhile looks at signals
// and calls back into Python. If that raises, as Ctrl-C does, the work is told to stop. Where it does not
// within a second, as when it fills the memory of a very large network, it is left behind: it goes on until
// it looks, and its result is dropped. The interpreter waits for such work before it ends (apart.cpp).
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

// What the work and the calling thread share.
class Work {
 public:
  // For the work. `look` throws Cancelled if it is to stop.
  CancelFlag stopped() const { return &stop_; }
  void look() const { throw_if_set(&stop_); }
  // What the function of Python is called with next. Looks, too.
  template <class... Arguments>
  void report(Arguments... arguments) {
    look();
    const std::scoped_lock lock(mutex_);
    latest_ = [arguments...](const py::object& function) { function(arguments...); };
  }
  void end(std::exception_ptr thrown) {
    const std::scoped_lock lock(mutex_);
    thrown_ = std::move(thrown);
    ended_ = true;
    change_.notify_all();
  }

  // For the calling thread.
  void stop() { stop_ = true; }
  bool wait(std::chrono::milliseconds most) {
    std::unique_lock lock(mutex_);
    return change_.wait_for(lock, most, [&] { return ended_; });
  }
  // Calls the function with what was reported since the last call, if it is not None.
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
  std::exception_ptr thrown_;
  bool ended_ = false;
};

// Waits for the thread to end, and joins it or leaves it behind. Throws what Python or the work raised.
void attend(std::thread thread, const std::shared_ptr<Work>& work, const py::object& on_progress);

// Returns do_it(work), and calls `on_progress` with its reports. `do_it` must own all that it uses, because
// it can outlive the call.
template <class Do>
auto run_apart(const py::object& on_progress, Do do_it) {
  const auto work = std::make_shared<Work>();
  const auto result = std::make_shared<std::optional<std::invoke_result_t<Do&, Work&>>>();
  std::thread thread([work, result, do_it = std::move(do_it)]() mutable {
    std::exception_ptr thrown;
    try {
      result->emplace(do_it(*work));
    } catch (...) {
      thrown = std::current_exception();
    }
    work->end(thrown);
  });
  attend(std::move(thread), work, on_progress);
  return std::move(**result);
}

void wait_for_work_left_behind();

}  // namespace headway::python
