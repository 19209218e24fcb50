// SPDX-License-Identifier: Apache-2.0
#include "headway/base/together.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>

#include "headway/base/cancel_scope.h"
#include "headway/base/cpu_time.h"
#include "headway/base/threads.h"

namespace headway {
namespace {

class Calls {
 public:
  Calls(std::uint32_t count, const std::function<void(std::uint32_t)>& work) : count_(count), work_(work) {}

  void take() {
    for (std::uint32_t i = next_++; i < count_; i = next_++) {
      try {
        work_(i);
      } catch (...) {
        fail(i);
      }
    }
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_->what);
  }

 private:
  struct Failure {
    std::uint32_t call;
    std::exception_ptr what;
  };
  void fail(std::uint32_t call) {
    const std::scoped_lock lock(mutex_);
    if (!failure_ || call < failure_->call) failure_ = {call, std::current_exception()};
    next_ = count_;
  }

  const std::uint32_t count_;
  const std::function<void(std::uint32_t)>& work_;
  std::atomic<std::uint32_t> next_{0};
  std::mutex mutex_;
  std::optional<Failure> failure_;
};

}  // namespace

void together(std::uint32_t count, const std::function<void(std::uint32_t)>& work) {
  Calls calls(count, work);
  std::atomic<double> cpu_of_others{0};
  {
    Threads others;
    const auto help = [&, cancelled = CancelScope::current()] {
      const CancelScope scope(cancelled);
      calls.take();
      cpu_of_others += cpu_seconds();
    };
    try {
      while (others.size() + 1 < std::min(count, ThreadScope::current().threads)) others.start(help);
    } catch (const std::system_error&) {  // the system has no more threads; these suffice
    }
    calls.take();
  }
  ThreadScope::current().cpu_of_others += cpu_of_others;
  calls.rethrow();
}

void together_in_ranges(std::uint32_t count, const std::function<void(std::uint32_t, std::uint32_t)>& work) {
  constexpr std::uint32_t kRange = 1 << 14;
  const std::uint32_t ranges = count / kRange + (count % kRange > 0 ? 1 : 0);
  together(ranges, [&](std::uint32_t range) {
    const std::uint32_t first = range * kRange;
    work(first, first + std::min(kRange, count - first));
  });
}

}  // namespace headway
