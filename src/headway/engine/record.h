// SPDX-License-Identifier: Apache-2.0
// What the engine counts: integers only, so that sums do not depend on order. Metrics are made of differences
// of two readings (metrics/).
#pragma once

#include <cstdint>
#include <vector>

#include "headway/base/histogram.h"
#include "headway/base/ids.h"

namespace headway {

struct Counters {
  std::uint64_t packets_generated = 0;
  std::uint64_t bytes_generated = 0;
  std::uint64_t packets_injected = 0;  // granted by their adapter
  std::uint64_t packets_delivered = 0;
  std::uint64_t bytes_delivered = 0;
  std::uint64_t packet_hops = 0;    // grants by switches
  std::uint64_t events = 0;         // taken from the event queue
  std::uint64_t out_of_order = 0;   // deliveries overtaken by a later packet of their source-destination pair
  std::uint64_t latency_ticks = 0;  // generation to delivery, summed over deliveries
  std::uint64_t network_latency_ticks = 0;  // injection to delivery
};

struct Record {
  Counters counters;
  Histogram latency;          // ticks, generation to delivery
  Histogram network_latency;  // ticks, injection to delivery
  std::uint64_t trace_hash = 0;
  std::vector<std::uint64_t> bytes_to;  // [destination], delivered
  std::vector<std::uint64_t>
      bytes_between;  // [source * nodes + destination], delivered; empty unless asked for

  std::uint64_t waiting_packets = 0;     // generated, not yet admitted to an injection queue
  std::uint64_t packets_in_network = 0;  // in injection queues, switches and on links
};

}  // namespace headway
