// SPDX-License-Identifier: Apache-2.0
// Values are found, set and located by path.
#include "headway/config/document.h"

#include <gtest/gtest.h>

#include "headway/config/toml.h"

namespace headway {
namespace {

Document sample() {
  return parse_toml(
      "seed = 3\n"
      "[switch]\n"
      "scheme = \"obqa\"\n"
      "[[traffic.flow]]\n"
      "load = 0.5\n"
      "[[traffic.flow]]\n"
      "sources = { first = 8 }\n",
      "my.toml");
}

// A name in quotes can have dots, as in a file.
TEST(Document, TakesNamesInQuotes) {
  Document document = sample();
  EXPECT_EQ(document.set("sweep.\"traffic.flow.load\"", Document(Document::Array{Document(0.1)})),
            std::nullopt);
  EXPECT_EQ(document.set("sweep.'switch.scheme'", Document(Document::Array{Document("1q")})), std::nullopt);
  EXPECT_EQ(to_text(*document.member("sweep")),
            "{ \"traffic.flow.load\" = [0.1], \"switch.scheme\" = [\"1q\"] }");
  EXPECT_EQ(to_text(*document.find("sweep.\"traffic.flow.load\"")), "[0.1]");
  EXPECT_EQ(document.with_indices("sweep.\"traffic.flow.load\""), "sweep.\"traffic.flow.load\"");
  for (const std::string_view path : {"\"", "\"a", "\"\"", "\"a\"b", "a.\"b"}) {
    EXPECT_NE(document.set(path, Document(1.0)), std::nullopt) << path;
    EXPECT_EQ(document.find(path), nullptr) << path;
  }
}

TEST(Document, FindsByPath) {
  const Document document = sample();
  const std::pair<std::string_view, std::string_view> cases[] = {{"seed", "3"},
                                                                 {"switch.scheme", "\"obqa\""},
                                                                 {"traffic.flow[0].load", "0.5"},
                                                                 {"traffic.flow[1].sources.first", "8"},
                                                                 {"switch[0].scheme", "\"obqa\""}};
  for (const auto& [path, text] : cases) {
    ASSERT_NE(document.find(path), nullptr) << path;
    EXPECT_EQ(to_text(*document.find(path)), text) << path;
  }
  for (const std::string_view path :
       {"switch.queues", "seed.x", "traffic.flow[2]", "traffic.flow[1", "traffic.flow[x]", "traffic.flow[-1]",
        "switch[1]", "seed[0]", ".", "switch..scheme", "[0]"})
    EXPECT_EQ(document.find(path), nullptr) << path;
}

TEST(Document, SetsByPath) {
  const struct {
    std::string_view path, looked_at, text;
  } cases[] = {{"seed", "seed", "7"},
               {"switch.queues", "switch.queues", "7"},
               {"measure.bin", "measure", "{ bin = 7 }"},
               {"traffic.flow[1].load", "traffic.flow[1].load", "7"},
               {"traffic.flow.load", "traffic.flow", "[{ load = 7 }, { sources = { first = 8 }, load = 7 }]"},
               {"traffic.flow[2]", "traffic.flow[2]", "7"},
               {"switch[0].queues", "switch", "{ scheme = \"obqa\", queues = 7 }"},
               {"switch[1]", "switch", "[{ scheme = \"obqa\" }, 7]"},
               {"a.b[0].c", "a", "{ b = [{ c = 7 }] }"}};
  for (const auto& [path, looked_at, text] : cases) {
    Document document = sample();
    EXPECT_FALSE(document.set(path, Document(std::int64_t{7}))) << path;
    ASSERT_NE(document.find(looked_at), nullptr) << path;
    EXPECT_EQ(to_text(*document.find(looked_at)), text) << path;
  }
  for (const std::string_view path : {"", "a..b", "seed.x", "traffic.flow[2].load", "traffic.flow[3]",
                                      "switch[1].queues", "seed[0]", "a[1]"}) {
    Document document = sample();
    EXPECT_TRUE(document.set(path, Document(std::int64_t{7}))) << path;
  }
}

TEST(Document, KnowsTheSpellingsOfAThing) {
  using Paths = std::vector<std::string>;
  const Document document = sample();
  const std::pair<std::string_view, Paths> cases[] = {
      {"switch.queues", {"switch.queues"}},
      {"switch[0].queues", {"switch.queues"}},
      {"switch[1].queues", {"switch[1].queues"}},
      {"a.b[0].c", {"a.b.c"}},
      {"traffic.flow", {"traffic.flow"}},
      {"traffic.flow[1].load", {"traffic.flow[1].load"}},
      {"traffic.flow.load", {"traffic.flow[0].load", "traffic.flow[1].load"}},
      {"a..b", {}}};
  for (const auto& [path, meant] : cases) EXPECT_EQ(document.meant_by(path), meant) << path;
  EXPECT_EQ(parse_toml("[[flow]]\nload = 1", "x").meant_by("flow[0].load"), Paths{"flow.load"});
}

TEST(Document, KnowsElementsByTheirNames) {
  const auto named = [] {
    return parse_toml(
        "[[traffic.flow]]\nload = 0.5\n[[traffic.flow]]\nname = \"storage\"\nload = 0.1\n"
        "[traffic.trace]\nname = \"backup\"\n",
        "my.toml");
  };
  Document document = named();
  EXPECT_EQ(to_text(*document.find("traffic.storage.load")), "0.1");
  EXPECT_EQ(to_text(*document.find("traffic.backup")), "{ name = \"backup\" }");
  EXPECT_EQ(document.find("storage"), nullptr);
  EXPECT_EQ(document.find("traffic.storage[0].load"), nullptr);
  EXPECT_EQ(document.with_indices("traffic.storage.load"), "traffic.flow[1].load");
  EXPECT_EQ(document.with_indices("traffic.backup"), "traffic.trace[0]");
  for (const std::string path : {"traffic.flow.load", "traffic.none.load", "a..b", "storage.load", ""})
    EXPECT_EQ(document.with_indices(path), path);
  EXPECT_EQ(document.meant_by("traffic.storage.load"), std::vector<std::string>{"traffic.flow[1].load"});
  EXPECT_EQ(document.meant_by("traffic.backup.file"), std::vector<std::string>{"traffic.trace.file"});
  EXPECT_EQ(document.place_of("traffic.storage.load"), "my.toml:5:8");

  const Document number(std::int64_t{7});
  EXPECT_FALSE(document.set("traffic.storage.load", number));
  EXPECT_FALSE(document.set("traffic.backup.file", number));
  EXPECT_EQ(
      to_text(*document.find("traffic")),
      "{ flow = [{ load = 0.5 }, { name = \"storage\", load = 7 }], trace = { name = \"backup\", file = "
      "7 } }");
  document = named();
  EXPECT_FALSE(document.set("traffic.storage", parse_toml_value("{ load = 7 }", "--set")));
  EXPECT_FALSE(document.set("traffic.flow[0]", parse_toml_value("{ name = \"other\" }", "--set")));
  EXPECT_EQ(to_text(*document.find("traffic.flow")),
            "[{ name = \"other\" }, { name = \"storage\", load = 7 }]");
  EXPECT_FALSE(document.set("traffic.other", parse_toml_value("{ name = \"another\" }", "--set")));
  EXPECT_EQ(document.find("traffic")->element_names(),
            (std::vector<std::string_view>{"another", "storage", "backup"}));
}

TEST(Document, PlacesWhatIsThereOrAroundIt) {
  const Document document = sample();
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"switch.scheme", "my.toml:3:10"},
      {"switch.queues", "my.toml:2:1"},
      {"traffic.flow[1].load", "my.toml:6:1"},
      {"traffic.flow[1].sources.first", "my.toml:7:21"}};
  for (const auto& [path, place] : cases) EXPECT_EQ(document.place_of(path), place) << path;
}

