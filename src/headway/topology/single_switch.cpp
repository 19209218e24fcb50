// SPDX-License-Identifier: Apache-2.0
// All nodes on one switch, node i at port i. Queueing theory has exact results for this network. Source:
// Karol, Hluchyj, Morgan, "Input versus output queueing on a space-division packet switch", IEEE Trans.
// Communications 35(12), 1987, section II.
#include "headway/topology/parts.h"

namespace headway {
namespace {

class SingleSwitch final : public Topology {
 public:
  void describe(Parameters& parameters) override {
    parameters.field({.name = "nodes",
                      .help = "number of nodes, one per switch port",
                      .bounds = Bounds::from(1, kMostSwitchPorts)},
                     nodes_);
  }

  std::int64_t nodes() const override { return nodes_; }
  std::int64_t switch_ports() const override { return nodes_; }

  Graph build(const Link& link) const override {
    return equal_switches(1, nodes_, static_cast<std::uint32_t>(nodes_), SingleSwitchShape{}, link);
  }

 private:
  std::int64_t nodes_ = 16;
};

}  // namespace

Entry<Topology> single_switch() {
  return {"single-switch", "all nodes on one switch", "Karol et al. 1987, section II",
          make_entry<Topology, SingleSwitch>};
}

}  // namespace headway
