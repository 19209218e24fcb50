// SPDX-License-Identifier: Apache-2.0
#include "headway/spec/sweep_axes.h"

#include <gtest/gtest.h>

namespace headway {
namespace {

TEST(ShortKeys, AreLastPartsThatNameOneThing) {
  const auto keys = [](const std::vector<std::string>& swept) {
    Params params;
    for (const std::string& key : swept) params.emplace_back(key, "1");
    return short_keys(params);
  };
  using Keys = std::vector<std::string>;
  EXPECT_EQ(keys({"switch.scheme", "traffic.flow.load"}), (Keys{"scheme", "load"}));
  EXPECT_EQ(keys({"switch.queue_memory", "node.queue_memory", "seed"}),
            (Keys{"switch.queue_memory", "node.queue_memory", "seed"}));
  EXPECT_EQ(keys({"network.failures.seed", "network.failures.links"}),
            (Keys{"network.failures.seed", "links"}));
  EXPECT_EQ(keys({}), Keys{});
}

}  // namespace
}  // namespace headway
