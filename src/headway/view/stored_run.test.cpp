// SPDX-License-Identifier: Apache-2.0
#include "headway/view/stored_run.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "headway/compile/load.h"
#include "headway/config/toml.h"
#include "headway/run/collection.h"

namespace headway {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class StoredRunTest : public ::testing::Test {
 protected:
  ~StoredRunTest() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path simulate(const std::string& name, int stages, bool keep, bool sweep = false) const {
    const std::string spec = fmt::format(
        "[network]\nk = 2\nn = {}\n[measure]\nwarmup = \"0 us\"\nduration = \"20 us\"\n"
        "[observe]\nwaiting = true\nkeep = {}\ninterval = \"1 us\"\n{}",
        stages, keep, sweep ? "[sweep]\n\"switch.scheme\" = [\"1q\", \"voqsw\"]\n" : "");
    const Experiment experiment = load_experiment(parse_toml(spec, "test"));
    Collection collection(experiment, {folder_ / name});
    collection.run({.jobs = 1});
    return folder_ / name;
  }

  std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) / ("stored" + std::to_string(getpid()));
};

TEST_F(StoredRunTest, HasThePointAndItsNetwork) {
  const StoredRun run = stored_run(simulate("sweep", 2, true, true), 1);
  EXPECT_EQ(run.points, 2U);
  EXPECT_EQ(run.graph->nodes(), 4U);
  EXPECT_EQ(run.viewed.point, 1U);
  EXPECT_EQ(*run.viewed.spec.find("switch.scheme"), Document(std::string("voqsw")));
  EXPECT_EQ(run.viewed.result.params.at(0).second, "voqsw");
  EXPECT_THAT(view_page({run, run}), HasSubstr("id=\"run-1\""));
}

TEST_F(StoredRunTest, SaysWhatIsMissing) {
  const std::filesystem::path out = simulate("out", 2, false);
  EXPECT_THAT([&] { stored_run(out, 0); }, ThrowsMessage<NoResult>(HasSubstr("has no snapshots of point 1")));
  EXPECT_THAT([&] { stored_run(out, 1); },
              ThrowsMessage<NoResult>(HasSubstr("has 1 point, so there is no point 2")));
}

TEST_F(StoredRunTest, RunsOfOnePageAreOfOneNetwork) {
  const StoredRun small = stored_run(simulate("small", 2, true), 0),
                  large = stored_run(simulate("large", 3, true), 0);
  EXPECT_THAT([&] { view_page({small, large}); },
              ThrowsMessage<NoResult>(HasSubstr("different networks (network.n: 2 and 3)")));
  StoredRun damaged = small;
  damaged.viewed.snapshots = "something else";
  EXPECT_THAT([&] { view_page({damaged}); }, ThrowsMessage<NoResult>(HasSubstr("cannot read the snapshots")));
}

}  // namespace
}  // namespace headway
