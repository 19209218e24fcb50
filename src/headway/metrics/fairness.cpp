// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/fairness.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "headway/analysis/cuts.h"
#include "headway/analysis/offered_traffic.h"
#include "headway/analysis/packet_routes.h"
#include "headway/metrics/metric_names.h"
#include "headway/metrics/units.h"

namespace headway {
namespace {

// Progressive filling. All growing pairs have the same rate, the level. A link is full when the level equals
// the capacity that its stopped pairs leave, divided by the sum of the shares of its growing pairs.
class Filling {
 public:
  Filling(std::span<const double> capacity, const PairLinks& links, std::span<const double> demand)
      : links_(links), demand_(demand), rates_(demand.size()), stopped_(demand.size()) {
    for (const double bytes : capacity) of_link_.push_back({bytes, 0, {}});
    for (std::size_t pair = 0; pair < demand.size(); ++pair)
      for (const auto& [link, share] : links.of(pair)) {
        of_link_[link].growing += share;
        of_link_[link].pairs.push_back(pair);
      }
  }

  std::vector<double> rates() {
    std::vector<std::size_t> by_demand(demand_.size());
    std::iota(by_demand.begin(), by_demand.end(), 0);
    std::ranges::stable_sort(by_demand, {}, [&](std::size_t pair) { return demand_[pair]; });
    for (auto next = by_demand.begin(); next != by_demand.end();) {
      // stopping pairs below the level of the next full link can only raise that level
      const double level = next_full_level();
      const auto satisfied = next;
      while (next != by_demand.end() && demand_[*next] <= level) stop(*next, demand_[*next]), ++next;
      if (next == satisfied) stop_at_full_links(level);
      while (next != by_demand.end() && stopped_[*next]) ++next;
    }
    return std::move(rates_);
  }

 private:
  struct Link {
    double left;     // capacity left by the stopped pairs
    double growing;  // sum of the shares of the growing pairs
    std::vector<std::size_t> pairs;

    double full_level() const {
      return growing < kNothing ? std::numeric_limits<double>::infinity() : std::max(left, 0.0) / growing;
    }
  };
  static constexpr double kNothing = 1e-9;      // tolerance for rounding in sums of shares
  static constexpr double kSame = 1.0 + 1e-12;  // ratio of levels that differ only by rounding

  double next_full_level() const {
    double level = std::numeric_limits<double>::infinity();
    for (const Link& link : of_link_) level = std::min(level, link.full_level());
    return level;
  }

  void stop_at_full_links(double level) {
    for (Link& link : of_link_) {
      if (link.full_level() > level * kSame) continue;
      for (const std::size_t pair : link.pairs)
        if (!stopped_[pair]) stop(pair, level);
      link.growing = 0;
    }
  }

  void stop(std::size_t pair, double rate) {
    if (stopped_[pair]) return;
    stopped_[pair] = true;
    rates_[pair] = rate;
    for (const auto& [link, share] : links_.of(pair)) {
      of_link_[link].growing -= share;
      of_link_[link].left -= share * rate;
    }
  }

