// SPDX-License-Identifier: Apache-2.0
// Slow nodes of a spec: their rates and memory, and what is a mistake.
#include "headway/compile/plan/parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "headway/compile/plan.h"
#include "tests/support/mistakes.h"

namespace headway {
namespace {

using Kind = NodeSet::Kind;

std::vector<Rational> rates_of(const NodeSpec& node) {
  EventSpec spec;
  spec.node = node;
  Mistakes none;
  auto rates = receive_rates(spec, 5, none);
  none.throw_if_any();
  return rates;
}

TEST(Receivers, HaveTheRateOfTheirLastList) {
  EXPECT_THAT(rates_of({}), testing::IsEmpty());
  EXPECT_THAT(rates_of({.receive_rate = 0.25}), testing::Each(Rational(1, 4)));
  const ReceiverSpec first{{Kind::nodes, 1.0, 0, {1, 3}}, 0.5}, second{{Kind::first, 1.0, 2, {}}, 0.3333};
  const Rational half(1, 2), third(3333, 10'000);
  EXPECT_THAT(rates_of({.receivers = {first, second}}),
              testing::ElementsAre(third, third, Rational(0), half, Rational(0)));
  EXPECT_THAT(rates_of({.receive_rate = 1.0, .receivers = {second, first}}),
              testing::ElementsAre(third, half, Rational(1), half, Rational(1)));
}

TEST(Receivers, HaveTheMemoryOfAnInputPort) {
  EventSpec spec;
  const Graph graph = choose(topologies(), "single-switch")->build({});
  NetworkOptions options;
  options.lanes = 2;
  const auto memory = [&] { return receive_memory(spec, graph, options, 8).count; };
  EXPECT_EQ(memory(), 2048) << "of the default, 4 KiB";
  spec.switches.input_memory = Bytes{8192};
  EXPECT_EQ(memory(), 4096);
  spec.switches.queue_memory = Bytes{100};
  EXPECT_EQ(memory(), 400);
  spec.node.receive_memory = Bytes{64};
  EXPECT_EQ(memory(), 64);
}

TEST(Receivers, SayWhatIsWrong) {
  const struct {
    std::function<void(EventSpec&)> change;
    const char* text;
  } cases[] = {
      {[](EventSpec& s) { s.node.receive_memory = Bytes{640}; },
       "node.receive_memory: no node has a receive rate, so all consume packets at once; give "
       "node.receive_rate or [[node.receiver]]"},
      {[](EventSpec& s) { s.node.receive_rate = 0.5, s.node.receive_memory = Bytes{63}; },
       "node.receive_memory: 63 B is less than a packet of 64 B; at least 64 B"},
      {[](EventSpec& s) { s.node.receive_rate = 0.5, s.node.receive_memory = Bytes{1'000'000'000}; },
       "node.receive_memory: a queue can hold more than 65535 packets"},
      {[](EventSpec& s) { s.node.receive_rate = 0.00001; },
       "node.receive_rate: is out of range; at least 0.0001, at most 1"},
      {[](EventSpec& s) { s.node.receive_rate = 0.5, s.switches.credit_packet = Bytes{8}; },
       "node.receive_rate: the credits of nodes that do not consume packets at once cannot share the links; "
       "omit switch.credit_packet: credits then use no bandwidth"},
      {[](EventSpec& s) { s.node.receivers = {{{Kind::nodes, 1.0, 0, {99'999}}, 0.5}}; },
       "node.receiver[0].nodes: node 99999 is outside the network"},
  };
  for (const auto& [change, text] : cases) {
    EventSpec spec;
    change(spec);
    const Mistakes mistakes = test::mistakes_of(spec);
    std::string told;
    for (const Mistake& mistake : mistakes.list())
      told += mistake.key + ": " + mistake.message + (mistake.hint.empty() ? "" : "; " + mistake.hint);
    EXPECT_THAT(told, testing::HasSubstr(text));
  }
}

}  // namespace
}  // namespace headway
