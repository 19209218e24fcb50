// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "headway/compile/machine.h"
#include "headway/compile/plan/parts.h"

namespace headway {
namespace {

struct BuiltNetwork {
  std::uint32_t nodes = 0;
  std::uint64_t memory = 0;             // network_memory
  std::shared_ptr<const Graph> graph;   // null: too large to build
  std::shared_ptr<const Graph> placed;  // Plan
  std::vector<double> rates;            // Plan
  std::uint64_t graph_bytes = 0;
  std::uint64_t bytes() const { return graph ? graph_bytes : 0; }
};

bool may_build(std::uint64_t bytes, std::uint64_t* left) {
  if (left == nullptr) return true;
  if (bytes > *left) return false;
  *left -= bytes;
  return true;
}

BuiltNetwork built(const NetworkSpec& spec, const NetworkChanges& changes, std::uint64_t* graphs_left,
                   Mistakes& mistakes) {
  const Topology& topology = *spec.topology;
  topology.check(mistakes);
  if (!mistakes.empty()) return {};
  BuiltNetwork network{.nodes = static_cast<std::uint32_t>(topology.nodes()),
                       .memory = network_memory(topology),
                       .graph = nullptr,
                       .placed = nullptr,
                       .rates = {},
                       .graph_bytes = graph_memory(topology)};
  if (network.memory > machine_memory() || !may_build(network.graph_bytes, graphs_left)) return network;
  Graph graph = topology.build(spec.link);
  apply(spec.faults, graph);
  network.graph = network.placed = std::make_shared<const Graph>(std::move(graph));
  if (!changes.change_links()) return network;
  network.graph = std::make_shared<const Graph>(changed(*network.placed, changes));
  network.rates = rates_of_nodes(*network.placed, *network.graph);
  return network;
}

}  // namespace

std::string text_of(const Document& written, std::string_view path) {
  const Document* found = written.find(path);
  return found == nullptr ? "" : to_text(*found);
}

std::string contents_of(const std::vector<FileKey>& files) {
  std::string text;
  Mistakes none;  // a reader of the file reports that it cannot be read
  for (const auto& [key, file] : files)
    text += file.text("", none) == nullptr ? " unreadable" : fmt::format(" {:016x}", file.hash());
  return text;
}

std::string hashes_of(const std::vector<FileKey>& files) {
  std::string text;
  for (const auto& [key, file] : files) try {
      text += fmt::format(" {:016x}", file.hash());
    } catch (const SpecError&) {
      text += " unreadable";  // its reader reports it
    }
  return text;
}

void plan_network(PlanSource& from, Plan& plan) {
  from.network = text_of(from.written, "network") + text_of(from.written, "what_if") +
                 contents_of(files_of(from.spec.network.topology)) +
                 contents_of(files_of(from.spec.routing.algorithm));
  const auto part = shared_part<BuiltNetwork>(from.planning.memo, from.network, [&](Mistakes& mistakes) {
    return built(from.spec.network, from.spec.what_if.network, from.planning.graphs_left, mistakes);
  });
  plan.mistakes.add_all(part->wrong);
  plan.nodes = part->value.nodes;
  plan.graph = part->value.graph;
  plan.placed = part->value.placed;
  plan.rates = part->value.rates;
  plan.need.start = plan.need.network = part->value.memory;
}

}  // namespace headway
