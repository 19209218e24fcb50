// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/shape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "headway/engine/instances.h"

namespace headway {
namespace {

constexpr const EngineShape* first_that_serves(const EngineShape& shape) {
  return std::find_if(std::begin(kEngineShapes), std::end(kEngineShapes),
                      [&](const EngineShape& each) { return each.serves(shape); });
}

TEST(EngineShape, AnEngineThatAsksForRarePartsServesNetworksWithoutThem) {
  EXPECT_TRUE((EngineShape{.varied = true}.serves({.varied = false})));
  EXPECT_FALSE((EngineShape{.varied = false}.serves({.varied = true})));
  EXPECT_FALSE((EngineShape{.queued = true, .varied = true}.serves({.varied = true})));
}

// Networks whose queues share memory have no output stages, and know outputs on arrival.
TEST(EngineShape, EveryShapeOfANetworkIsServed) {
  for (const PortCount ports : {PortCount::few, PortCount::some, PortCount::many})
    for (const bool varied : {false, true})
      for (const EngineShape shape : {EngineShape{.ports = ports, .varied = varied},
                                      {.ports = ports, .queued = true, .varied = varied},
                                      {.ports = ports, .pooled = true, .owned = false, .varied = varied},
                                      {.ports = ports, .pooled = true, .owned = true, .varied = varied},
                                      {.ports = ports, .chosen = true, .varied = varied},
                                      {.ports = ports, .queued = true, .chosen = true, .varied = varied}})
        EXPECT_NE(first_that_serves(shape), std::end(kEngineShapes))
            << static_cast<int>(ports) << varied << shape.queued << shape.pooled << shape.owned
            << shape.chosen;
}

TEST(EngineShape, EachIsTheFirstThatServesItself) {
  for (const EngineShape& shape : kEngineShapes) EXPECT_EQ(first_that_serves(shape), &shape);
}

}  // namespace
}  // namespace headway
