// SPDX-License-Identifier: Apache-2.0
#include "headway/compile/seen_networks.h"

namespace headway {
namespace {

constexpr std::uint64_t kMostHeld = 512 << 20;  // then the networks seen so far are forgotten

std::string text_of(const Document& written, std::string_view table) {
  const Document* found = written.member(table);
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
    left_out_ |= graph_memory(topology) > largest_;
    if (graph_memory(topology) <= largest_ && network.memory <= machine_memory())
      network.graph = topology.build(spec.link);
  }
  const std::uint64_t bytes = network.graph ? graph_memory(topology) : 0;
  if (held_ + bytes > kMostHeld) {
    networks_.clear();
    held_ = 0;
  }
  held_ += bytes;
  return networks_[key] = std::move(network);
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

}  // namespace headway
