// SPDX-License-Identifier: Apache-2.0
// Notifications that travel as packets (docs/modelling.md, "Congestion control"): what they say, from when
// their destination decides to send them until they arrive.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "headway/base/flat_map.h"
#include "headway/congestion/limited_flow.h"

namespace headway {

// A notification of a packet of this flow.
struct Notice {
  NodeId from = 0, to = 0;  // the destination of the packet, and its source
  FlowKey flow = 0;
  std::uint32_t bytes = 0;  // of the packet
  Tick left = 0;            // when it left its node

  friend bool operator<(const Notice& a, const Notice& b) {
    const auto order = [](const Notice& n) { return std::tuple(n.from, n.to, n.flow, n.left, n.bytes); };
    return order(a) < order(b);
  }
};

class Notices {
 public:
  // It will be sent at the end of this tick's phase 3.
  void add(const Notice& notice) { due_.push_back(notice); }
  // Calls send(notice), which returns the serial number of its packet at its node, for all that are due.
  template <class Send>
  void send_all(Send&& send) {
    std::sort(due_.begin(), due_.end());
    for (const Notice& notice : due_) put(notice.from, send(notice), notice);
    due_.clear();
  }
  // A packet with a notification has come from another part of the run.
  void put(NodeId from, std::uint32_t serial, const Notice& notice) {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(notices_.size()));
      notices_.emplace_back();
    }
    place_of_.at(key_of(from, serial), kNone) = free_.back();
    notices_[free_.back()] = notice;
    free_.pop_back();
  }
  // The notification that a packet carries.
  Notice take(NodeId from, std::uint32_t serial) {
    const std::uint32_t place = place_of_.value(key_of(from, serial));
    place_of_.erase(key_of(from, serial));
    free_.push_back(place);
    return notices_[place];
  }

 private:
  static std::uint64_t key_of(NodeId node, std::uint32_t serial) {
    return static_cast<std::uint64_t>(node) << 32 | serial;
  }

  std::vector<Notice> due_;
  std::vector<Notice> notices_;      // on their way
  std::vector<std::uint32_t> free_;  // places in notices_
  FlatMap<std::uint64_t> place_of_;  // node and serial number -> place in notices_
};

}  // namespace headway
