// SPDX-License-Identifier: Apache-2.0
// vFtree: each pair of a source switch and a destination switch has one queue (a virtual lane in the paper),
// so that flows over a shared link to different destination switches are in different queues. The queue has
// the same number in both directions. Source: Guay, Bogdanski, Reinemo, Lysne and Skeie, "vFtree: a fat-tree
// routing algorithm using virtual lanes to alleviate congestion", IPDPS 2011; US patent 9,325,619, claim 1.
#include <algorithm>
#include <vector>

#include "headway/queueing/scheme.h"
#include "headway/topology/distances.h"

namespace headway {
namespace {

class VfTree final : public Scheme {
 public:
  void describe(Parameters& parameters) override {
    parameters.field(
        {.name = "queues", .help = "queues per input port", .bounds = Bounds::from(1, kMostQueuesPerPort)},
        queues_);
  }

  // Choice: the sum of the numbers of both switches, modulo the number of queues. It gives consecutive
  // destination switches different queues, and is symmetric; the public text does not say in which order
  // lanes are assigned.
  QueueMap build(const Graph& graph) const override {
    const auto queues = static_cast<std::uint32_t>(queues_);
    const std::vector<SwitchId> leaves = switches_with_nodes(graph, switch_from);
    QueueMap map = QueueMap::from(QueueKey::table, queues, 2 * queues - 1,
                                  [&](std::uint32_t sum) { return sum % queues; });
    for (NodeId node = 0; node < graph.nodes(); ++node) {
      const auto leaf = std::ranges::lower_bound(leaves, switch_from(graph, node)) - leaves.begin();
      map.of_source.push_back(static_cast<std::uint32_t>(leaf) % queues);
    }
    map.of_destination = map.of_source;
    return map;
  }

 private:
  std::int64_t queues_ = 4;
};

}  // namespace

Entry<Scheme> vftree() {
  return {"vftree", "queue chosen by source switch and destination switch", "Guay et al., IPDPS 2011",
          make_entry<Scheme, VfTree>};
}

}  // namespace headway
