// SPDX-License-Identifier: Apache-2.0
// Slim flies: the laws of finite fields, and counts against the closed forms of Besta and Hoefler, SC 2014,
// section II.
#include <gtest/gtest.h>

#include <set>

#include "headway/config/assign.h"
#include "headway/topology/distances.h"
#include "headway/topology/galois_field.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

TEST(GaloisField, HoldsToTheLawsOfAField) {
  for (const std::uint32_t q : {3U, 4U, 5U, 7U, 8U, 9U, 16U, 25U, 27U}) {
    SCOPED_TRACE(q);
    ASSERT_TRUE(is_prime_power(q));
    const GaloisField field(q);
    std::set<std::uint32_t> powers;
    for (std::uint32_t i = 0; i + 1 < q; ++i) powers.insert(field.power(i));
    EXPECT_EQ(powers.size(), q - 1);
    EXPECT_FALSE(powers.contains(0));
    for (std::uint32_t a = 0; a < q; ++a)
      for (std::uint32_t b = 0; b < q; ++b) {
        EXPECT_EQ(field.subtract(field.add(a, b), b), a);
        EXPECT_EQ(field.multiply(a, b), field.multiply(b, a));
        EXPECT_EQ(field.multiply(a, b) == 0, a == 0 || b == 0);
        const std::uint32_t c = (a + 2 * b) % q;
        EXPECT_EQ(field.multiply(a, field.add(b, c)), field.add(field.multiply(a, b), field.multiply(a, c)));
      }
  }
  for (const std::uint32_t q : {0U, 1U, 6U, 12U, 15U, 36U}) EXPECT_FALSE(is_prime_power(q)) << q;
}

// The largest distance between two switches, in links.
std::uint32_t diameter(const Graph& graph) {
  std::uint32_t most = 0;
  for (SwitchId from = 0; from < graph.switches(); ++from) {
    const Distances distances = distances_from(graph, from);
    EXPECT_EQ(distances.order.size(), graph.switches());
    most = std::max(most, distances.farthest());
  }
  return most;
}

TEST(SlimFly, HasTwoLinksBetweenAnyTwoSwitches) {
  for (const std::int64_t q : {3, 4, 5, 7, 8, 9, 11, 13, 16}) {
    SCOPED_TRACE(q);
    const auto topology = choose(topologies(), "slim-fly", {{"q", q}});
    Mistakes mistakes;
    topology->check(mistakes);
    ASSERT_TRUE(mistakes.empty());
    const Graph graph = topology->build({});
    const std::int64_t delta = q % 4 == 3 ? -1 : q % 4, links = (3 * q - delta) / 2;
    EXPECT_EQ(graph.switches(), 2 * q * q);
    EXPECT_EQ(graph.radix(0), links + (links + 1) / 2);
    EXPECT_EQ(topology->switch_ports(), graph.switch_ports());
    EXPECT_EQ(graph.nodes(), topology->nodes());
    for (PortId port = 0; port < graph.switch_ports(); ++port) {
      ASSERT_NE(graph.peer_of(port), kNone);  // every port has a link
      EXPECT_EQ(graph.peer_of(graph.peer_of(port)), port);
    }
    EXPECT_EQ(diameter(graph), 2U);
  }
}

// The network of 722 switches of 29 + 15 ports of the paper's figure 5.
TEST(SlimFly, OfNineteenHasTheSizeOfThePaper) {
  const auto topology = choose(topologies(), "slim-fly", {{"q", 19}, {"nodes_per_switch", 15}});
  EXPECT_EQ(topology->nodes(), 10'830);
  EXPECT_EQ(topology->switch_ports(), 722 * 44);
}

TEST(SlimFly, RefusesSizesOfNoField) {
  for (const std::int64_t q : {6, 10, 12, 15, 18, 50}) {
    Mistakes mistakes;
    choose(topologies(), "slim-fly", {{"q", q}})->check(mistakes);
    ASSERT_EQ(mistakes.list().size(), 1U);
    EXPECT_EQ(
        mistakes.list()[0].hint,
        "3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25, 27, 29, 31, 32, 37, 41, 43, 47, 49, 53, 59, 61, 64");
  }
}

}  // namespace
}  // namespace headway
