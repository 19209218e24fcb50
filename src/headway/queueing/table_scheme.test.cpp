// SPDX-License-Identifier: Apache-2.0
// A user's own scheme, and the mistakes of its file.
#include <gtest/gtest.h>

#include <fstream>

#include "headway/base/rng.h"
#include "headway/config/assign.h"
#include "headway/queueing/scheme.h"
#include "headway/topology/topology.h"
#include "tests/support/npy_bytes.h"

namespace headway {
namespace {

using Lines = std::vector<std::string>;

class QueueTable : public testing::Test {
 protected:
  const std::string path =
      testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + ".table";
  // Switches 0 - 1 - 2; ports: 0 node, 1 lower, 2 higher.
  const Graph line = choose(topologies(), "mesh", {{"sides", std::vector<std::int64_t>{3}}})->build({});
  const Graph tree = choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 2}})->build({});

  QueueMap map(const Graph& graph, const std::string& text, const Lines& by = {}, std::int64_t queues = 0) {
    std::ofstream(path, std::ios::binary) << text;
    Choice<Scheme> scheme = choose(schemes(), "table", {{"file", path}, {"by", by}});
    if (queues > 0) assign(*scheme, Argument{"queues", queues});
    return scheme->build(graph);
  }
  Lines mistakes_of(const Graph& graph, const std::string& text, const Lines& by = {},
                    std::int64_t queues = 0) {
    Lines result;
    try {
      map(graph, text, by, queues);
    } catch (const SpecError& error) {
      for (const Mistake& m : error.mistakes()) {
        std::string said = m.key + m.where + ": " + m.message + (m.hint.empty() ? "" : "; " + m.hint);
        for (std::size_t at = said.find(path); at != std::string::npos; at = said.find(path))
          said.erase(at, path.size());
        result.push_back(said);
      }
    }
    return result;
  }
};

TEST_F(QueueTable, RowsWithFewerStarsGoFirst) {
  const QueueMap table =
      map(line, "# who goes where\nswitch destination queue\n0 * 1\n* * 4\n0-1 2 3\n2 0 0\n* 1 2\n0 1 5\n");
  EXPECT_EQ(table.queues, 6U);
  EXPECT_EQ(table.key, QueueKey::table);
  const std::uint32_t expected[3][3] = {{1, 5, 3}, {4, 2, 3}, {0, 2, 4}};
  for (SwitchId sw = 0; sw < 3; ++sw)
    for (NodeId node = 0; node < 3; ++node)
      for (const std::uint32_t port : {0U, 1U, 2U})
        EXPECT_EQ(table.at(line.port(sw, port), port, 0, node), expected[sw][node]) << sw << ' ' << node;
  EXPECT_FALSE(table.uses_output());
}

TEST_F(QueueTable, AnyCombinationOfCoordinates) {
  std::string text = "source input queue stage output\n";
  for (std::uint32_t source = 0; source < 4; ++source)
    for (std::uint32_t input = 0; input < 4; ++input)
      for (std::uint32_t stage = 0; stage < 2; ++stage)
        for (std::uint32_t output = 0; output < 4; ++output)
          text += std::to_string(source) + ' ' + std::to_string(input) + ' ' +
                  std::to_string(source * 64 + input * 16 + stage * 8 + output) + ' ' +
                  std::to_string(stage) + ' ' + std::to_string(output) + '\n';
  const QueueMap table = map(tree, text, {}, 1000);
  EXPECT_EQ(table.queues, 1000U);
  EXPECT_TRUE(table.uses_output());
  for (SwitchId sw = 0; sw < 4; ++sw)
    for (std::uint32_t input = 0; input < 4; ++input)
      for (std::uint32_t output = 0; output < 4; ++output)
        for (NodeId source = 0; source < 4; ++source)
          EXPECT_EQ(table.at(tree.port(sw, input), output, source, 3),
                    source * 64 + input * 16 + sw / 2 * 8 + output);
}

