// SPDX-License-Identifier: Apache-2.0
#include "headway/run/drive.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <string_view>

#include "headway/compile/machine.h"
#include "headway/engine/backlog.h"
#include "headway/run/hooks.h"

namespace headway {
namespace {

constexpr std::string_view kFewerAtOnce =
    "Take fewer ranks, or an algorithm or a window with fewer messages at a time";

}  // namespace

void Drive::advance(Tick to) {
  now_ = std::min(to, now_ + pace_.piece);
  advance_ticks(now_, UINT64_MAX);
  if (is_done())
    now_ = simulation_.view().now();
  else if (pace_.until_done)
    look_for_deadlock();
}

std::uint64_t Drive::advance_ticks(Tick to, std::uint64_t most) {
  throw_if_set(options_.cancelled);
  const std::uint64_t ticks = simulate(to, most);
  progress_.report(share_done_());
  return ticks;
}

std::uint64_t Drive::simulate(Tick to, std::uint64_t most) try {
  if (options_.hooks == nullptr || !options_.hooks->watch) return simulation_.run_until(to, most);
  std::uint64_t ticks = 0;
  for (std::uint64_t more = 1; more > 0 && ticks < most; ticks += more)
    more = simulation_.run_until(to, std::min(most - ticks, options_.hooks->watch(simulation_, network_)));
  return ticks;
} catch (const BacklogTooLarge& stopped) {
  const Record& record = simulation_.record();
  const std::uint64_t bytes =
      backlog_bytes(record.most_kept_messages, record.admittance_queues, record.admittance_tails);
  const bool are_of_jobs = messages_of_jobs() > stopped.messages / 2;
  throw OutOfMemory(fmt::format(
      "stopped at {:.6g} us: {}; {} waiting messages use {} of memory, and this run can use {} in total. {}",
      network_.ns(static_cast<double>(stopped.tick)) / 1000,
      are_of_jobs ? "ranks send too many messages at once"
                  : "the offered load exceeds what the network accepts",
      stopped.messages, memory_text(bytes), memory_text(options_.memory),
      are_of_jobs ? kFewerAtOnce : "Reduce the load or the simulated time, or set node.admittance_limit"));
} catch (const std::bad_alloc&) {
  const std::uint64_t messages = messages_of_jobs();
  if (messages == 0) throw;
  throw OutOfMemory(fmt::format("out of memory after {} messages of jobs. {}", messages, kFewerAtOnce));
}

std::uint64_t Drive::messages_of_jobs() const {
  std::uint64_t messages = 0;
  for (std::size_t job = 0; job < simulation_.jobs().size(); ++job)
    messages += simulation_.jobs().record(job).messages;
  return messages;
}

}  // namespace headway
