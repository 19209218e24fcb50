// SPDX-License-Identifier: Apache-2.0
#include "apart.h"

#include <unistd.h>

#include <list>

namespace headway::python {
namespace {

using std::chrono::milliseconds;

struct Threads {
  std::mutex mutex;  // guards the members below
  std::condition_variable change;
  int inside = 0;                               // how often threads are Inside
  std::optional<std::thread::id> ending = {};   // the thread that ends the interpreter
  std::list<std::shared_ptr<Work>> works = {};  // that may not have ended
};

// Never destroyed, because other threads can outlive the static objects.
Threads*& threads() {
  static auto* all = new Threads;
  return all;
}

thread_local int depth = 0;  // how often this thread is Inside

void count(int change) {
  Threads& all = *threads();
  const std::scoped_lock lock(all.mutex);
  all.inside += change;
  depth += change;
  all.change.notify_all();
}

bool must_stay() {
  Threads& all = *threads();
  const std::scoped_lock lock(all.mutex);
  return all.ending && *all.ending != std::this_thread::get_id();
}

// For a thread without the interpreter's lock.
[[noreturn]] void stay() {
  count(-depth);
  for (;;) ::pause();
}

void begin(const std::shared_ptr<Work>& work) {
  Threads& all = *threads();
  const std::scoped_lock lock(all.mutex);
  all.works.remove_if([](const auto& other) { return other->wait(milliseconds(0)); });
  all.works.push_back(work);
}

// Called by atexit, before the interpreter begins to end.
void end_of_the_interpreter() {
  Threads& all = *threads();
  const py::gil_scoped_release released;
  std::list<std::shared_ptr<Work>> works;
  {
    std::unique_lock lock(all.mutex);
    all.ending = std::this_thread::get_id();
    works = all.works;
    for (const auto& work : works) work->stop();
    // Threads that wait for work leave within 50 ms. One that is in a function of the user may never do.
    constexpr std::chrono::seconds kMost{5};
    all.change.wait_for(lock, kMost, [&] { return all.inside == 0; });
  }
  for (const auto& work : works) work->wait();
}

// In the child of a fork, which has only the thread that forked.
void forget_other_threads() {
  threads() = new Threads;  // a lost thread can have locked the old one
  threads()->inside = depth;
}

}  // namespace

Inside::Inside() {
  if (must_stay()) {
    PyEval_SaveThread();
    stay();
  }
  count(1);
}

Inside::~Inside() {
  if (must_stay()) {
    PyEval_SaveThread();
    stay();
  }
  count(-1);
}

Released::~Released() {
  if (must_stay()) stay();
  PyEval_RestoreThread(state_);
}

void attend(const std::shared_ptr<Work>& work, const py::object& on_progress) {
  constexpr milliseconds kLook{50}, kGrace{700};
  const Inside inside;
  begin(work);
  std::optional<py::error_already_set> raised;
  const auto ended = [&](milliseconds most) {
    const Released released;
    return work->wait(most);
  };
  bool has_ended = ended(kLook);
  while (!has_ended && !raised) {
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      work->call(on_progress);
      work->answer();
    } catch (const py::error_already_set& error) {
      raised.emplace(error);
      work->stop();
    }
    has_ended = ended(raised ? kGrace : kLook);
  }
  if (has_ended && !raised) work->call(on_progress);  // the last report
  if (raised) throw py::error_already_set(*raised);
  if (work->thrown()) std::rethrow_exception(work->thrown());
}

void watch_the_interpreter() {
  py::module_::import("atexit").attr("register")(py::cpp_function(&end_of_the_interpreter));
  py::module_::import("os").attr("register_at_fork")(py::arg("after_in_child") =
                                                         py::cpp_function(&forget_other_threads));
}

}  // namespace headway::python
