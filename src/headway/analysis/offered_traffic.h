// SPDX-License-Identifier: Apache-2.0
// The traffic that the flows of a workload offer on average, as a sum of few components even where every node
// sends to every other one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "headway/engine/workload.h"
#include "headway/topology/hosts.h"

namespace headway {

class OfferedTraffic {
 public:
  // Rates in any unit, such as bytes per tick. A rate to a single destination can be below 0
  // (Destinations::Components).
  struct From {
    NodeId source;
    double rate;
  };
  // Sources that send to the same destinations in the same proportions.
  struct SpreadTraffic {
    Spread destinations;
    std::vector<From> from;
    double rate = 0;  // of all sources
  };

  // Choice: components with a single destination that are kept, which need less than 200 MB. Patterns that
  // are spreads have at most two for each source; a matrix of 2048 nodes has as many as this.
  static constexpr std::size_t kMostOnes = std::size_t{1} << 22;

  // `rate` is that of every source, by flow: [flow]. Keeps references into the patterns of the workload. With
  // `hosts`, the traffic is evenly spread over the ways between them.
  OfferedTraffic(const Workload& workload, std::uint32_t nodes, std::span<const double> rate_of_flow,
                 const Hosts& hosts = {});

  const std::vector<SpreadTraffic>& spreads() const { return spreads_; }
  // The other traffic to a destination.
  std::span<const From> to(NodeId destination) const {
    return std::span(ones_).subspan(first_[destination], first_[destination + 1] - first_[destination]);
  }
  // False if there were too many components: the others are left out, but not from the rates of nodes.
  bool complete() const { return complete_; }
  const std::vector<double>& from_node() const { return from_node_; }  // [node] rate
  const std::vector<double>& to_node() const { return to_node_; }      // [node] rate
  std::size_t entries() const { return entries_; }  // of all lists, as a measure of the work
  // Identifies the traffic: equal for equal components.
  std::uint64_t hash() const;

 private:
  std::vector<SpreadTraffic> spreads_;
  std::vector<std::size_t> first_;  // [destination] index in `ones_`, with one entry past the last
  std::vector<From> ones_;
  std::vector<double> from_node_, to_node_;
  std::size_t entries_ = 0;
  bool complete_ = true;
};

// Returns true if loads do not determine the traffic: with traces, jobs, or sources that always have a
// message.
bool is_closed_loop(const Workload& workload);

// [flow] the mean rate of a source in [from, to), in bytes per tick.
std::vector<double> mean_rates(const Workload& workload, Tick from, Tick to);

}  // namespace headway
