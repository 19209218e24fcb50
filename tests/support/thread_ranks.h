// SPDX-License-Identifier: Apache-2.0
// Ranks (engine/ranks.h) that are threads of this process, for tests.
#pragma once

#include <barrier>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "headway/engine/ranks.h"

namespace headway::test {

// What the ranks share.
class RankRoom {
 public:
  explicit RankRoom(std::uint32_t count)
      : count_(count), all_(count), mail_(count, std::vector<Parcel>(count)) {}

  std::uint32_t count() const { return count_; }
  void meet() { all_.arrive_and_wait(); }
  Parcel& mail(std::uint32_t from, std::uint32_t to) { return mail_[from][to]; }

 private:
  std::uint32_t count_;
  std::barrier<> all_;
  std::vector<std::vector<Parcel>> mail_;  // [from][to]
};

class ThreadRank final : public Ranks {
 public:
  ThreadRank(RankRoom& room, std::uint32_t rank) : room_(room), rank_(rank) {}
  std::uint32_t count() const override { return room_.count(); }
  std::uint32_t rank() const override { return rank_; }

  Parcel broadcast(Parcel bytes) override {
    if (leads()) room_.mail(0, 0) = std::move(bytes);
    room_.meet();
    Parcel copy = room_.mail(0, 0);
    room_.meet();
    return copy;
  }
  std::vector<Parcel> gather(Parcel bytes) override {
    if (!leads()) room_.mail(rank_, 0) = std::move(bytes);
    room_.meet();
    std::vector<Parcel> from(count());
    if (leads())
      for (std::uint32_t r = 1; r < count(); ++r) from[r] = std::move(room_.mail(r, 0));
    room_.meet();
    return leads() ? from : std::vector<Parcel>();
  }
  std::vector<Parcel> exchange(std::vector<Parcel> to) override {
    for (std::uint32_t r = 0; r < count(); ++r)
      if (r != rank_) room_.mail(rank_, r) = std::move(to[r]);
    room_.meet();
    std::vector<Parcel> from(count());
    for (std::uint32_t r = 0; r < count(); ++r)
      if (r != rank_) from[r] = std::move(room_.mail(r, rank_));
    room_.meet();
    return from;
  }
  [[noreturn]] void abort(std::string_view why) override { throw std::logic_error(std::string(why)); }

 private:
  RankRoom& room_;
  std::uint32_t rank_;
};

// Calls lead(ranks) in this thread, and help(ranks) for all other ranks in threads of their own.
template <class Lead, class Help>
auto with_ranks(std::uint32_t count, Lead&& lead, Help&& help) {
  RankRoom room(count);
  std::vector<std::jthread> others;
  for (std::uint32_t rank = 1; rank < count; ++rank)
    others.emplace_back([&room, rank, &help] {
      ThreadRank ranks(room, rank);
      help(ranks);
    });
  ThreadRank ranks(room, 0);
  return lead(ranks);
}

}  // namespace headway::test
