// SPDX-License-Identifier: Apache-2.0
// The paper's example: the values that its definitions give, with the printed values in the messages.
#include "headway/congestion/table_cost.h"

#include <gtest/gtest.h>

namespace headway {
namespace {

TEST(TableCost, ExampleOfThePaper) {
  constexpr TableEntry plain = routing_entry(8);
  EXPECT_EQ(1024 * plain.bits(), 3U * 1024) << "3 Kbit, printed as 3 KB";
  constexpr TableEntry with = isolation_entry(8, 8);
  EXPECT_EQ(with.output_port, 3U);
  EXPECT_EQ(with.lines_at_output, 8U) << "printed as 4";
  EXPECT_EQ(with.lines_at_inputs, 64U) << "printed as 32";
  EXPECT_EQ(with.notification_sent, 8U);
  EXPECT_EQ(1024 * with.bits(), 83U * 1024) << "83 Kbit, printed as 83 KB";
  EXPECT_EQ(1024 * with.bits() / 8, 10'624U);
  EXPECT_EQ(isolation_entry(8, 4).bits(), 3U + 4 + 32 + 8) << "the printed widths are those of 4 CFQs";
}

TEST(TableCost, PortsThatAreNoPowerOfTwo) {
  EXPECT_EQ(routing_entry(1).bits(), 0U);
  EXPECT_EQ(routing_entry(5).bits(), 3U);
  EXPECT_EQ(isolation_entry(36, 2).bits(), 6U + 2 + 72 + 36);
}

}  // namespace
}  // namespace headway