  const PairLinks& links_;
  std::span<const double> demand_;
  std::vector<double> rates_;
  std::vector<bool> stopped_;
  std::vector<Link> of_link_;
};

double last_link_rate(const Network& network, NodeId destination) {
  return bytes_per_tick(network, network.graph.source_of(network.adapter_port(destination)));
}

// Destinations that receive traffic.
template <class Fold>
void for_each_served(std::span<const Portion> portions, const Fold& fold) {
  for (const Portion& portion : portions)
    if (portion.fair_share > 0) fold(portion);
}

constexpr FairnessMetric kFairnessMetrics[] = {
    {{metrics::victims, "destinations",
      "destinations that received less than measure.victims_below of their max-min fair share",
      Needs::fairness},
     true,
     [](std::span<const Portion> portions) {
       return static_cast<double>(std::ranges::count(portions, true, &Portion::victim));
     }},
    {more_is_better({metrics::jain_index, "1",
                     "Jain's fairness index of the destinations' ratios of accepted load to max-min fair "
                     "share: 1 if all "
                     "ratios are equal, 1/n if only one of n destinations received data",
                     Needs::fairness}),
     true,
     [](std::span<const Portion> portions) {
       std::vector<double> parts;
       for_each_served(portions, [&](const Portion& p) { parts.push_back(p.accepted_load / p.fair_share); });
       return jain_index(parts);
     }},
    {more_is_better({"worst_part", "1",
                     "minimum ratio of accepted load to max-min fair share over the destinations",
                     OverSeeds::minimum, Needs::fairness}),
     true,
     [](std::span<const Portion> portions) {
       double worst = kNaN;
       for_each_served(portions,
                       [&](const Portion& p) { worst = std::fmin(worst, p.accepted_load / p.fair_share); });
       return worst;
     }},
    {{metrics::fair_efficiency, "fraction of link rate",
      "network efficiency if every destination received its max-min fair share; for nodes whose links have "
      "the same rate",
      Needs::fairness},
     false,
     [](std::span<const Portion> portions) {
       double sum = 0;
       for (const Portion& portion : portions) sum += portion.fair_share;
       return portions.empty() ? kNaN : sum / static_cast<double>(portions.size());
     }},
};

}  // namespace

std::vector<double> max_min_rates(std::span<const double> capacity, const PairLinks& links,
                                  std::span<const double> demand) {
  return Filling(capacity, links, demand).rates();
}

std::vector<PairDemand> demands(const Workload& workload, Tick from, Tick to) {
  const std::vector<double> rate_of_flow = mean_rates(workload, from, to);
  std::map<std::pair<NodeId, NodeId>, double> of_pair;  // sums over flows
  for (const Source& source : workload.sources) {
    const double rate = rate_of_flow[source.flow];
    if (rate <= 0) continue;
    workload.flows[source.flow].destinations->shares(source.node, [&](NodeId destination, double share) {
      of_pair[{source.node, destination}] += rate * share;
    });
  }
  std::vector<PairDemand> result;
  for (const auto& [pair, rate] : of_pair) result.push_back({pair.first, pair.second, rate});
  return result;
}

PairLinks links_of(const Network& network, std::span<const PairDemand> pairs) {
  PairLinks links;
  const PacketRoutes routes(network);
  Carrier carrier(network.graph);
  std::map<std::uint32_t, double> shares;  // a path can cross a link several times
  for (const PairDemand& pair : pairs) {
    shares.clear();
    routes.visit(carrier, pair.source, pair.destination,
                 [&](PortId output, double share) { shares[output] += share; });
    for (const auto& [link, share] : shares) links.uses.push_back({link, share});
    links.first.push_back(links.uses.size());
  }
  return links;
}

double jain_index(std::span<const double> values) {
  double sum = 0, squares = 0;
  for (const double value : values) sum += value, squares += value * value;
  return squares == 0 ? kNaN : sum * sum / (static_cast<double>(values.size()) * squares);
}

Fairness::Fairness(const Network& network, const Workload& workload, double victims_below)
    : network_(network), workload_(workload), victims_below_(victims_below) {}

const std::vector<Fairness::Share>& Fairness::shares(Tick from, Tick to) {
  to = std::max(to, from + 1);  // the window is empty if the network deadlocked before it
  std::vector<double> loads;
  for (const Flow& flow : workload_.flows) loads.push_back(mean_load(flow.load, from, to));
  if (loads == loads_ && !shares_.empty()) return shares_;
  loads_ = loads;

  const std::vector<PairDemand> pairs = demands(workload_, from, to);
  std::vector<double> capacity, demand;
  for (PortId output = 0; output < network_.graph.ports(); ++output)
    capacity.push_back(capacity_of(network_, output));
  for (const PairDemand& pair : pairs) demand.push_back(pair.bytes_per_tick);
  const std::vector<double> rates = max_min_rates(capacity, links_of(network_, pairs), demand);
  shares_.assign(network_.nodes(), {});
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const double link = last_link_rate(network_, pairs[i].destination);
    shares_[pairs[i].destination].offered_load += demand[i] / link;
    shares_[pairs[i].destination].fair_share += rates[i] / link;
  }
  return shares_;
}

template <class Accepted>
std::vector<Portion> Fairness::portions(Tick from, Tick to, const Accepted& accepted) {
  std::vector<Portion> result;
  for (const Share& share : shares(from, to)) {
    const double load = accepted(static_cast<NodeId>(result.size()));
    result.push_back({load, share.offered_load, share.fair_share, load < victims_below_ * share.fair_share});
  }
  return result;
}

std::vector<Portion> Fairness::portions(const Window& window) {
  return portions(window.first().tick, window.last().tick,
                  [&](NodeId destination) { return window.accepted_load(destination); });
}

std::vector<Portion> Fairness::portions(const Window& window, std::size_t reading) {
  return portions(window.readings()[reading - 1].tick, window.readings()[reading].tick,
                  [&](NodeId destination) { return window.accepted_load(destination, reading); });
}

std::span<const FairnessMetric> fairness_metrics() { return kFairnessMetrics; }

}  // namespace headway