TEST_F(QueueTable, ByOneCoordinateIsWhatABuiltInSchemeIs) {
  EXPECT_EQ(map(line, "output queue\n0-2 1\n").key, QueueKey::output);
  EXPECT_EQ(map(line, "queue destination\n1 *\n").key, QueueKey::destination);
  EXPECT_EQ(map(line, "source queue\n* 1\n").key, QueueKey::table);
}

// The ports at the ends of the line have no links, so they need no rows.
TEST_F(QueueTable, PortsWithoutALinkNeedNoQueue) {
  EXPECT_EQ(mistakes_of(line, "switch input queue\n0 0 0\n0 2 0\n1 0-2 0\n2 0-1 0\n"), Lines{});
  EXPECT_EQ(mistakes_of(line, "switch input queue\n0 0 0\n1 0-2 0\n2 0-1 0\n"),
            Lines{"switch.file: there is no queue for switch 0, input 2; a row with * applies to all values "
                  "without a row of their own"});
}

TEST_F(QueueTable, ReportsEveryMistakeOfItsText) {
  const std::string columns =
      "columns are \"switch\", \"stage\", \"input\", \"output\", \"source\", \"destination\" and \"queue\"";
  EXPECT_EQ(mistakes_of(line, "# nothing\n"), Lines{"switch.file:1:1: there is no header; " + columns});
  EXPECT_EQ(mistakes_of(line, "swich input input queue x\n"),
            (Lines{"switch.file:1:1: there is no column \"swich\"; did you mean \"switch\"?",
                   "switch.file:1:1: column \"input\" is given more than once",
                   "switch.file:1:1: there is no column \"x\"; " + columns}));
  EXPECT_EQ(mistakes_of(line, "destination\n"),
            Lines{"switch.file:1:1: the header has no column \"queue\"; " + columns});
  EXPECT_EQ(mistakes_of(line, "queue\n0\n"),
            Lines{"switch.file:1:1: a queue must depend on something; the header names a column for it"});
  EXPECT_EQ(mistakes_of(line, "stage queue\n0 0\n"),
            Lines{"switch.file:1:1: this network has no stages: it is a mesh; switch"});
  EXPECT_EQ(mistakes_of(tree, "switch stage queue\n* * 0\n").size(), 1U);
  EXPECT_EQ(
      mistakes_of(line, "switch destination queue\n0 0 0\n0 7 0\n0 1\n3 1 9\n0 0-1 1\n* * 4\n* * 4\n", {}, 9),
      (Lines{"switch.file:3:1: there is no destination \"7\"; 0 to 2",
             "switch.file:4:1: this row has 2 columns, and the header has 3",
             "switch.file:5:1: there is no queue \"9\"; queues 0 to 8",
             "switch.file:5:1: there is no switch \"3\"; 0 to 2",
             "switch.file:6:1: there is another row for this combination; see :2:1",
             "switch.file:8:1: there is another row for this combination; see :7:1"}));
  EXPECT_EQ(mistakes_of(line, "switch destination queue\n0 * 0\n* 0 1\n* * 2\n"),
            Lines{"switch.file:2:1: this row and that of line 3 are both for switch 0, destination 0; a row "
                  "with fewer "
                  "* decides"});
  EXPECT_EQ(mistakes_of(line, "destination queue\n* 65535\n").size(), 1U);
}

TEST_F(QueueTable, ShowsTwentyMistakesAndCountsTheOthers) {
  std::string text = "source queue\n";
  for (int i = 0; i < 50; ++i) text += "9 0\n";
  const Lines mistakes = mistakes_of(line, text);
  ASSERT_EQ(mistakes.size(), 21U);
  EXPECT_EQ(mistakes.back(), "switch.file: and 30 more mistakes in this file");
}

