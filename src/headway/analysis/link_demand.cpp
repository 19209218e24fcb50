// SPDX-License-Identifier: Apache-2.0
#include "headway/analysis/link_demand.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

#include "headway/base/cancel_scope.h"
#include "headway/base/together.h"

namespace headway {
namespace {

using From = OfferedTraffic::From;

// What is carried on its way, and the demand of the links that it has crossed.
struct Carried {
  explicit Carried(const Graph& graph) : carrier(graph), rate(graph.ports()) {}

  auto crosses() {
    return [this](PortId output, double amount) {
      ++crossings;
      rate[output] += amount;
    };
  }

  Carrier carrier;
  std::vector<double> rate;  // [output port]
  double crossings = 0;
};

// Adds what blocks of the work have carried, in their order, so that sums are rounded in the same way on any
// number of threads. Blocks after too many crossings are left out.
class InOrder {
 public:
  InOrder(Carried& sum, std::uint32_t blocks, double most_crossings)
      : sum_(sum), most_(most_crossings), done_(blocks) {}

  bool full() const {
    const std::scoped_lock lock(mutex_);
    return sum_.crossings > most_;
  }
  void add(std::uint32_t block, std::unique_ptr<Carried> carried) {
    const std::scoped_lock lock(mutex_);
    done_[block] = std::move(carried);
    for (; next_ < done_.size() && done_[next_]; ++next_) {
      const std::unique_ptr<Carried> next = std::move(done_[next_]);
      if (sum_.crossings > most_) continue;
      for (PortId output = 0; output < next->rate.size(); ++output) sum_.rate[output] += next->rate[output];
      sum_.crossings += next->crossings;
    }
  }

 private:
  Carried& sum_;
  double most_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Carried>> done_;  // [block] that waits for one before it
  std::size_t next_ = 0;                        // block to add
};

class Demand {
 public:
  Demand(const PacketRoutes& routes, const OfferedTraffic& traffic, const DemandWork& work)
      : routes_(routes), traffic_(traffic), graph_(routes.network().graph), work_(work), all_(graph_) {}

  LinkDemand demand() {
    if (routes_.knowledge() == RouteKnowledge::by_waypoint)
      by_waypoint();
    else if (routes_.known())
      directly();
    LinkDemand result{.rate = std::move(all_.rate), .exact = routes_.known() && fits_ && traffic_.complete()};
    // packets cross the links of their nodes on any route
    for (NodeId node = 0; node < graph_.nodes(); ++node) {
      result.rate[graph_.node_port(node)] = traffic_.from_node()[node];
      result.rate[graph_.source_of(graph_.node_port(node))] = traffic_.to_node()[node];
    }
    return result;
  }

 private:
  struct At {
    SwitchId sw;
    double rate;
  };
  struct Target {
    NodeId destination;
    double share;
  };
  // The destinations of a spread, or one for every switch where the routes to its nodes are the same.
  std::vector<Target> targets_of(const Spread& destinations) const {
    std::vector<Target> targets;
    std::vector<std::uint32_t> target_of(graph_.switches(), kNone);
    for (std::uint32_t place = 0; place < destinations.count; ++place) {
      const NodeId node = destinations.node(place);
      std::uint32_t& known = target_of[routes_.switch_to(node)];
      if (known == kNone || !routes_.by_switch()) {
        known = static_cast<std::uint32_t>(targets.size());
        targets.push_back({node, 0});
      }
      targets[known].share += destinations.share(place);
    }
    return targets;
  }

  // Carries the traffic of every target of a spread; carry(carried, destination, its share). Leaves out the
  // others if the first target shows that all of them would take too long.
  template <class Carry>
  void carry_spread(const Spread& destinations, Carry&& carry) {
    const std::vector<Target> targets = targets_of(destinations);
    if (targets.empty() || !fits_) return;
    const auto carry_target = [&](Carried& carried, std::uint32_t i) {
      carry(carried, targets[i].destination, targets[i].share);
    };
    const double before = all_.crossings;
    carry_target(all_, 0);
    const double others = (all_.crossings - before) * static_cast<double>(targets.size() - 1);
    fits_ = all_.crossings + others <= work_.most_crossings;
    if (fits_) carry_each(1, static_cast<std::uint32_t>(targets.size()), carry_target);
  }
  template <class Carry>
  void carry_ones(Carry&& carry) {
    std::vector<NodeId> destinations;
    for (NodeId destination = 0; destination < graph_.nodes(); ++destination)
      if (!traffic_.to(destination).empty()) destinations.push_back(destination);
    carry_each(0, static_cast<std::uint32_t>(destinations.size()),
               [&](Carried& carried, std::uint32_t i) { carry(carried, destinations[i]); });
  }

