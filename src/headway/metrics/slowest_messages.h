// SPDX-License-Identifier: Apache-2.0
// The messages of jobs that lost the most time in the network.
#pragma once

#include <cstddef>
#include <tuple>
#include <vector>

#include "headway/engine/jobs.h"

namespace headway {

struct SlowMessage {
  JobMessage message;
  Tick alone;  // its completion time if nothing else is in the network

  Tick completion() const { return message.delivered - message.begun; }
  // Choice: by the time that they lost, because messages are not of one size. The longest messages would
  // have the longest completion times, and the shortest ones the largest slowdowns.
  Tick lost() const { return completion() - alone; }
  friend bool operator<(const SlowMessage& a, const SlowMessage& b) {
    return std::tuple(b.lost(), a.message) < std::tuple(a.lost(), b.message);
  }
};

class SlowestMessages {
 public:
  explicit SlowestMessages(std::size_t most) : most_(most) {}

  void add(const SlowMessage& message);
  void clear() { heap_.clear(); }
  std::vector<SlowMessage> list() const;  // the slowest one first

 private:
  std::size_t most_;
  std::vector<SlowMessage> heap_;  // the one that lost the least time at the front
};

}  // namespace headway
