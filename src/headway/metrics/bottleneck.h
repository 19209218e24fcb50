// SPDX-License-Identifier: Apache-2.0
// The link, or the links between two parts of the network, whose demand is highest in proportion to their
// capacity. Above 1, the network cannot carry the offered traffic.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "headway/base/kept.h"
#include "headway/metrics/link_demand.h"

namespace headway {

struct Bottleneck {
  double load = 0;     // demand divided by capacity
  std::string demand;  // "the demand of the flows on the link to node 3"; empty: there is no traffic
  std::string whose;   // "its capacity"

  std::string text() const;  // "the demand of the flows on the link to node 3 is 1.5 times its capacity"
};

// `rates`: [flow] of a source, in bytes per tick.
Bottleneck bottleneck(const Network& network, const Workload& workload, std::span<const double> rates);

// The bottlenecks of a network and its routes, so that the points of a sweep over the load compute theirs
// once. Thread-safe.
class SeenBottlenecks {
 public:
  Bottleneck of(const Network& network, const Workload& workload, std::span<const double> rates);

 private:
  struct Seen {
    std::mutex mutex;  // held while it is computed
    std::optional<Bottleneck> of_largest_rate_1;
    std::uint64_t bytes() const { return sizeof(Seen); }
  };
  static constexpr std::size_t kMost = 1000;
  Kept<Seen> seen_{kMost,
                   UINT64_MAX};  // by the traffic, whose largest rate is 1, the tick and the slow nodes
};

}  // namespace headway
