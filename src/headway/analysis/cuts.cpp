// SPDX-License-Identifier: Apache-2.0
#include "headway/analysis/cuts.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "headway/base/cancel_scope.h"
#include "headway/topology/divisions.h"

namespace headway {
namespace {

using From = OfferedTraffic::From;

struct LinksOfPart {
  double demand = 0;
  double capacity = 0;
};
struct PartTraffic {
  LinksOfPart leaving, entering;
};

// The traffic and the links of every part of a division.
std::vector<PartTraffic> traffic_of_parts(const Division& division, const PacketRoutes& routes,
                                          const OfferedTraffic& traffic) {
  const Network& network = routes.network();
  const Graph& graph = network.graph;
  std::vector<PartTraffic> sums(division.parts);
  const auto part_from = [&](NodeId node) { return division.part_of[routes.switch_from(node)]; };
  const auto part_to = [&](NodeId node) { return division.part_of[routes.switch_to(node)]; };

  for (NodeId node = 0; node < graph.nodes(); ++node)
    for (const From& from : traffic.to(node)) {
      const std::uint32_t out_of = part_from(from.source), into = part_to(node);
      if (out_of == into) continue;
      if (out_of != kNone) sums[out_of].leaving.demand += from.rate;
      if (into != kNone) sums[into].entering.demand += from.rate;
    }
  std::vector<double> share(division.parts), rate(division.parts);
  for (const OfferedTraffic::SpreadTraffic& spread : traffic.spreads()) {
    std::ranges::fill(share, 0);
    std::ranges::fill(rate, 0);
    for (std::uint32_t place = 0; place < spread.destinations.count; ++place)
      if (const std::uint32_t into = part_to(spread.destinations.node(place)); into != kNone)
        share[into] += spread.destinations.share(place);
    for (const From& from : spread.from)
      if (const std::uint32_t out_of = part_from(from.source); out_of != kNone) rate[out_of] += from.rate;
    for (std::uint32_t i = 0; i < division.parts; ++i) {
      sums[i].leaving.demand += rate[i] * (1 - share[i]);
      sums[i].entering.demand += (spread.rate - rate[i]) * share[i];
    }
  }

  for (PortId output = 0; output < graph.switch_ports(); ++output) {
    const PortId peer = graph.peer_of(output);
    if (peer == kNone || graph.is_node_port(peer)) continue;
    const std::uint32_t out_of = division.part_of[graph.switch_of(output)],
                        into = division.part_of[graph.switch_of(peer)];
    if (out_of == into) continue;
    if (out_of != kNone) sums[out_of].leaving.capacity += bytes_per_tick(network, output);
    if (into != kNone) sums[into].entering.capacity += bytes_per_tick(network, output);
  }
  return sums;
}

}  // namespace

double bytes_per_tick(const Network& network, PortId output) {
  const std::uint32_t ticks = network.ports[network.link_port(output)].ticks_per_byte;
  return ticks == 0 ? 0.0 : 1.0 / ticks;
}

double capacity_of(const Network& network, PortId output) {
  const PortId peer = network.graph.peer_of(output);
  const double link = bytes_per_tick(network, output);
  if (peer == kNone || !network.graph.is_node_port(peer)) return link;
  const NodeId node = network.graph.node_of(peer);
  return network.is_slow(node) ? link * network.receive_rate[node].to_double() : link;
}

Cut tightest_cut(const PacketRoutes& routes, const OfferedTraffic& traffic) {
  // Choice: limits the work. Any set of cuts gives a bound.
  constexpr std::size_t kMostHalves = 32, kMostEntries = std::size_t{1} << 26;
  constexpr double kRounding = 1e-9;
  const auto halves = std::clamp<std::size_t>(kMostEntries / (traffic.entries() + 1), 1, kMostHalves);
  Cut tightest;
  visit_divisions(routes.network().graph, static_cast<std::uint32_t>(halves), [&](const Division& division) {
    poll_cancel();
    const std::vector<PartTraffic> sums = traffic_of_parts(division, routes, traffic);
    const auto consider = [&](std::uint32_t part, bool leaves, const LinksOfPart& sum) {
      if (sum.capacity <= 0 || sum.demand / sum.capacity <= tightest.load * (1 + kRounding)) return;
      tightest = {division.name(part), leaves, sum.demand / sum.capacity};
    };
    for (std::uint32_t part = 0; part < division.parts; ++part) {
      consider(part, true, sums[part].leaving);
      consider(part, false, sums[part].entering);
    }
  });
  return tightest;
}

}  // namespace headway
