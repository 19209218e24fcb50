// SPDX-License-Identifier: Apache-2.0
// Feedback that shares the links with packets: credits and signals of isolation that input ports of
// switches send to their senders. It waits at the port until the link in the reverse direction takes it
// (docs/modelling.md, "Feedback"). Empty in networks whose feedback has a separate path.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "headway/base/ids.h"

namespace headway {

class Feedback {
 public:
  void prepare(std::uint32_t devices, std::uint32_t ports, std::uint32_t queues) {
    shares_links_ = true;
    waiting_.resize(devices);
    ports_.resize(ports);
    credits_.resize(queues);
    next_queue_.resize(queues);
  }

  // Memory of this object.
  static std::uint64_t bytes(std::uint64_t devices, std::uint64_t ports, std::uint64_t queues) {
    return devices * sizeof(std::uint16_t) + ports * sizeof(Port) + queues * 2 * sizeof(std::uint32_t);
  }

  bool shares_links() const { return shares_links_; }
  // Returns true if feedback waits for any link of the device.
  bool waits(std::uint32_t device) const { return shares_links_ && waiting_[device] > 0; }
  bool has_credits(PortId input) const { return ports_[input].first_queue != kNone; }
  bool has_credits_of(std::uint32_t queue) const { return credits_[queue] > 0; }
  bool has_signal(PortId input) const { return ports_[input].first_signal != kNone; }

  // Adds credits for a queue of an input port of the device: memory is free.
  void add_credits(std::uint32_t device, PortId input, std::uint32_t queue, std::uint32_t credits) {
    const bool had_some = credits_[queue] > 0;
    credits_[queue] += credits;
    if (had_some) return;
    std::uint32_t& first = ports_[input].first_queue;
    if (first == kNone) ++waiting_[device];
    next_queue_[queue] = std::exchange(first, queue);
  }
  // Calls send(queue, credits) for each queue with credits, in any order.
  template <class Send>
  void take_credits(std::uint32_t device, PortId input, Send&& send) {
    --waiting_[device];
    for (std::uint32_t queue = std::exchange(ports_[input].first_queue, kNone); queue != kNone;
         queue = next_queue_[queue])
      send(queue, std::exchange(credits_[queue], 0));
  }

  // Adds a signal (its number in Isolation). take_signal returns them in this order.
  void add_signal(std::uint32_t device, PortId input, std::uint32_t signal) {
    if (next_signal_.size() <= signal) next_signal_.resize(signal + 1);
    next_signal_[signal] = kNone;
    Port& port = ports_[input];
    if (port.first_signal == kNone) {
      ++waiting_[device];
      port.first_signal = signal;
    } else {
      next_signal_[port.last_signal] = signal;
    }
    port.last_signal = signal;
  }
  std::uint32_t take_signal(std::uint32_t device, PortId input) {
    Port& port = ports_[input];
    const std::uint32_t signal = std::exchange(port.first_signal, next_signal_[port.first_signal]);
    if (port.first_signal == kNone) --waiting_[device];
    return signal;
  }

  const std::vector<std::uint32_t>& credits() const { return credits_; }  // [queue], for checks

 private:
  struct Port {
    std::uint32_t first_queue = kNone;  // with credits
    std::uint32_t first_signal = kNone;
    std::uint32_t last_signal = kNone;
  };
  bool shares_links_ = false;
  std::vector<std::uint16_t> waiting_;      // [device] input ports with credits, plus those with signals
  std::vector<Port> ports_;                 // [port of the graph]
  std::vector<std::uint32_t> credits_;      // [queue]
  std::vector<std::uint32_t> next_queue_;   // [queue] next queue with credits of the same port
  std::vector<std::uint32_t> next_signal_;  // [signal] next one of the same port
};

}  // namespace headway