  // Calls carry(carried, i) for each i of the range, until that has taken too long. Blocks of a long range
  // are carried together, and there are as many for any number of threads.
  template <class Carry>
  void carry_each(std::uint32_t begin, std::uint32_t end, Carry&& carry) {
    const auto carry_block = [&](Carried& carried, std::uint32_t first, std::uint32_t last) {
      for (std::uint32_t i = first; i < last && carried.crossings <= work_.most_crossings; ++i) {
        poll_cancel();
        carry(carried, i);
      }
    };
    if (begin >= end || !fits_) return;
    const double visits = 1.0 * graph_.switches() * (end - begin);
    const auto blocks =
        static_cast<std::uint32_t>(std::clamp(visits / work_.visits_of_block, 1.0, kMostBlocks));
    if (blocks == 1) {
      carry_block(all_, begin, end);
    } else {
      const auto bound = [&](std::uint32_t block) {
        return begin + static_cast<std::uint32_t>(std::uint64_t{end - begin} * block / blocks);
      };
      InOrder in_order(all_, blocks, work_.most_crossings);
      together(blocks, [&](std::uint32_t block) {
        if (in_order.full()) return;
        auto carried = std::make_unique<Carried>(graph_);
        carry_block(*carried, bound(block), bound(block + 1));
        in_order.add(block, std::move(carried));
      });
    }
    fits_ = all_.crossings <= work_.most_crossings;
  }

  void directly() {
    carry_ones([&](Carried& carried, NodeId destination) {
      carry_pairs(carried, traffic_.to(destination), destination, 1);
    });
    for (const OfferedTraffic::SpreadTraffic& part : traffic_.spreads()) {
      const std::vector<At> sources = by_switch(part.from);
      carry_spread(part.destinations, [&](Carried& carried, NodeId destination, double share) {
        if (routes_.knowledge() == RouteKnowledge::by_pair)
          return carry_pairs(carried, part.from, destination, share);
        for (const At& at : sources) carried.carrier.add(at.sw, at.rate * share);
        routes_.to_destination(carried.carrier, kNone, destination, carried.crosses());
      });
    }
  }

  void carry_pairs(Carried& carried, std::span<const From> list, NodeId destination, double share) const {
    for (const From& from : list) {
      // no link between switches; also the share of a source that does not send to itself
      if (routes_.switch_from(from.source) == routes_.switch_to(destination)) continue;
      carried.carrier.add(routes_.switch_from(from.source), from.rate * share);
      if (routes_.knowledge() == RouteKnowledge::by_pair)
        routes_.to_destination(carried.carrier, from.source, destination, carried.crosses());
    }
    if (routes_.knowledge() != RouteKnowledge::by_pair)
      routes_.to_destination(carried.carrier, kNone, destination, carried.crosses());
  }

  std::vector<At> by_switch(std::span<const From> list) const {
    std::vector<double> rate(graph_.switches());
    for (const From& from : list) rate[routes_.switch_from(from.source)] += from.rate;
    std::vector<At> result;
    for (SwitchId sw = 0; sw < graph_.switches(); ++sw)
      if (rate[sw] != 0) result.push_back({sw, rate[sw]});
    return result;
  }

  void by_waypoint() {
    find_parts();
    carry_to_waypoints();
    carry_ones([&](Carried& carried, NodeId destination) { carry_ones_to(carried, destination); });
    for (const OfferedTraffic::SpreadTraffic& part : traffic_.spreads()) carry_from_waypoints(part);
  }

