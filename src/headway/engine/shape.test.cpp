// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/shape.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "headway/engine/instances.h"

namespace headway {
namespace {

const EngineInstance* first_that_serves(ArbiterKind arbiter, const EngineShape& shape) {
  for (const EngineInstance& instance : engine_instances())
    if (instance.serves(arbiter, shape)) return &instance;
  return nullptr;
}

constexpr ArbiterKind kArbiters[] = {ArbiterKind::round_robin, ArbiterKind::oldest_first,
                                     ArbiterKind::oldest_injected, ArbiterKind::random};

TEST(EngineShape, AnInstanceThatAsksServesNetworksWithAndWithout) {
  const EngineShape with{.cioq = Feature::yes};
  const EngineShape without{.cioq = Feature::no};
  const EngineShape asks{.cioq = Feature::maybe};
  EXPECT_TRUE(asks.serves(with) && asks.serves(without));
  EXPECT_TRUE(with.serves(with) && without.serves(without));
  EXPECT_FALSE(with.serves(without) || without.serves(with));
  EXPECT_FALSE((EngineShape{.ports = PortCount::few}.serves({.ports = PortCount::some})));
}

TEST(EngineShape, EveryShapeOfANetworkIsServed) {
  constexpr Feature kEither[] = {Feature::no, Feature::yes};
  for (const ArbiterKind arbiter : kArbiters)
    for (const PortCount ports : {PortCount::few, PortCount::some, PortCount::many})
      for (const Feature cioq : kEither)
        for (const Feature isolation : kEither)
          for (const Feature overflow : kEither)
            for (const Feature adaptive : kEither)
              for (const Feature rare : kEither)
                EXPECT_NE(first_that_serves(arbiter, {ports, cioq, isolation, overflow, adaptive, rare}),
                          nullptr);
}

TEST(EngineShape, EachIsTheFirstThatServesItself) {
  for (const EngineInstance& instance : engine_instances())
    for (const ArbiterKind arbiter : kArbiters) {
      if (!instance.arbitrates(arbiter)) continue;
      EXPECT_EQ(first_that_serves(arbiter, instance.shape), &instance);
    }
}

}  // namespace
}  // namespace headway
