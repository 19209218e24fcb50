// SPDX-License-Identifier: Apache-2.0
#include "headway/analysis/bottleneck.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "headway/analysis/cuts.h"
#include "headway/base/rng.h"

namespace headway {
namespace {

std::string text_of_output(const Graph& graph, PortId output) {
  const PortId peer = graph.peer_of(output);
  if (graph.is_node_port(peer))
    return fmt::format("the link to node {}", graph.node_name(graph.node_of(peer)));
  if (graph.is_node_port(output))
    return fmt::format("the link from node {}", graph.node_name(graph.node_of(output)));
  return fmt::format("the link from switch {} to switch {}", graph.switch_name(graph.switch_of(output)),
                     graph.switch_name(graph.switch_of(peer)));
}

Bottleneck most_loaded_link(const Network& network, const LinkDemand& demand) {
  constexpr double kRounding = 1e-9;
  const Graph& graph = network.graph;
  PortId most = kNone;
  double load = 0;
  for (PortId output = 0; output < demand.rate.size(); ++output) {
    if (demand.rate[output] <= 0) continue;
    const bool of_node = graph.is_node_port(output) || graph.is_node_port(graph.peer_of(output));
    // among links with the same traffic, prefer the link of the node, where the traffic converges
    const double here = demand.rate[output] / capacity_of(network, output);
    if (here > load * (of_node ? 1 - kRounding : 1 + kRounding)) most = output, load = here;
  }
  if (most == kNone) return {};
  if (capacity_of(network, most) < bytes_per_tick(network, most))
    return {load, "the demand of the flows to node " + graph.node_name(graph.node_of(graph.peer_of(most))),
            "what it consumes"};
  return {load, "the demand of the flows on " + text_of_output(graph, most), "its capacity"};
}

Bottleneck at_cut(const Cut& cut) {
  return {cut.load,
          fmt::format("the demand of the flows that {} {}", cut.leaves ? "leave" : "enter", cut.part),
          fmt::format("the capacity of the links that {} it", cut.leaves ? "leave" : "enter")};
}

// [output port] demand divided by capacity; NaN where the demand is only a lower bound.
std::vector<double> loads_of(const Network& network, const LinkDemand& demand) {
  const Graph& graph = network.graph;
  std::vector<double> loads(graph.ports(), std::nan(""));
  for (PortId output = 0; output < loads.size(); ++output)
    if (graph.peer_of(output) != kNone &&
        (demand.exact || graph.is_node_port(output) || graph.is_node_port(graph.peer_of(output))))
      loads[output] = demand.rate[output] / capacity_of(network, output);
  return loads;
}

Bottleneck bottleneck_of(const Network& network, const PacketRoutes& routes, const OfferedTraffic& traffic,
                         const LinkDemand& demand) {
  Bottleneck most = most_loaded_link(network, demand);
  if (demand.exact) return most;
  constexpr double kRounding = 1e-9;
  const Cut cut = tightest_cut(routes, traffic);
  return cut.load > most.load * (1 + kRounding) ? at_cut(cut) : most;
}

// A hash of the rates at which nodes consume packets.
std::uint64_t hash_of_receivers(const Network& network) {
  std::uint64_t hash = 0;
  for (const Rational& rate : network.receive_rate)
    hash = mix64(hash ^ static_cast<std::uint64_t>(rate.numerator()) << 32 ^
                 static_cast<std::uint64_t>(rate.denominator()));
  return hash;
}

// The rates as multiples of the largest one, rounded, so that they do not depend on it.
std::vector<double> proportions(std::span<const double> rates, double largest) {
  constexpr double kSteps = 1e12;
  std::vector<double> result;
  for (const double rate : rates) result.push_back(std::round(rate / largest * kSteps) / kSteps);
  return result;
}

}  // namespace

std::string Bottleneck::text() const {
  const std::string times = fmt::format("{:.4g}", load);
  return times == "1" ? fmt::format("{} is {:.2g} % more than {}", demand, 100 * (load - 1), whose)
                      : fmt::format("{} is {} times {}", demand, times, whose);
}

std::shared_ptr<const Bottlenecks::OfTraffic> Bottlenecks::of_traffic(const Network& network,
                                                                      const Workload& workload,
                                                                      std::span<const double> rates,
                                                                      double largest) const {
  const OfferedTraffic traffic(workload, network.nodes(), proportions(rates, largest), network.graph.hosts());
  const std::string key = fmt::format("{:016x} {} {:016x} {}", traffic.hash(), to_string(network.tick),
                                      hash_of_receivers(network), network.routes.table.salt());
  return memo_.get<OfTraffic>(key, [&] {
    const PacketRoutes routes(network);
    const LinkDemand demand = link_demand(routes, traffic);
    return OfTraffic{bottleneck_of(network, routes, traffic, demand), loads_of(network, demand)};
  });
}

Bottleneck Bottlenecks::of(const Network& network, const Workload& workload,
                           std::span<const double> rates) const {
  const double largest = rates.empty() ? 0 : std::ranges::max(rates);
  if (largest <= 0) return {};
  Bottleneck result = of_traffic(network, workload, rates, largest)->most;
  result.load *= largest;
  return result;
}

std::vector<double> Bottlenecks::links_of(const Network& network, const Workload& workload,
                                          std::span<const double> rates) const {
  const double largest = rates.empty() ? 0 : std::ranges::max(rates);
  if (largest <= 0) return std::vector<double>(network.graph.ports());
  std::vector<double> loads = of_traffic(network, workload, rates, largest)->links;
  for (double& load : loads) load *= largest;
  return loads;
}

}  // namespace headway