  void find_parts() {
    switches_of_.resize(routes_.waypoints());
    for (SwitchId sw = 0; sw < graph_.switches(); ++sw) switches_of_[routes_.part(sw)].push_back(sw);
    nodes_of_.resize(routes_.waypoints());
    for (NodeId node = 0; node < graph_.nodes(); ++node) nodes_of_[part_to(node)].push_back(node);
    wide_ = std::ranges::any_of(switches_of_, [](const auto& part) { return part.size() > 1; });
    if (wide_) find_entries();
  }
  std::uint32_t part_to(NodeId node) const { return routes_.part(routes_.switch_to(node)); }
  std::uint32_t part_from(NodeId node) const { return routes_.part(routes_.switch_from(node)); }

  // Where packets from a switch enter a waypoint of several switches.
  void find_entries() {
    const std::uint32_t waypoints = routes_.waypoints();
    first_entry_.push_back(0);
    for (SwitchId sw = 0; sw < graph_.switches(); ++sw)
      for (std::uint32_t waypoint = 0; waypoint < waypoints; ++waypoint) {
        if (waypoint != routes_.part(sw)) {
          all_.carrier.add(sw, 1);
          routes_.to_waypoint(
              all_.carrier, waypoint, [](PortId, double) {},
              [&](SwitchId entry, double amount) { entries_.push_back({entry, amount}); });
        }
        first_entry_.push_back(entries_.size());
      }
  }
  template <class Visit>
  void for_each_entry(SwitchId sw, std::uint32_t waypoint, Visit&& visit) const {
    if (!wide_) return visit(switches_of_[waypoint].front(), 1.0);
    const std::size_t index = std::size_t{sw} * routes_.waypoints() + waypoint;
    for (std::size_t i = first_entry_[index]; i < first_entry_[index + 1]; ++i)
      visit(entries_[i].sw, entries_[i].rate);
  }

  // All traffic that takes a waypoint, to every waypoint: what a switch sends to other parts, without what it
  // sends to the waypoint itself.
  void carry_to_waypoints() {
    std::vector<double> out(graph_.switches());  // traffic to other parts
    for (NodeId node = 0; node < graph_.nodes(); ++node) {
      out[routes_.switch_from(node)] += traffic_.from_node()[node];
      for (const From& from : traffic_.to(node))
        if (part_from(from.source) == part_to(node)) out[routes_.switch_from(from.source)] -= from.rate;
    }
    std::vector<std::vector<At>> sources;
    std::vector<std::vector<double>> share_of;  // [spread][part]
    for (const OfferedTraffic::SpreadTraffic& part : traffic_.spreads()) {
      sources.push_back(by_switch(part.from));
      share_of.push_back(shares_of_parts(part.destinations));
      for (const At& at : sources.back()) out[at.sw] -= at.rate * share_of.back()[routes_.part(at.sw)];
    }
    for (std::uint32_t waypoint = 0; waypoint < routes_.waypoints() && fits_; ++waypoint) {
      poll_cancel();
      std::vector<double> amount = out;
      for (std::size_t s = 0; s < sources.size(); ++s)
        for (const At& at : sources[s]) amount[at.sw] -= at.rate * share_of[s][waypoint];
      for (const NodeId node : nodes_of_[waypoint])
        for (const From& from : traffic_.to(node)) amount[routes_.switch_from(from.source)] -= from.rate;
      for (SwitchId sw = 0; sw < graph_.switches(); ++sw)
        if (routes_.part(sw) != waypoint && amount[sw] != 0)
          all_.carrier.add(sw, amount[sw] / routes_.drawn_waypoints());
      routes_.to_waypoint(all_.carrier, waypoint, all_.crosses(), [](SwitchId, double) {});
      fits_ = all_.crossings <= work_.most_crossings;
    }
  }

  std::vector<double> shares_of_parts(const Spread& destinations) const {
    std::vector<double> shares(routes_.waypoints());
    for (std::uint32_t place = 0; place < destinations.count; ++place)
      shares[part_to(destinations.node(place))] += destinations.share(place);
    return shares;
  }

