// SPDX-License-Identifier: Apache-2.0
#include "apart.h"

#include <list>

namespace headway::python {
namespace {

using std::chrono::milliseconds;

// Guarded by the interpreter's lock. Never destroyed, because running threads cannot be destroyed.
auto& left_behind() {
  static auto* const threads = new std::list<std::pair<std::thread, std::shared_ptr<Work>>>;
  return *threads;
}

void join_those_that_ended() {
  left_behind().remove_if([](auto& entry) {
    auto& [thread, work] = entry;
    if (!work->wait(milliseconds(0))) return false;
    thread.join();
    return true;
  });
}

}  // namespace

void attend(std::thread thread, const std::shared_ptr<Work>& work, const py::object& on_progress) {
  constexpr milliseconds kLook{50}, kGrace{700};
  std::optional<py::error_already_set> raised;
  const auto ended = [&](milliseconds most) {
    const py::gil_scoped_release released;
    return work->wait(most);
  };
  bool has_ended = ended(kLook);
  while (!has_ended && !raised) {
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      work->call(on_progress);
    } catch (const py::error_already_set& error) {
      raised.emplace(error);
      work->stop();
    }
    has_ended = ended(raised ? kGrace : kLook);
  }
  join_those_that_ended();
  if (!has_ended) {
    left_behind().emplace_back(std::move(thread), work);
  } else {
    thread.join();
    if (!raised) work->call(on_progress);  // the last report
  }
  if (raised) throw py::error_already_set(*raised);
  if (work->thrown()) std::rethrow_exception(work->thrown());
}

void wait_for_work_left_behind() {
  for (auto& [thread, work] : left_behind()) {
    const py::gil_scoped_release released;
    thread.join();
  }
  left_behind().clear();
}

}  // namespace headway::python
