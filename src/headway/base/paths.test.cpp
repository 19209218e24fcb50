// SPDX-License-Identifier: Apache-2.0
#include "headway/base/paths.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace headway {
namespace {

TEST(Paths, AreRelativeToTheFileThatNamesThem) {
  const std::string here = std::filesystem::current_path().string();
  EXPECT_EQ(path_named_at("specs/my.toml:3:8", "../routes.txt"), here + "/routes.txt");
  EXPECT_EQ(path_named_at("my.toml:3:8", "a/b.toml"), here + "/a/b.toml");
  EXPECT_EQ(path_named_at("/x/my.toml:13:8", "b.toml"), "/x/b.toml");
  EXPECT_EQ(path_named_at("--set network.file", "b.toml"), here + "/b.toml");
  EXPECT_EQ(path_named_at("x", "/y/z"), "/y/z");
  EXPECT_EQ(path_named_at("x:1:1", ""), "");
}

TEST(Paths, AreShownAsAUserCallsThem) {
  const std::string here = std::filesystem::current_path().string();
  EXPECT_EQ(short_path(here + "/a/b.toml"), "a/b.toml");
  EXPECT_EQ(short_path("/nowhere/b.toml"), "/nowhere/b.toml");
}

}  // namespace
}  // namespace headway
