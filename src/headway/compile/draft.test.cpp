// SPDX-License-Identifier: Apache-2.0
#include "headway/compile/draft.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "headway/base/error.h"
#include "headway/compile/load.h"
#include "headway/config/toml.h"

namespace headway {
namespace {

using testing::HasSubstr;

SpecDraft draft_of(const std::string& toml) { return SpecDraft(parse_toml(toml, "my.toml")); }

std::string error_of(const auto& action) {
  try {
    action();
  } catch (const SpecError& error) {
    return error.what();
  }
  return "";
}

std::string text_of(const std::optional<Document>& value) { return value ? to_text(*value) : "nothing"; }

TEST(SpecDraft, GivesValuesAndDefaults) {
  const SpecDraft draft = draft_of("seed = 3\n[[traffic.flow]]\nload = 0.5\n");
  EXPECT_EQ(text_of(draft.value("seed")), "3");
  EXPECT_EQ(text_of(draft.value("traffic.flow[0].load")), "0.5");
  EXPECT_EQ(text_of(draft.value("traffic.flow.load")), "0.5");
  EXPECT_EQ(text_of(draft.value("switch.scheme")), "\"1q\"");
  EXPECT_EQ(text_of(draft.value("seeds")), "1");
  EXPECT_EQ(text_of(draft.value("measure.bin")), "nothing");
  EXPECT_EQ(text_of(draft.value("switch.cfqs")), "nothing");  // of a scheme that is not chosen
  EXPECT_TRUE(draft.has("seed"));
  EXPECT_FALSE(draft.has("switch.scheme"));
  EXPECT_EQ(error_of([&] { static_cast<void>(draft.value("switch.shceme")); }),
            "switch.shceme: unknown key; did you mean \"scheme\"?");
}

TEST(SpecDraft, SetsKeysInAnyOrder) {
  SpecDraft draft;
  draft.set("switch.cfqs", Document(std::int64_t{4}));
  draft.set("switch.scheme", Document(std::string("fbicm")));
  draft.set("traffic.flow[0]", parse_toml_value("{ load = 0.5 }", ""));
  draft.set("traffic.flow[1]", parse_toml_value("{ load = 0.25 }", ""));
  EXPECT_EQ(text_of(draft.value("traffic.flow.load")), "[0.5, 0.25]");
  EXPECT_EQ(text_of(draft.value("switch.cfqs")), "4");
}

TEST(SpecDraft, RefusesWhatIsWrongAndStaysAsItWas) {
  SpecDraft draft = draft_of("[units]\ncycle = \"10 ns\"\n[network.link]\ndelay = \"2 cycles\"\n");
  const std::string before = write_toml(draft.document());
  EXPECT_EQ(error_of([&] { draft.set("switch.queue", Document(std::int64_t{4})); }),
            "switch.queue: unknown key; did you mean \"queues\"?");
  EXPECT_THAT(error_of([&] { draft.set("network.link.delay", Document(4.0)); }), HasSubstr("has no unit"));
  EXPECT_THAT(error_of([&] { draft.set("traffic.flow[7].load", Document(4.0)); }), HasSubstr("no flow[7]"));
  EXPECT_EQ(write_toml(draft.document()), before);
}

TEST(SpecDraft, ReportsAllMistakesOfAFileAndOfASweep) {
  const std::string file = error_of([] {
    draft_of(
        "[switch]\nscheme = \"obq\"\n[network]\ntopology = \"k-ary-n-tree\"\nn = 2\nk = 2\n"
        "[measure]\nwatch_destination = 99\n[[traffic.flow]]\nload = 0.1\n");
  });
  EXPECT_THAT(file, HasSubstr("my.toml:2:10: switch.scheme: \"obq\" is not a valid value"));
  SpecDraft draft;
  const std::string sweep = error_of([&] {
    draft.set("sweep", parse_toml_value("{ \"switch.scheme\" = [\"1q\", \"obq\"], seed = [] }", ""));
  });
  EXPECT_THAT(sweep, HasSubstr("sweep.seed: has no values"));
  EXPECT_THAT(sweep, HasSubstr("\"obq\" is not a valid value"));
}

TEST(SpecDraft, NamesTheNearestAndTheValidNames) {
  SpecDraft draft;
  try {
    draft.set("switch.scheme", Document(std::string("obq")));
    FAIL();
  } catch (const SpecError& error) {
    const Mistake& mistake = error.mistakes().front();
    EXPECT_EQ(mistake.nearest, "obqa");
    EXPECT_THAT(mistake.valid, testing::Contains("fbicm"));
  }
}

TEST(SpecDraft, IsEqualIfItAsksForTheSame) {
  const SpecDraft draft =
      draft_of("[network]\nk = 4\nlink = { rate = \"1 GB/s\" }\n[switch]\nscheme = \"obqa\"\n");
  EXPECT_EQ(
      draft,
      draft_of(
          "[switch]\nqueues = 4\nscheme = \"obqa\"\n[network]\nlink = { rate = \"1000 MB/s\" }\nk = 4\n"));
  EXPECT_FALSE(draft == draft_of("[switch]\nscheme = \"obqa\"\nqueues = 2\n"));
  EXPECT_EQ(draft_of("[switch]\nqueues = 2\nways = 1\n"), draft_of("[switch]\nways = 1\nqueues = 2\n"));
  EXPECT_FALSE(draft_of("[switch]\nqueues = 2\n") == draft_of("[switch]\nqueues = 3\n"));
  EXPECT_FALSE(draft == draft_of("[network]\nk = 4\n[switch]\nscheme = \"obqa\"\n[sweep]\nseed = [1, 2]\n"));
}

TEST(SpecDraft, ErasesKeysAndElements) {
  SpecDraft draft = draft_of("seed = 3\n[[traffic.flow]]\nload = 0.5\n[[traffic.flow]]\nload = 0.25\n");
  EXPECT_TRUE(draft.erase("seed"));
  EXPECT_FALSE(draft.erase("seed"));
  EXPECT_TRUE(draft.erase("traffic.flow[0]"));
  EXPECT_EQ(text_of(draft.value("traffic.flow.load")), "0.25");
  EXPECT_TRUE(draft.erase("traffic.flow.load"));
  EXPECT_EQ(write_toml(draft.document()), "\n[traffic]\n\n[[traffic.flow]]\n");
}

TEST(SpecDraft, KnowsFlowsByTheirNames) {
  SpecDraft draft = draft_of("[[traffic.flow]]\nload = 0.5\n[[traffic.flow]]\nname = \"storage\"\n");
  EXPECT_EQ(text_of(draft.value("traffic.storage.load")), "1.0");
  draft.set("traffic.storage.load", Document(0.25));
  EXPECT_EQ(text_of(draft.value("traffic.flow[1].load")), "0.25");
  EXPECT_EQ(text_of(draft.value("traffic.storage.load")), "0.25");
  EXPECT_TRUE(draft.has("traffic.storage"));
  EXPECT_EQ(error_of([&] { draft.set("traffic.storag.load", Document(0.25)); }),
            "traffic.storag: unknown key; did you mean \"storage\"?");
  EXPECT_TRUE(draft.erase("traffic.storage.load"));
  EXPECT_TRUE(draft.erase("traffic.storage"));
  EXPECT_FALSE(draft.has("traffic.storage"));
  EXPECT_EQ(text_of(draft.value("traffic.flow.load")), "0.5");
}

TEST(SpecDraft, MakesNamesOfFilesAbsolute) {
  const std::string here = std::filesystem::current_path().string();
  const SpecDraft draft = SpecDraft(
      parse_toml("[network]\ntopology = \"file\"\nfile = \"net.toml\"\n[[traffic.trace]]\nfile = \"a.csv\"\n",
                 "specs/my.toml"));
  EXPECT_EQ(text_of(draft.value("network.file")), '"' + here + "/specs/net.toml\"");
  EXPECT_EQ(text_of(draft.value("traffic.trace[0].file")), '"' + here + "/specs/a.csv\"");
}

TEST(SpecDraft, MakesNamesOfFilesInASweepAbsolute) {
  const std::string here = std::filesystem::current_path().string();
  const SpecDraft draft =
      SpecDraft(parse_toml("[network]\ntopology = \"file\"\n[sweep]\n\"network.file\" = [\"a.toml\", "
                           "\"/b.toml\"]\n\"switch.scheme\" = [\"1q\"]\n",
                           "specs/my.toml"));
  EXPECT_EQ(text_of(draft.value("sweep")), "{ \"network.file\" = [\"" + here +
                                               "/specs/a.toml\", \"/b.toml\"], \"switch.scheme\" = "
                                               "[\"1q\"] }");
}

TEST(SpecDraft, HasFilesInMemory) {
  const InputFile queues = InputFile::in_memory("queues", "txt", "destination queue\n* 0\n"),
                  others = InputFile::in_memory("queues", "txt", "destination queue\n* 1\n");
  const auto files_with = [](const InputFile& file) { return MemoryFiles{{file.path(), file}}; };
  SpecDraft draft(parse_toml("[switch]\nscheme = \"table\"\n[[traffic.flow]]\nload = 0.5\n", "my.toml"));
  draft.set("switch.file", Document(queues.path()), files_with(queues));
  EXPECT_EQ(text_of(draft.value("switch.file")), '"' + queues.path() + '"');
  const SpecDraft before = draft;
  draft.set("switch.file", Document(others.path()), files_with(others));
  EXPECT_EQ(draft.files().size(), 1);  // the first file is dropped
  EXPECT_FALSE(draft == before);
  draft.set("switch.file", Document(queues.path()), files_with(queues));
  EXPECT_TRUE(draft == before);
  const Experiment experiment = load_experiment(draft.document(), {}, {.files = draft.files()});
  EXPECT_EQ(experiment.points.size(), 1U);
  draft.erase("switch.file");
  EXPECT_EQ(draft.files().size(), 0);
}

}  // namespace
}  // namespace headway
