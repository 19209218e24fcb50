// SPDX-License-Identifier: Apache-2.0
#include "headway/topology/multistage.h"

#include <algorithm>

#include "headway/topology/banyan.h"

namespace headway {
namespace {

template <std::size_t kIndex>
class Wired final : public Multistage {
 public:
  Wired() : Multistage(wirings()[kIndex].name) {}
};

template <std::size_t kIndex>
Entry<Topology> entry() {
  return {wirings()[kIndex].name, wirings()[kIndex].help, wirings()[kIndex].source,
          make_entry<Topology, Wired<kIndex>>};
}

}  // namespace

void Multistage::describe(Parameters& parameters) {
  parameters.field({.name = "nodes",
                    .help = "number of network inputs, a power of fan_in",
                    .bounds = Bounds::from(2, kMostMultistageNodes)},
                   nodes_);
  parameters.field(
      {.name = "fan_in", .help = "number of inputs of a switch", .bounds = Bounds::from(2, kMaxFan)},
      fan_in_);
  parameters.field({.name = "fan_out",
                    .help = "number of outputs of a switch; default: fan_in, the only value that the "
                            "event-driven kernel supports",
                    .bounds = Bounds::from(2, kMaxFan)},
                   fan_out_);
  parameters.field({.name = "layers",
                    .help = "number of layers of the last stage; each earlier stage has half as many, at "
                            "least one (slotted kernel only)",
                    .bounds = Bounds::from(1, kMostMultistageNodes)},
                   layers_);
  parameters.field({.name = "stage_layers",
                    .help = "number of layers of each stage; replaces layers",
                    .bounds = Bounds::from(1, kMostMultistageNodes)},
                   stage_layers_);
}

std::vector<std::uint32_t> Multistage::layers() const {
  if (!stage_layers_.empty()) return {stage_layers_.begin(), stage_layers_.end()};
  return doubling_layers(stages(), static_cast<std::uint32_t>(layers_));
}

std::uint32_t Multistage::stages() const {
  return exact_log(static_cast<std::uint32_t>(fan_in_), static_cast<std::uint64_t>(nodes_));
}

void Multistage::check(Mistakes& mistakes) const {
  if (stages() == 0)
    mistakes.add("network.nodes", std::to_string(nodes_) + " is not a power of " + std::to_string(fan_in_),
                 "stages of switches with " + std::to_string(fan_in_) +
                     " inputs connect a power of this number of nodes");
  if (fan_out() != fan_in_)
    mistakes.add("network.fan_out",
                 "the event-driven kernel needs switches with equally many inputs and outputs",
                 "kernel = \"slotted\" supports other numbers");
  if (std::ranges::any_of(layers(), [](std::uint32_t n) { return n != 1; }))
    mistakes.add("network.layers", "the event-driven kernel supports only one layer per stage",
                 "kernel = \"slotted\" supports more");
}

std::int64_t Multistage::switch_ports() const { return nodes_ * stages(); }

Graph Multistage::build(const Link& link) const {
  const auto fan = static_cast<std::uint32_t>(fan_in_), ends = static_cast<std::uint32_t>(nodes_);
  const Banyan net = make_banyan(wiring_, fan, fan, stages());
  const std::uint32_t per_stage = ends / fan;
  Graph graph(ends, std::vector<std::uint32_t>(std::size_t{net.stages} * per_stage, fan),
              StagesShape{fan, net.stages, net.digit_of});
  const auto port = [&](std::uint32_t stage, std::uint32_t position) {
    return graph.port(stage * per_stage + position / fan, position % fan);
  };
  for (std::uint32_t from = 0; from < ends; ++from) {
    graph.connect_directed(graph.node_port(from), port(0, net.link_to[0][from]), link);
    for (std::uint32_t i = 1; i < net.stages; ++i)
      graph.connect_directed(port(i - 1, from), port(i, net.link_to[i][from]), link);
    graph.connect_directed(port(net.stages - 1, from), graph.node_port(net.link_to[net.stages][from]), link);
  }
  return graph;
}

Entry<Topology> omega() { return entry<0>(); }
Entry<Topology> delta() { return entry<1>(); }
Entry<Topology> generalised_cube() { return entry<2>(); }
Entry<Topology> indirect_cube() { return entry<3>(); }
Entry<Topology> baseline() { return entry<4>(); }

}  // namespace headway
