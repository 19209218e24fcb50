// SPDX-License-Identifier: Apache-2.0
// Request lists name queues by the last 16 bits of their ids. These tests compare them with lists of complete
// ids.
#include "headway/engine/requests.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "headway/base/rng.h"
#include "headway/config/assign.h"
#include "tests/support/hand_made.h"

namespace headway {
namespace {

std::vector<std::uint32_t> listed(const State& state, std::uint32_t first) {
  std::vector<std::uint32_t> result;
  for (std::uint32_t queue = first; queue != kNone; queue = state.queues[queue].next_request)
    result.push_back(queue);
  return result;
}

// 280 ports with 280 queues each: the ids pass 65,536 in the middle of an input.
TEST(Requests, ListsAgreeWithListsOfWholeIds) {
  const Network network = test::network_of(choose(topologies(), "single-switch", {{"nodes", 280}}), "det",
                                           choose(schemes(), "voqnet"), {});
  State state(StateTables(network, PortCount::many, false, 1));
  const Device& device = state.devices[0];
  Rng rng(7, 0);
  for (const std::uint32_t input : {0U, 233U, 234U, 235U, 279U}) {
    const std::uint32_t output = input / 2;
    RequestList& list = state.lists[list_index(device, input, output)];
    std::vector<std::uint32_t> plain;
    for (int step = 0; step < 2000; ++step) {
      const std::uint32_t queue = queue_of(state, device, input, rng.below(280));
      if (const auto found = std::ranges::find(plain, queue); found != plain.end()) {
        plain.erase(found);
        EXPECT_EQ(unlink(state, list, device, input, queue), plain.empty());
      } else {
        append(state, list, !plain.empty(), device, input, queue);
        plain.push_back(queue);
      }
      if (!plain.empty()) {
        ASSERT_EQ(listed(state, first_request(state, device, input, output)), plain) << input << ' ' << step;
      }
    }
  }
}

}  // namespace
}  // namespace headway
