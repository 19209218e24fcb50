// SPDX-License-Identifier: Apache-2.0
// The link, or the links between two parts of the network, whose demand is highest in proportion to their
// capacity. Above 1, the network cannot carry the offered traffic.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "headway/analysis/link_demand.h"
#include "headway/base/kept.h"

namespace headway {

struct Bottleneck {
  double load = 0;     // demand divided by capacity
  std::string demand;  // "the demand of the flows on the link to node 3"; empty: there is no traffic
  std::string whose;   // "its capacity"

  std::string text() const;  // "the demand of the flows on the link to node 3 is 1.5 times its capacity"
};

// The bottlenecks of a network and its routes, so that the points of a sweep over the load compute theirs
// once. Thread-safe.
class SeenBottlenecks {
 public:
  // `rates`: [flow] of a source, in bytes per tick.
  Bottleneck of(const Network& network, const Workload& workload, std::span<const double> rates);
  // [output port] demand divided by capacity; NaN where the routes do not tell it (LinkDemand::exact).
  std::vector<double> links_of(const Network& network, const Workload& workload,
                               std::span<const double> rates);

 private:
  struct Seen {
    std::mutex mutex;  // held while it is computed
    // What traffic whose largest rate is 1 has:
    std::optional<Bottleneck> most;
    std::vector<double> links;
    std::uint64_t bytes() const { return sizeof(Seen) + links.capacity() * sizeof(double); }
  };
  std::shared_ptr<Seen> seen(const Network& network, const Workload& workload, std::span<const double> rates,
                             double largest);

  static constexpr std::size_t kMost = 1000;
  static constexpr std::uint64_t kMostBytes = 256 << 20;
  Kept<Seen> seen_{
      kMost, kMostBytes};  // by the traffic, whose largest rate is 1, the tick, the slow nodes and the salt
};

}  // namespace headway
