// SPDX-License-Identifier: Apache-2.0
#include "headway/compile/stored_point.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "headway/compile/load.h"
#include "headway/config/toml.h"

namespace headway {
namespace {

Experiment loaded(const std::string& text) { return load_experiment(parse_toml(text, "spec"), {}, {}); }

bool same(const StoredPoint& one, const StoredPoint& other) {
  return one.content == other.content && one.most_bytes == other.most_bytes && one.keeps == other.keeps;
}

// Also for points that are not read, because they differ only in their seed.
TEST(StoredPoint, OfAnExperimentIsThatOfItsSpecs) {
  for (const char* sweep :
       {"seed = [1, 2, 3]", "seed = [3, 1]\n\"network.k\" = [2, 3]", "\"network.k\" = [2, 3]\nseed = [1, 2]",
        "\"measure.duration\" = [\"500 us\", \"900 us\"]\nseed = [1, 2]\n\"traffic.flow.load\" = [0.1, 0.2]",
        "\"observe.keep\" = [true, false]"})
    for (const Point& point :
         loaded(std::string("[observe]\nwaiting = true\n[sweep]\n") + sweep + "\n").points) {
      ASSERT_TRUE(point.stored) << sweep;
      EXPECT_TRUE(same(*point.stored, stored_point(point.spec(), point.work)))
          << sweep << " seed " << point.seed;
    }
}

TEST(StoredPoint, HasTheSameContentForAllSeedsOnly) {
  std::set<std::uint64_t> contents;
  for (const Point& point : loaded("[sweep]\n\"network.k\" = [2, 3]\nseed = [1, 2, 3]\n").points)
    contents.insert(point.stored.value().content);
  EXPECT_EQ(contents.size(), 2U);
}

// Their content belongs to the key of a run, and is read only if there is a directory.
TEST(StoredPoint, IsNotKnownBeforeItsFilesAreRead) {
  const std::string file = ::testing::TempDir() + "permutation" + std::to_string(getpid());
  const auto content_with = [&](const char* permutation) {
    std::ofstream(file) << permutation;
    const Experiment experiment = loaded(
        "[network]\nk = 3\nn = 1\n[traffic.flow]\npattern = \"permutation\"\nfile = \"" + file + "\"\n");
    EXPECT_FALSE(experiment.points.front().stored);
    return stored_point(experiment.points.front().spec(), {}).content;
  };
  EXPECT_NE(content_with("1 2 0"), content_with("2 0 1"));
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace headway
