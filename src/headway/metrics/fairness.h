// SPDX-License-Identifier: Apache-2.0
// Who pays for shared queues: what every destination got against its max-min fair share, the share that the
// routes and the offered traffic alone would allow. Every fairness metric is defined here once.
//
// The fair share: the rates of all source-destination pairs grow together; a pair stops when it has what it
// asks for, or when a link on its path, a node's included, is full. (Progressive filling; Bertsekas and
// Gallager, "Data networks", 2nd ed. 1992, section 6.5.2.) A destination's share is the sum over its sources.
// No run gives a pair more than this unless a pair that has as little or less pays for it, or an earlier
// backlog is being delivered; where only the links to destinations are short, no destination gets more at
// all. Index: Jain, Chiu and Hawe, "A quantitative measure of fairness", DEC-TR-301, 1984.
//
// Choice: what a pair asks for is the mean load of its flows over the window, by pattern and without the
// draws of a seed; a backlog is not asked for again. A pair with several candidate ports counts as spread
// evenly over them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "headway/engine/network.h"
#include "headway/engine/workload.h"
#include "headway/metrics/window.h"

namespace headway {

// Which links each pair crosses, and with which share of its traffic.
struct PairLinks {
  struct Use {
    std::uint32_t link;
    double share;
  };
  std::vector<std::size_t> first = {0};  // [pair] in `uses`, and one past the last
  std::vector<Use> uses;

  std::span<const Use> of(std::size_t pair) const {
    return std::span(uses).subspan(first[pair], first[pair + 1] - first[pair]);
  }
};

// The max-min fair rate of every pair; capacities [link] and demands [pair] in the same unit.
std::vector<double> max_min_rates(std::span<const double> capacity, const PairLinks& links,
                                  std::span<const double> demand);

// A pair of nodes and what it asks for.
struct PairDemand {
  NodeId source;
  NodeId destination;
  double bytes_per_tick;
};
// One per pair that the flows serve in [from, to), by source and then destination.
std::vector<PairDemand> demands(const Workload& workload, Tick from, Tick to);

PairLinks links_of(const Network& network, std::span<const PairDemand> pairs);

// The link that is asked for most of what it carries, and how much that is: above 1 no scheme can keep up
// with what the flows ask for. With adaptive routing only the links of nodes count, as the others may be
// shared in many ways.
struct AskedLink {
  PortId output = kNone;
  double load = 0;  // asked for, over the link's rate
};
AskedLink most_asked_link(const Network& network, const Workload& workload, Tick from, Tick to);

// (sum x)^2 / (n sum x^2): 1 if all are equal, 1/n if one has everything; NaN of nothing.
double jain_index(std::span<const double> values);

// What a destination gets, as fractions of the rate of its link.
struct Portion {
  double accepted_load = 0;
  double offered_load = 0;  // asked for; may be above 1
  double fair_share = 0;
  bool victim = false;  // gets less than the stated part of its fair share
};

class Fairness {
 public:
  Fairness(const Network& network, const Workload& workload, double victims_below);

  // [destination], of a measured window, and of a bin of one that keeps destinations over time.
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
  std::vector<double> loads_;  // [flow] that `shares_` were computed for
  std::vector<Share> shares_;  // [destination]
};

struct FairnessMetric {
  Metric metric;
  bool over_time;  // also a column of the series per destination
  double (*value)(std::span<const Portion> portions);
};
std::span<const FairnessMetric> fairness_metrics();

// Adds offered_load, fair_share and victim (1 or 0) to a table per destination.
void add_shares(std::span<const Portion> portions, Table& per_destination);

}  // namespace headway
