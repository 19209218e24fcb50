// SPDX-License-Identifier: Apache-2.0
// The link, or the links between two parts of the network, whose demand is highest in proportion to their
// capacity. Above 1, the network cannot carry the offered traffic.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "headway/analysis/link_demand.h"
#include "headway/base/memo.h"

namespace headway {

struct Bottleneck {
  double load = 0;     // demand divided by capacity
  std::string demand;  // "the demand of the flows on the link to node 3"; empty: there is no traffic
  std::string whose;   // "its capacity"

  std::string text() const;  // "the demand of the flows on the link to node 3 is 1.5 times its capacity"
};

// The bottlenecks of a network and its routes, so that the points of a sweep over the load compute theirs
// once. Thread-safe.
class Bottlenecks {
 public:
  // `rates`: [flow] of a source, in bytes per tick.
  Bottleneck of(const Network& network, const Workload& workload, std::span<const double> rates) const;
  // [output port] demand divided by capacity; NaN where the routes do not tell it (LinkDemand::exact).
  std::vector<double> links_of(const Network& network, const Workload& workload,
                               std::span<const double> rates) const;

 private:
  // Of traffic whose largest rate is 1.
  struct OfTraffic {
    Bottleneck most;
    std::vector<double> links;
    std::uint64_t bytes() const { return sizeof(OfTraffic) + links.capacity() * sizeof(double); }
  };
  std::shared_ptr<const OfTraffic> of_traffic(const Network& network, const Workload& workload,
                                              std::span<const double> rates, double largest) const;

  mutable Memo memo_;  // by the traffic, whose largest rate is 1, the tick, the slow nodes and the salt
};

}  // namespace headway
