// SPDX-License-Identifier: Apache-2.0
// HyperX: one network checked by hand, and counts against the closed forms of Ahn et al., SC 2009, section 3.
#include <gtest/gtest.h>

#include <map>

#include "headway/config/assign.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

using Numbers = std::vector<std::int64_t>;

Graph hyperx(const Numbers& sides, const Numbers& widths, std::int64_t nodes) {
  return choose(topologies(), "hyperx", {{"sides", sides}, {"widths", widths}, {"nodes_per_switch", nodes}})
      ->build({});
}

// Switches 0 1 2 lie below 3 4 5. Ports: 0 node, 1 2 other switches of the row, 3 4 both links to the other
// switch of the column.
TEST(HyperX, ThreeByTwoByHand) {
  const Graph graph = hyperx({3, 2}, {1, 2}, 1);
  EXPECT_EQ(graph.radix(0), 5U);
  EXPECT_EQ(graph.peer_of(graph.node_port(4)), graph.port(4, 0));
  EXPECT_EQ(graph.peer_of(graph.port(0, 1)), graph.port(1, 1));
  EXPECT_EQ(graph.peer_of(graph.port(0, 2)), graph.port(2, 1));
  EXPECT_EQ(graph.peer_of(graph.port(4, 2)), graph.port(5, 2));
  EXPECT_EQ(graph.peer_of(graph.port(1, 3)), graph.port(4, 3));
  EXPECT_EQ(graph.peer_of(graph.port(1, 4)), graph.port(4, 4));
}

TEST(HyperX, HasTheLinksOfItsClosedForm) {
  for (const auto& [sides, widths] : {std::pair{Numbers{8}, Numbers{}},
                                      {Numbers{4, 4}, Numbers{1, 3}},
                                      {Numbers{2, 2, 2, 2}, Numbers{}},
                                      {Numbers{4, 2, 6}, Numbers{2, 1, 1}}}) {
    const Graph graph = hyperx(sides, widths, 2);
    SwitchId switches = 1;
    for (const std::int64_t side : sides) switches *= static_cast<SwitchId>(side);
    EXPECT_EQ(graph.switches(), switches);
    EXPECT_EQ(graph.nodes(), 2 * switches);
    std::map<std::pair<SwitchId, SwitchId>, std::int64_t> links;
    for (PortId port = 0; port < graph.switch_ports(); ++port)
      if (const PortId peer = graph.peer_of(port); !graph.is_node_port(peer))
        ++links[{graph.switch_of(port), graph.switch_of(peer)}];
    for (std::size_t d = 0, stride = 1; d < sides.size(); stride *= static_cast<std::size_t>(sides[d++])) {
      const std::int64_t side = sides[d], width = widths.empty() ? 1 : widths[d];
      // bisection: links from the lower to the upper half of the dimension; section 3: (K S / 4) (nodes / T)
      std::int64_t across = 0, in_dimension = 0;
      for (const auto& [pair, count] : links) {
        const auto place = [&](SwitchId sw) { return sw / stride % static_cast<std::size_t>(side); };
        if (place(pair.first) == place(pair.second)) continue;
        EXPECT_EQ(count, width);
        in_dimension += count;
        if (place(pair.first) < place(pair.second) &&
            2 * place(pair.first) < static_cast<std::size_t>(side) &&
            2 * place(pair.second) >= static_cast<std::size_t>(side))
          across += count;
      }
      EXPECT_EQ(in_dimension, switches * (side - 1) * width);
      EXPECT_EQ(across, switches * side * width / 4);
    }
  }
}

TEST(HyperX, RefusesWhatIsNone) {
  const auto key = [](const Numbers& sides, const Numbers& widths, std::int64_t nodes) {
    Mistakes mistakes;
    choose(topologies(), "hyperx", {{"sides", sides}, {"widths", widths}, {"nodes_per_switch", nodes}})
        ->check(mistakes);
    return mistakes.list().size() == 1 ? mistakes.list()[0].key : "";
  };
  EXPECT_EQ(key({}, {}, 1), "network.sides");
  EXPECT_EQ(key({2, 2}, {1}, 1), "network.widths");
  EXPECT_EQ(key({65'000}, {2}, 1), "network.sides");
  EXPECT_EQ(key({4096, 4096}, {}, 2), "network.sides");
}

}  // namespace
}  // namespace headway