TEST(Document, IsEqualByValuesNotByPlaces) {
  EXPECT_EQ(parse_toml("a = 1\nb = [1.0, true]", "x"), parse_toml("\n a =  1\n\n b = [ 1.0,true ]", "y"));
  EXPECT_FALSE(parse_toml("a = 1", "x") == parse_toml("a = 1.0", "x"));
  EXPECT_FALSE(parse_toml("a = 1\nb = 2", "x") == parse_toml("b = 2\na = 1", "x"));
}

TEST(Document, ListsOfOneCountAsTheirElement) {
  const Document document = parse_toml("[[traffic.flow]]\nload = 0.5\n", "a.toml");
  ASSERT_NE(document.find("traffic.flow.load"), nullptr);
  EXPECT_EQ(to_text(*document.find("traffic.flow.load")), "0.5");
}

TEST(Document, TellsTheKeysThatDiffer) {
  const auto document = [](const char* text) { return parse_toml(text, "x"); };
  const Document a = document("seed = 1\n[switch]\nqueues = 4\n[[flow]]\nload = 0.1\nlist = [1, 2]\n"),
                 b = document(
                     "seed = 1\n[switch]\nlanes = 4\n[[flow]]\nload = 0.1\nlist = [1, 3]\n[[flow]]\n"
                     "load = 0.2\n");
  EXPECT_EQ(differing_keys(a, b),
            (std::set<std::string>{"switch.queues", "switch.lanes", "flow[0].list", "flow[1].load"}));
  EXPECT_TRUE(differing_keys(a, a).empty());
}

TEST(Document, PathsOfAnyLengthAreRefusedInOneMessage) {
  Document document{Document::Table{}};
  std::string path = "a";
  for (int i = 0; i < 1'000'000; ++i) path += ".a";
  EXPECT_EQ(document.set(path, Document(true)), "is not a key: it has more than 64 names");
  EXPECT_TRUE(document.meant_by(path).empty());
}

}  // namespace
}  // namespace headway
