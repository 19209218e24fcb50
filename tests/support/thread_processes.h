// SPDX-License-Identifier: Apache-2.0
// Processes (engine/processes.h) that are threads of this process, for tests.
#pragma once

#include <barrier>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "headway/engine/processes.h"

namespace headway::test {

// What the processes share.
class ProcessRoom {
 public:
  explicit ProcessRoom(std::uint32_t count)
      : count_(count), all_(count), mail_(count, std::vector<Parcel>(count)) {}

  std::uint32_t count() const { return count_; }
  void meet() { all_.arrive_and_wait(); }
  Parcel& mail(std::uint32_t from, std::uint32_t to) { return mail_[from][to]; }

 private:
  std::uint32_t count_;
  std::barrier<> all_;
  std::vector<std::vector<Parcel>> mail_;  // [from][to]
};

class ThreadProcess final : public Processes {
 public:
  ThreadProcess(ProcessRoom& room, std::uint32_t process) : room_(room), process_(process) {}
  std::uint32_t count() const override { return room_.count(); }
  std::uint32_t number() const override { return process_; }

  Parcel broadcast(Parcel bytes) override {
    if (leads()) room_.mail(0, 0) = std::move(bytes);
    room_.meet();
    Parcel copy = room_.mail(0, 0);
    room_.meet();
    return copy;
  }
  std::vector<Parcel> gather(Parcel bytes) override {
    if (!leads()) room_.mail(process_, 0) = std::move(bytes);
    room_.meet();
    std::vector<Parcel> from(count());
    if (leads())
      for (std::uint32_t r = 1; r < count(); ++r) from[r] = std::move(room_.mail(r, 0));
    room_.meet();
    return leads() ? from : std::vector<Parcel>();
  }
  std::vector<Parcel> exchange(std::vector<Parcel> to) override {
    for (std::uint32_t r = 0; r < count(); ++r)
      if (r != process_) room_.mail(process_, r) = std::move(to[r]);
    room_.meet();
    std::vector<Parcel> from(count());
    for (std::uint32_t r = 0; r < count(); ++r)
      if (r != process_) from[r] = std::move(room_.mail(r, process_));
    room_.meet();
    return from;
  }
  [[noreturn]] void abort(std::string_view why) override { throw std::logic_error(std::string(why)); }

 private:
  ProcessRoom& room_;
  std::uint32_t process_;
};

// The word with which the leading process lets the others go.
inline Parcel end_of_sweep() {
  ParcelWriter writer;
  writer.value(ProcessWord::end);
  return writer.take();
}

// Calls lead(processes) in this thread, and help(processes) for all other processes in threads of their own.
template <class Lead, class Help>
auto with_processes(std::uint32_t count, Lead&& lead, Help&& help) {
  ProcessRoom room(count);
  std::vector<std::jthread> others;
  for (std::uint32_t process = 1; process < count; ++process)
    others.emplace_back([&room, process, &help] {
      ThreadProcess processes(room, process);
      help(processes);
    });
  ThreadProcess processes(room, 0);
  return lead(processes);
}

}  // namespace headway::test
