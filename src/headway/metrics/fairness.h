// SPDX-License-Identifier: Apache-2.0
// Fairness: compares the accepted load of every destination with its max-min fair share, which depends only
// on the routes and the offered traffic. All fairness metrics are defined here.
//
// Fair share: the rates of all source-destination pairs increase together. A pair stops when it reaches its
// demand, or when a link on its path, including the links of nodes, is full. (Progressive filling; Bertsekas
// and Gallager, "Data networks", 2nd ed. 1992, section 6.5.2.) A destination's share is the sum over its
// sources. A run can give a pair more than this only at the expense of a pair with an equal or smaller rate,
// or while it delivers an earlier backlog. If only the links to destinations are bottlenecks, no destination
// can receive more. Index: Jain, Chiu and Hawe, "A quantitative measure of fairness", DEC-TR-301, 1984.
//
// Choice: the demand of a pair is the mean load of its flows over the window, as expected from the pattern
// and not as drawn from the seed; it does not include a backlog.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "headway/engine/network.h"
#include "headway/engine/workload.h"
#include "headway/metrics/window.h"

namespace headway {

// The links that each pair crosses, each with the share of the pair's traffic.
struct PairLinks {
  struct Use {
    std::uint32_t link;
    double share;
  };
  std::vector<std::size_t> first = {0};  // [pair] index in `uses`, with one entry past the last pair
  std::vector<Use> uses;

  std::span<const Use> of(std::size_t pair) const {
    return std::span(uses).subspan(first[pair], first[pair + 1] - first[pair]);
  }
};

// The max-min fair rate of every pair. Capacities [link] and demands [pair] have the same unit.
std::vector<double> max_min_rates(std::span<const double> capacity, const PairLinks& links,
                                  std::span<const double> demand);

// A pair of nodes and its demand.
struct PairDemand {
  NodeId source;
  NodeId destination;
  double bytes_per_tick;
};
// One entry per pair with traffic in [from, to), by source and then destination.
std::vector<PairDemand> demands(const Workload& workload, Tick from, Tick to);

// The routes must be known (packet_routes.h).
PairLinks links_of(const Network& network, std::span<const PairDemand> pairs);

// (sum x)^2 / (n sum x^2): 1 if all values are equal, 1/n if all but one are 0; NaN if all are 0.
double jain_index(std::span<const double> values);

// The loads of a destination, as fractions of the rate of its link.
struct Portion {
  double accepted_load = 0;
  double offered_load = 0;  // demand; can exceed 1
  double fair_share = 0;
  bool victim = false;  // receives less than victims_below of its fair share
};

class Fairness {
 public:
  Fairness(const Network& network, const Workload& workload, double victims_below);

  // [destination], for a measured window, or for a bin of a window with destinations_over_time.
  std::vector<Portion> portions(const Window& window);
  std::vector<Portion> portions(const Window& window, std::size_t reading);

 private:
  struct Share {
    double offered_load = 0;
    double fair_share = 0;
  };
  const std::vector<Share>& shares(Tick from, Tick to);
  template <class Accepted>
  std::vector<Portion> portions(Tick from, Tick to, const Accepted& accepted);

  const Network& network_;
  const Workload& workload_;
  double victims_below_;
  std::vector<double> loads_;  // [flow] loads for which `shares_` was computed
  std::vector<Share> shares_;  // [destination]
};

struct FairnessMetric {
  Metric metric;
  bool over_time;  // also a column of destination_series
  double (*value)(std::span<const Portion> portions);
};
std::span<const FairnessMetric> fairness_metrics();

}  // namespace headway
