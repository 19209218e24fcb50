// SPDX-License-Identifier: Apache-2.0
#include "headway/compile/seen_networks.h"

#include <fmt/format.h>

#include "headway/traffic/sources.h"

namespace headway {
namespace {

constexpr std::uint64_t kMostHeld = 512 << 20;  // then the networks seen so far are forgotten

std::string text_of(const Document& written, std::string_view path) {
  const Document* found = written.find(path);
  return found == nullptr ? "" : to_text(*found);
}

}  // namespace

SeenNetwork& SeenNetworks::network(const NetworkSpec& spec, const Document& written) {
  const std::string key = text_of(written, "network");
  if (const auto found = networks_.find(key); found != networks_.end()) return found->second;

  const Topology& topology = *spec.topology;
  SeenNetwork network;
  Mistakes mistakes;
  topology.check(mistakes);
  network.wrong = mistakes.list();
  if (network.wrong.empty()) {
    network.nodes = static_cast<std::uint32_t>(topology.nodes());
    network.memory = network_memory(topology);
    if (network.memory <= machine_memory()) build(spec, network);
  }
  return networks_[key] = std::move(network);
}

void SeenNetworks::build(const NetworkSpec& spec, SeenNetwork& network) {
  const std::uint64_t bytes = graph_memory(*spec.topology);
  if (bytes > to_build_) {
    left_out_ = true;
    return;
  }
  to_build_ -= bytes;
  if (held_ + bytes > kMostHeld) {
    networks_.clear();
    held_ = 0;
  }
  held_ += bytes;
  network.graph = spec.topology->build(spec.link);
}

SeenRoutes& SeenNetworks::routes(SeenNetwork& network, const RoutingSpec& spec, const Document& written) {
  const auto [found, fresh] = network.routes.try_emplace(text_of(written, "routing"));
  SeenRoutes& routes = found->second;
  if (fresh) try {
      routes.routes = spec.algorithm->build(*network.graph);
    } catch (const SpecError& error) {
      routes.wrong = error.mistakes();
    }
  return routes;
}

SeenSources& SeenNetworks::sources(SeenNetwork& network, const EventSpec& spec, const Document& written) {
  std::vector<FlowSources> wanted;
  std::string key = std::to_string(spec.seed);
  for (std::size_t f = 0; f < spec.traffic.flows.size(); ++f) {
    wanted.push_back({spec.traffic.flows[f].sources, fmt::format("traffic.flow[{}].sources", f)});
    key += ' ' + text_of(written, wanted.back().key);
  }
  const auto [found, fresh] = network.sources.try_emplace(std::move(key));
  SeenSources& seen = found->second;
  if (fresh) {
    Mistakes mistakes;
    for (const auto& of_flow : choose_sources(wanted, network.nodes, spec.seed, mistakes))
      seen.count.push_back(of_flow.size());
    seen.wrong = mistakes.list();
  }
  return seen;
}

}  // namespace headway
