// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/packet.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "headway/base/rng.h"

namespace headway {
namespace {

TEST(PacketPool, NeverHandsOutAPacketTwice) {
  PacketMemory memory;
  PacketPool pool(memory);
  Rng rng(1, 0);
  std::vector<PacketId> held;
  std::set<PacketId> ever;
  std::size_t most = 0;
  for (int step = 0; step < 10'000; ++step) {
    if (held.empty() || rng.below(5) < 3) {
      held.push_back(pool.allocate());
      pool[held.back()].serial = held.back();
      ever.insert(held.back());
    } else {
      const std::size_t pick = rng.below(static_cast<std::uint32_t>(held.size()));
      ASSERT_EQ(pool[held[pick]].serial, held[pick]) << "handed out while held";
      pool[held[pick]].serial = kNone;
      pool.release(held[pick]);
      held.erase(held.begin() + static_cast<std::ptrdiff_t>(pick));
    }
    most = std::max(most, held.size());
  }
  EXPECT_EQ(ever.size(), most) << "memory follows the packets that exist";
}

}  // namespace
}  // namespace headway