TEST_F(QueueTable, ReadsArrays) {
  const QueueMap table =
      map(line, test::npy("'|u1'", "(3, 3)", std::string("\0\1\2\3\4\5\6\7\10", 9)), {"source", "switch"});
  EXPECT_EQ(table.queues, 9U);
  EXPECT_EQ(table.at(line.port(2, 1), 0, 1, 0), 5U);
  const auto wrong = [&](const std::string& content, const Lines& by) {
    return mistakes_of(line, content, by, 8);
  };
  EXPECT_EQ(wrong(test::npy("'|u1'", "(3, 3)", std::string("\0\1\2\3\4\5\6\7\10", 9)), {"source", "switch"}),
            Lines{"switch.file: there is no queue 8, which it has for source 2, switch 2; queues 0 to 7"});
  EXPECT_EQ(wrong(test::npy("'|i1'", "(3,)", "\1\1\xff"), {"source"}),
            Lines{"switch.file: there is no queue -1, which it has for source 2; queues 0 to 7"});
  EXPECT_EQ(wrong(test::npy("'|i1'", "(3,)", "\1\1\1"), {}),
            Lines{"switch.by: is needed for a NumPy array; it names the dimensions of the array; write for "
                  "example by = [\"switch\", "
                  "\"destination\"]"});
  EXPECT_EQ(wrong(test::npy("'|i1'", "(3,)", "\1\1\1"), {"source", "input"}),
            Lines{"switch.file: its shape is 3; 3 x 3 in this network"});
  EXPECT_EQ(wrong(test::npy("'<f4'", "(0,)", ""), {"source"}),
            Lines{"switch.file: its elements are not integers"});
  EXPECT_EQ(wrong(test::npy("'|i1'", "(3,)", "\1\1"), {"source"}),
            Lines{"switch.file: is no NumPy array of integers: its shape, 3, needs 3 bytes behind the "
                  "header, but it has 2"});
  EXPECT_EQ(wrong("source queue\n* 0\n", {"source"}),
            Lines{"switch.by: names the dimensions of a NumPy array, and the file is text; omit it: the "
                  "header of the "
                  "file names its columns"});
}

TEST_F(QueueTable, UsesTheNamesOfANetworkFile) {
  const std::string network = path + ".toml";
  std::ofstream(network) << "[[switch]]\nname = \"leaf\"\n[[node]]\nat = \"leaf:0\"\nname = "
                            "\"disk\"\n[[node]]\nat = \"leaf:1\"\n";
  const Graph graph = choose(topologies(), "file", {{"file", network}})->build({});
  const QueueMap table = map(graph, "switch source queue\nleaf disk 1\nleaf 1 0\n");
  EXPECT_EQ(table.at(0, 0, 0, 1), 1U);
  EXPECT_EQ(mistakes_of(graph, "switch source queue\nleaf disc 1\nleaf * 0\n"),
            Lines{"switch.file:2:1: there is no source \"disc\"; did you mean \"disk\"?"});
}

// Every table is read or refused, with a place for every mistake.
TEST_F(QueueTable, SurvivesAnyText) {
  const std::string_view words[] = {"switch", "input", "output", "source",    "destination", "queue",
                                    "stage",  "*",     "0",      "1",         "2",           "0-1",
                                    "0-2",    "-",     "9",      "#",         "\n",          "\n",
                                    "\n",     "x",     "65535",  "4294967296"};
  int read = 0;
  for (std::uint64_t number = 0; number < 2000; ++number) {
    Rng rng(number, 0);
    std::string text = number % 2 == 0 ? "switch source queue\n* * 0\n" : "";
    for (std::uint32_t i = rng.below(30); i-- > 0;)
      text += std::string(words[rng.below(std::size(words))]) + ' ';
    try {
      const QueueMap table = map(line, text);
      for (const std::uint32_t queue : table.queue_of) ASSERT_LT(queue, table.queues);
      ++read;
    } catch (const SpecError& error) {
      for (const Mistake& mistake : error.mistakes()) EXPECT_NE(mistake.where, "");
    }
  }
  EXPECT_GT(read, 20);
}

}  // namespace
}  // namespace headway
