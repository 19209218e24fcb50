// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/port_set.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "headway/base/rng.h"

namespace headway {
namespace {

// The common members in rotating order from `first`, at most `stop_after` of them.
template <bool kWide>
std::vector<std::uint32_t> visited(PortSet<kWide> a, PortSet<kWide> b, std::uint32_t first,
                                   std::uint32_t stop_after) {
  std::vector<std::uint32_t> ports;
  typename PortSet<kWide>::Common(a, b).visit_from(first, [&](std::uint32_t port) {
    ports.push_back(port);
    return ports.size() == stop_after;
  });
  return ports;
}

template <bool kWide>
void agrees_with_a_naive_set(std::uint32_t radix) {
  const std::uint32_t words = (radix + 63) / 64;
  std::vector<std::uint64_t> storage_a(words), storage_b(words);
  PortSet<kWide> a(storage_a.data(), words), b(storage_b.data(), words);
  std::set<std::uint32_t> in_a, in_b;
  Rng rng(radix, 0);
  for (int step = 0; step < 2000; ++step) {
    const std::uint32_t port = rng.below(radix);
    const bool first_set = rng.below(2) == 0;
    PortSet<kWide>& set = first_set ? a : b;
    std::set<std::uint32_t>& expected = first_set ? in_a : in_b;
    if (rng.below(2) == 0) {
      set.insert(port);
      expected.insert(port);
    } else {
      set.erase(port);
      expected.erase(port);
    }
    ASSERT_EQ(set.contains(port), expected.contains(port));
    ASSERT_EQ(set.empty(), expected.empty());

    const std::uint32_t first = rng.below(radix);
    const std::uint32_t limit = 1 + rng.below(radix);
    std::vector<std::uint32_t> common;
    for (std::uint32_t i = 0; i < radix && common.size() < limit; ++i) {
      const std::uint32_t candidate = (first + i) % radix;
      if (in_a.contains(candidate) && in_b.contains(candidate)) common.push_back(candidate);
    }
    ASSERT_EQ(visited<kWide>(a, b, first, limit), common) << "radix " << radix << " from " << first;
    ASSERT_EQ(typename PortSet<kWide>::Common(a, b).empty(), common.empty());
  }
}

TEST(PortSet, MixedFieldsAreAtThePlaceXorMix) {
  Rng rng(1, 0);
  for (std::uint32_t mix = 0; mix < 64; ++mix) {
    const std::uint64_t word = rng.next();
    for (std::uint32_t place = 0; place < 64; ++place)
      ASSERT_EQ(mixed<1>(word, mix) >> (place ^ mix) & 1, word >> place & 1) << place << ' ' << mix;
    for (std::uint32_t place = 0; mix < 8 && place < 8; ++place)
      ASSERT_EQ(mixed<8>(word, mix) >> (8 * (place ^ mix)) & 0xff, word >> (8 * place) & 0xff);
  }
}

TEST(PortSet, AgreesWithANaiveSet) {
  for (const std::uint32_t radix : {1U, 2U, 8U, 63U, 64U}) agrees_with_a_naive_set<false>(radix);
  for (const std::uint32_t radix : {64U, 65U, 128U, 200U}) agrees_with_a_naive_set<true>(radix);
}

}  // namespace
}  // namespace headway
