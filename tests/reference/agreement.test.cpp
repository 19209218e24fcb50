// SPDX-License-Identifier: Apache-2.0
// The engine against the naive simulator (DESIGN 3.2): every packet in the same tick, every counter the same.
// HEADWAY_SOAK=n runs n times as many random cases.
#include "tests/reference/agreement.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/support/random_case.h"

namespace headway {
namespace {

std::uint64_t soak() {
  const char* factor = std::getenv("HEADWAY_SOAK");
  return factor == nullptr ? 1 : std::strtoull(factor, nullptr, 10);
}

TEST(Agreement, RandomNetworks) {
  const std::uint64_t cases = 600 * soak();
  for (std::uint64_t number = 0; number < cases; ++number) {
    const test::RandomCase c = test::random_case(number);
    const std::string difference =
        reference::disagreement(c.network, c.workload, number, c.end, /*check=*/number % 4 == 0);
    EXPECT_EQ(difference, "") << "random_case(" << number << "): " << c.description;
  }
}

}  // namespace
}  // namespace headway
