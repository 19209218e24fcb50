// SPDX-License-Identifier: Apache-2.0
// Specs of the slotted kernel: `kernel = "slotted"` reads [network] as usual, while [switch], [traffic] and
// [measure] have the parameters below, in slots instead of times.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "headway/config/parameters.h"
#include "headway/spec/enums.h"
#include "headway/spec/network_spec.h"

namespace headway {

struct SlottedSpec {
  NetworkSpec network;  // a multistage network; its links carry a packet per slot
  // [switch]
  std::int64_t classes = 2;
  std::int64_t buffer = 2;
  std::int64_t layered_buffer = 1;
  std::vector<std::int64_t> stage_buffers;
  // Choice: the paper's text lets low priority leave only while no high-priority packet waits, but the
  // plateau of its Figure 3 is reached only if low priority may pass a blocked head
  // (papers/multilayer/README.md).
  bool pass = true;
  slotted::Queueing queueing = slotted::Queueing::input_link;
  slotted::Spread spread = slotted::Spread::by_sender;
  slotted::Blocked blocked = slotted::Blocked::wait;
  bool reuse = true;
  // [traffic]
  double load = 1.0;
  double hotspot_fraction = 0.0;
  std::int64_t hotspot = 0;
  std::optional<std::int64_t> hotspot_class;
  double high_share = 0.2;
  std::vector<std::int64_t> class_percent;
  WhenFull when_full = WhenFull::drop;
  // [measure]
  std::int64_t slots = 100'000;
  std::int64_t warmup_slots = 1'000;
  double delay_weight = 1.0;
  double throughput_weight = 1.0;

  std::uint64_t seed = 1;

  void describe_switch(Parameters& parameters);
  void describe_traffic(Parameters& parameters);
  void describe_measure(Parameters& parameters);
};

}  // namespace headway