  // The other traffic to a destination: from the waypoints, or directly within its part.
  void carry_ones_to(Carried& carried, NodeId destination) const {
    const std::uint32_t to = part_to(destination);
    double from_anywhere = 0;
    for (const From& from : traffic_.to(destination)) {
      const SwitchId sw = routes_.switch_from(from.source);
      if (routes_.part(sw) == to) {
        if (sw != routes_.switch_to(destination)) carried.carrier.add(sw, from.rate);
        continue;
      }
      const double rate = from.rate / routes_.drawn_waypoints();
      if (wide_) {
        for (std::uint32_t waypoint = 0; waypoint < routes_.waypoints(); ++waypoint)
          if (waypoint != to && waypoint != routes_.part(sw))
            for_each_entry(sw, waypoint,
                           [&](SwitchId entry, double share) { carried.carrier.add(entry, rate * share); });
      } else {
        from_anywhere += rate;
        carried.carrier.add(sw, -rate);
      }
    }
    if (from_anywhere != 0)
      for (std::uint32_t waypoint = 0; waypoint < routes_.waypoints(); ++waypoint)
        if (waypoint != to) carried.carrier.add(switches_of_[waypoint].front(), from_anywhere);
    routes_.to_destination(carried.carrier, kNone, destination, carried.crosses());
  }

  // A spread from the waypoints: what all sources send over a switch, without those of the destination's
  // part, which send directly.
  void carry_from_waypoints(const OfferedTraffic::SpreadTraffic& part) {
    const std::vector<At> sources = by_switch(part.from);
    std::vector<double> over(graph_.switches());                   // traffic of all sources
    std::vector<std::vector<At>> sources_of(routes_.waypoints());  // [part]
    for (const At& at : sources) sources_of[routes_.part(at.sw)].push_back(at);
    const auto add_entries = [&](const At& at, auto&& add) {
      for (std::uint32_t waypoint = 0; waypoint < routes_.waypoints(); ++waypoint)
        if (waypoint != routes_.part(at.sw))
          for_each_entry(at.sw, waypoint, [&](SwitchId entry, double share) {
            add(entry, at.rate * share / routes_.drawn_waypoints());
          });
    };
    double rate = 0;
    for (const At& at : sources) {
      rate += at.rate;
      if (wide_) add_entries(at, [&](SwitchId sw, double amount) { over[sw] += amount; });
    }
    if (!wide_) {
      for (double& amount : over) amount = rate / routes_.drawn_waypoints();
      for (const At& at : sources) over[at.sw] -= at.rate / routes_.drawn_waypoints();
    }
    std::vector<std::vector<double>> own(wide_ ? routes_.waypoints() : 0);  // [part], when first needed
    std::deque<std::once_flag> knows_own(own.size());
    const auto find_own = [&](std::uint32_t to) {
      own[to].resize(graph_.switches());
      for (const At& at : sources_of[to])
        add_entries(at, [&](SwitchId sw, double amount) { own[to][sw] += amount; });
    };
    carry_spread(part.destinations, [&](Carried& carried, NodeId destination, double share) {
      const std::uint32_t to = part_to(destination);
      if (wide_ && !sources_of[to].empty()) std::call_once(knows_own[to], find_own, to);
      double own_rate = 0;
      for (const At& at : sources_of[to]) own_rate += at.rate / routes_.drawn_waypoints();
      for (SwitchId sw = 0; sw < graph_.switches(); ++sw) {
        if (routes_.part(sw) == to) continue;
        const double without = sources_of[to].empty() ? 0 : wide_ ? own[to][sw] : own_rate;
        if (const double amount = over[sw] - without; amount != 0) carried.carrier.add(sw, amount * share);
      }
      for (const At& at : sources_of[to])
        if (at.sw != routes_.switch_to(destination)) carried.carrier.add(at.sw, at.rate * share);
      routes_.to_destination(carried.carrier, kNone, destination, carried.crosses());
    });
  }

  static constexpr double kMostBlocks = 16;

  const PacketRoutes& routes_;
  const OfferedTraffic& traffic_;
  const Graph& graph_;
  const DemandWork work_;
  Carried all_;
  bool fits_ = true;  // the work is within its limit
  // For waypoints:
  std::vector<std::vector<SwitchId>> switches_of_;  // [part]
  std::vector<std::vector<NodeId>> nodes_of_;       // [part]
  bool wide_ = false;                               // some parts have several switches
  std::vector<std::size_t> first_entry_;            // [switch * waypoints + waypoint] index in entries_
  std::vector<At> entries_;
};

}  // namespace

LinkDemand link_demand(const PacketRoutes& routes, const OfferedTraffic& traffic, const DemandWork& work) {
  return Demand(routes, traffic, work).demand();
}

}  // namespace headway
