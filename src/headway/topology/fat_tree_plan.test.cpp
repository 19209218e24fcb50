// SPDX-License-Identifier: Apache-2.0
// Compares the planned trees with all possible trees.
#include "headway/topology/fat_tree_plan.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace headway {
namespace {

std::uint32_t switches_of(const TreeShape& shape) { return shape.first_switch(shape.stages()); }

// Calls visit(shape) for every tree that extends `levels` to `stages` levels above `rest` subtrees with
// switches of at most `radix` ports.
template <class Visit>
void for_each_tree(std::vector<TreeLevel>& levels, std::uint32_t rest, std::uint32_t stages,
                   std::uint32_t radix, double oversubscription, const Visit& visit) {
  if (levels.size() == stages) {
    if (rest == 1) visit(TreeShape{levels, 0, {}});
    return;
  }
  const bool leaf = levels.empty(), top = levels.size() + 1 == stages;
  for (std::uint32_t children = 2; children <= rest; ++children) {
    if (rest % children != 0) continue;
    for (std::uint32_t links = 1; links <= (leaf ? 1 : radix); ++links)
      for (std::uint32_t parents = 1; parents <= (leaf ? 1 : radix); ++parents) {
        if (!leaf) {
          const double down = levels.back().children * levels.back().links;
          const double ratio = levels.size() == 1 ? oversubscription : 1;
          if (parents * links * ratio != down) continue;
          if (down + parents * links > radix) continue;
        }
        if (top && children * links > radix) continue;
        levels.push_back({children, parents, links});
        for_each_tree(levels, rest / children, stages, radix, oversubscription, visit);
        levels.pop_back();
      }
  }
}

TEST(FatTreePlan, HasTheFewestSwitchesOfAllTrees) {
  int found = 0;
  for (const std::uint32_t radix : {4U, 6U, 9U})
    for (const double oversubscription : {1.0, 1.5, 2.0})
      for (const std::uint32_t stages : {2U, 3U})
        for (std::uint32_t nodes = 4; nodes <= 80; ++nodes) {
          std::uint32_t fewest = kNone;
          std::vector<TreeLevel> levels;
          for_each_tree(levels, nodes, stages, radix, oversubscription,
                        [&](const TreeShape& shape) { fewest = std::min(fewest, switches_of(shape)); });
          const auto plan = plan_fat_tree({radix, stages, nodes, oversubscription});
          ASSERT_EQ(plan.has_value(), fewest != kNone)
              << radix << ' ' << oversubscription << ' ' << stages << ' ' << nodes;
          if (!plan) continue;
          ++found;
          const TreeShape shape{*plan, 0, {}};
          EXPECT_EQ(shape.nodes(), nodes);
          EXPECT_EQ(switches_of(shape), fewest) << radix << ' ' << nodes;
          for (std::uint32_t s = 0; s < stages; ++s) EXPECT_LE(shape.radix(s), radix);
          EXPECT_EQ(shape.down_ports(0), oversubscription * shape.up_ports(0));
        }
  EXPECT_GT(found, 100);
}

TEST(FatTreePlan, TakesTheFewestLevels) {
  EXPECT_EQ(plan_fat_tree({36, {}, 36, 1})->size(), 1U);
  EXPECT_EQ(plan_fat_tree({36, {}, 648, 1})->size(), 2U);
  EXPECT_EQ(plan_fat_tree({36, {}, 11'664, 1})->size(), 3U);
}

TEST(FatTreePlan, AdvisesWhatFits) {
  const FatTreeRequest prime{36, 3, 2039, 1};
  EXPECT_EQ(fat_tree_advice(prime), "2030 or 2040 nodes fit in 3 levels");
  EXPECT_EQ(fat_tree_advice({36, 2, 1000, 1}), "at most 648 nodes fit in 2 levels");
  EXPECT_EQ(fat_tree_advice({36, 1, 30, 2}), "a single switch is never oversubscribed; use more levels");
}

}  // namespace
}  // namespace headway
