// SPDX-License-Identifier: Apache-2.0
#include "headway/base/flat_map.h"

#include <gtest/gtest.h>

#include <map>

namespace headway {
namespace {

template <class Key>
class FlatMapOf : public testing::Test {};
using Keys = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(FlatMapOf, Keys);

TYPED_TEST(FlatMapOf, AgreesWithAnOrderedMap) {
  FlatMap<TypeParam> map;
  std::map<TypeParam, std::uint32_t> expected;
  Rng rng(1, 0);
  for (std::uint32_t step = 0; step < 20'000; ++step) {
    // few keys that recur, and many that are far apart
    const auto key = static_cast<TypeParam>(rng.below(2) == 0 ? rng.below(100) : rng.next() >> 1);
    map.fetch(key);
    const auto known = expected.find(key);
    ASSERT_EQ(map.value(key, step + 1), known == expected.end() ? step + 1 : known->second);
    std::uint32_t& value = map.at(key, step);
    ASSERT_EQ(value, expected.try_emplace(key, step).first->second);
    if (rng.below(3) == 0) value = expected[key] = rng.below(1000);
    if (rng.below(4) > 0) continue;
    // a key that exists, and one that may be absent
    const auto other = static_cast<TypeParam>(rng.below(120));
    for (const TypeParam gone : {key, other}) {
      map.erase(gone);
      expected.erase(gone);
    }
  }
  for (const auto& [key, value] : expected) ASSERT_EQ(map.at(key, 0), value);
}

}  // namespace
}  // namespace headway
