// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/shape.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "headway/engine/instances.h"

namespace headway {
namespace {

const EngineInstance* first_that_serves(const EngineShape& shape) {
  for (const EngineInstance& instance : engine_instances())
    if (instance.shape.serves(shape)) return &instance;
  return nullptr;
}

TEST(EngineShape, AnInstanceThatAsksServesNetworksWithAndWithout) {
  const EngineShape with{.cioq = Feature::yes};
  const EngineShape without{.cioq = Feature::no};
  const EngineShape asks{.cioq = Feature::maybe};
  EXPECT_TRUE(asks.serves(with) && asks.serves(without));
  EXPECT_TRUE(with.serves(with) && without.serves(without));
  EXPECT_FALSE(with.serves(without) || without.serves(with));
  EXPECT_FALSE((EngineShape{.ports = PortCount::few}.serves({.ports = PortCount::some})));
  const EngineShape by_age{.arbiter = ArbiterKind::oldest_first};
  EXPECT_TRUE((EngineShape{.any_arbiter = true}.serves(by_age)));
  EXPECT_FALSE(EngineShape{}.serves(by_age) || by_age.serves({}));
}

TEST(EngineShape, EveryShapeOfANetworkIsServed) {
  constexpr Feature kEither[] = {Feature::no, Feature::yes};
  for (const ArbiterKind arbiter : {ArbiterKind::round_robin, ArbiterKind::oldest_first, ArbiterKind::random})
    for (const PortCount ports : {PortCount::few, PortCount::some, PortCount::many})
      for (const Feature cioq : kEither)
        for (const Feature isolation : kEither)
          for (const Feature overflow : kEither)
            for (const Feature adaptive : kEither)
              for (const Feature lanes : kEither)
                for (const Feature rare : kEither)
                  for (const Feature ends : kEither)
                    for (const Feature cells : kEither)
                      EXPECT_NE(first_that_serves({ports, cioq, isolation, overflow, adaptive, lanes, rare,
                                                   ends, cells, arbiter}),
                                nullptr);
}

// Otherwise an earlier instance would serve all its networks.
TEST(EngineShape, EachIsTheFirstThatServesItself) {
  for (const EngineInstance& instance : engine_instances())
    EXPECT_EQ(first_that_serves(instance.shape), &instance);
}

}  // namespace
}  // namespace headway
