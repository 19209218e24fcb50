// SPDX-License-Identifier: Apache-2.0
// Programs of flows: htsim's connection matrices and HPCC's flow files. The expected programs are GOAL text.
#include <gmock/gmock.h>

#include "headway/config/parameters.h"
#include "tests/support/program_bytes.h"

namespace headway {
namespace {

using test::read_program;
using testing::HasSubstr;

// The translation, with blanks and line ends as they are written.
std::string translated(std::string_view format, const std::string& text) {
  const auto read = read_program(format, text);
  return read.program ? test::goal_text(read) : read.text();
}
// Of a matrix of four nodes with this number of connections and triggers.
std::string matrix(int connections, int triggers, const std::string& lines) {
  return translated("htsim", "Nodes 4\nConnections " + std::to_string(connections) + "\nTriggers " +
                                 std::to_string(triggers) + "\n" + lines);
}

TEST(Hpcc, StartsEveryFlowAtItsTime) {
  EXPECT_EQ(
      translated("hpcc", "3\n0 1 3 100 4000 2.000001\n2 1 3 100 50 2.000000002\n0 2 3 100 9 2.0000010005\n"),
      "// calc_unit = \"1 ps\"\nnum_ranks 3\nrank 0 {\n  l0: calc 998000 cpu 1\n  l1: send 4000b to 1\n"
      "  l1 requires l0\n  l2: calc 500 cpu 1\n  l2 requires l0\n  l3: send 9b to 2\n  l3 requires l2\n}\n"
      "rank 1 {\n  recv 50b from 2\n  recv 4000b from 0\n}\nrank 2 {\n  send 50b to 1\n  recv 9b from 0\n}\n")
      << "times count from the earliest flow; the flows of a rank are in the order of time";
}

TEST(Hpcc, SaysWhatIsWrong) {
  EXPECT_EQ(translated("hpcc", "2\n0 1 3 100 4000 2\n"),
            "test:1:1: the first line announces 2 flows, but the file has 1\n");
  EXPECT_EQ(translated("hpcc", "1\n0 1 3 100 4000\n"), "test:2:15: the start, in seconds, is missing\n");
  EXPECT_EQ(translated("hpcc", "1\n0 1 3 100 4000 x\n"),
            "test:2:16: the start, \"x\", is no time; seconds, at most 46 days\n");
  EXPECT_EQ(
      translated("hpcc", "1\n0 1 3 100 4000 2 7\n"),
      "test:2:18: the flow should end here, but there is \"7\"; source destination group port bytes start\n");
  EXPECT_THAT(translated("hpcc", "flows\n"), HasSubstr("test:1:1: the number of flows is missing"));
  EXPECT_EQ(translated("hpcc", "0\n"), "test: the file has no flow\n");
}

TEST(Htsim, StartsFlowsAtTheirTimes) {
  EXPECT_EQ(
      matrix(3, 0,
             "# a comment\n0->1 id 1 start 2000 size 5000\n0->2 start 0 size 7 prio 3\n0->1 start 1000 size "
             "9\n"),
      "num_ranks 4\nrank 0 {\n  l0: calc 1 cpu 1\n  l1: calc 1 cpu 1\n  l1 requires l0\n  l2: send 5000b to "
      "1\n"
      "  l2 requires l1\n  send 7b to 2\n  l4: send 9b to 1\n  l4 requires l0\n}\n"
      "rank 1 {\n  recv 5000b from 0\n  recv 9b from 0\n}\nrank 2 {\n  recv 7b from 0\n}\nrank 3 {\n}\n");
}

TEST(Htsim, AOneshotTriggerStartsAllItsFlows) {
  EXPECT_EQ(matrix(3, 1,
                   "0->1 id 1 start 0 size 10 recv_done_trigger 5\n1->2 id 2 trigger 5 size 20\n"
                   "3->2 id 3 trigger 5 size 30\ntrigger id 5 oneshot\n"),
            "num_ranks 4\nrank 0 {\n  send 10b to 1\n}\n"
            "rank 1 {\n  l0: recv 10b from 0\n  l1: send 20b to 2\n  l1 requires l0\n"
            "  l2: send 1b to 3 tag 1\n  l2 requires l0\n}\n"
            "rank 2 {\n  recv 20b from 1\n  recv 30b from 3\n}\n"
            "rank 3 {\n  l0: send 30b to 2\n  l1: recv 1b from 1 tag 1\n  l0 requires l1\n}\n")
      << "node 1 knows that it received; node 3 is told";
}

TEST(Htsim, EveryActivationOfAMultishotTriggerStartsTheNextFlow) {
  EXPECT_EQ(
      matrix(4, 1,
             "0->1 id 1 start 0 size 1 send_done_trigger 1\n0->2 id 2 start 0 size 2 send_done_trigger 1\n"
             "0->3 id 3 trigger 1 size 3 send_done_trigger 1\n0->1 id 4 trigger 1 size 4\n"
             "trigger id 1 multishot\n"),
      "num_ranks 4\nrank 0 {\n  l0: send 1b to 1\n  l1: send 2b to 2\n  l2: send 3b to 3\n  l2 requires l0\n"
      "  l3: send 4b to 1\n  l3 requires l1\n}\n"
      "rank 1 {\n  recv 1b from 0\n  recv 4b from 0\n}\nrank 2 {\n  recv 2b from 0\n}\n"
      "rank 3 {\n  recv 3b from 0\n}\n");
}

TEST(Htsim, ABarrierIsCountedAtTheSourceOfItsFirstFlow) {
  EXPECT_EQ(
      matrix(4, 1,
             "0->1 id 1 start 0 size 1 recv_done_trigger 9\n2->3 id 2 start 0 size 2 recv_done_trigger 9\n"
             "1->0 id 3 trigger 9 size 3\n1->2 id 4 trigger 9 size 4\ntrigger id 9 barrier count 2\n"),
      "num_ranks 4\nrank 0 {\n  send 1b to 1\n  recv 3b from 1\n}\n"
      "rank 1 {\n  l0: recv 1b from 0\n  l1: send 3b to 0\n  l2: send 4b to 2\n  l3: calc 0 cpu 1\n"
      "  l3 requires l0\n  l1 requires l3\n  l2 requires l3\n"
      "  l4: recv 1b from 3 tag 1\n  l3 requires l4\n}\n"
      "rank 2 {\n  send 2b to 3\n  recv 4b from 1\n}\n"
      "rank 3 {\n  l0: recv 2b from 2\n  l1: send 1b to 1 tag 1\n  l1 requires l0\n}\n");
}

TEST(Htsim, SaysWhatIsWrong) {
  EXPECT_EQ(matrix(2, 0, "0->1 start 0 size 1\n"),
            "test: the header announces 2 Connections, but the file has 1\n");
  EXPECT_EQ(translated("htsim", "Nodes 2\n0->1 start 0 size 1\n"),
            "test: the header has no number of connections; write \"Connections 1\"\n");
  EXPECT_EQ(matrix(1, 2, "0->1 start 0 size 1\ntrigger id 1 oneshot\n"),
            "test: the header announces 2 Triggers, but the file has 1\n");
  EXPECT_EQ(matrix(1, 0, "0->4 start 0 size 1\n"), "test:4:4: there is no node 4; 0 to 3\n");
  EXPECT_EQ(matrix(1, 0, "0->1 strat 0 size 1\n"),
            "test:4:6: a flow has no such key: there is \"strat\"; did you mean \"start\"?\n");
  EXPECT_EQ(matrix(1, 0, "0->1 start 0\n"),
            "test:4:13: the flow has no size; write for example \"size 4096\"\n");
  EXPECT_EQ(matrix(1, 0, "0->1 size 4\n"),
            "test:4:1: nothing starts the flow; a flow has either a start or a trigger\n");
  EXPECT_EQ(matrix(1, 0, "0->1 id 1 start 0 trigger 1 size 4\n"),
            "test:4:1: the flow has a start and a trigger; a flow has either a start or a trigger\n");
  EXPECT_EQ(matrix(1, 0, "0->1 trigger 1 size 4\n"),
            "test:4:1: a flow with a trigger needs an id; write for example \"id 1\"\n");
  EXPECT_THAT(matrix(1, 0, "0->1 id 1 trigger 1 size 4\n"), HasSubstr("test:4:1: there is no trigger 1"));
  EXPECT_THAT(
      matrix(1, 1, "0->1 id 1 trigger 1 size 4\ntrigger id 1 oneshot\n"),
      HasSubstr("test:5:1: trigger 1 is activated by 0 flows; it has 1 flows, which would never start"));
  EXPECT_THAT(matrix(2, 1,
                     "0->1 start 0 size 4 send_done_trigger 1\n0->1 start 0 size 4 send_done_trigger 1\n"
                     "trigger id 1 oneshot\n"),
              HasSubstr("test:6:1: trigger 1 is activated by 2 flows; a oneshot trigger is activated once"));
  EXPECT_THAT(matrix(1, 1, "0->1 start 0 size 4 send_done_trigger 1\ntrigger id 1 barrier count 2\n"),
              HasSubstr("test:5:1: trigger 1 is activated by 1 flows; its count is 2"));
  EXPECT_EQ(matrix(0, 0, "failure switch_type TOR switch_id 0 link_id 1\n"),
            "test:4:1: a program has no failures; write them in the spec, in network.failures\n");
  EXPECT_EQ(matrix(1, 0, "0->1 start 0 size 0\n"),
            "test:4:19: a flow of size 0 has no end in htsim, and cannot be a message\n");
  EXPECT_EQ(translated("htsim", "Node 4\n"),
            "test:1:1: a line cannot begin so: there is \"Node\"; did you mean \"Nodes\"?\n");
}

// Every file is recognised, and as nothing else.
TEST(FilePrograms, RecogniseTheirFiles) {
  const std::pair<std::string_view, std::string> files[] = {
      {"goal", "// x\n/* y */num_ranks 4\n"},
      {"csv", "# x\nkind,rank,after\n"},
      {"htsim", "# x\nNodes 4\nConnections 0\n"},
      {"hpcc", "12\n0 1 3 100 5 2\n"},
  };
  for (const auto& [name, content] : files)
    for (const Choice<ProgramKind>& choice : file_programs())
      EXPECT_EQ(dynamic_cast<const FileProgram&>(*choice).recognises(content), choice.name == name)
          << name << ' ' << choice.name;
  EXPECT_EQ(recognised_program(InputFile::in_memory("x", "goal", files[0].second)), "goal");
  EXPECT_EQ(recognised_program(InputFile::in_memory("x", "txt", "hello\n")), std::nullopt);
}

// Gives the file in memory to the parameter `file`.
class FileOf final : public ParameterVisitor<FileOf> {
 public:
  explicit FileOf(std::string content) : file_(InputFile::in_memory("x", "txt", std::move(content))) {}
  template <class V>
  void visit(const Parameter&, V& value) {
    if constexpr (std::is_same_v<V, InputFile>) value = file_;
  }

 private:
  InputFile file_;
};

Choice<ProgramKind> member(std::string_view format, const std::string& content) {
  Choice<ProgramKind> kind = choose(programs(), format);
  FileOf file(content);
  kind->describe(file);
  return kind;
}

TEST(FilePrograms, KnowTheirRanksBeforeTheyAreRead) {
  EXPECT_EQ(member("goal", "num_ranks 7\nrank 0 {")->ranks(), 7U);
  EXPECT_EQ(member("csv", "rank,kind,peer,bytes\n0,send,4,8\n2,compute,,\n")->ranks(), 5U);
  EXPECT_EQ(member("htsim", "Nodes 9\n")->ranks(), 9U);
  EXPECT_EQ(member("hpcc", "1\n0 1 3 100 4000 2.5\n")->ranks(), std::nullopt) << "any number";
  Mistakes mistakes;
  member("goal", "num_ranks 7\nrank 0 {")->check(7, mistakes);
  EXPECT_TRUE(mistakes.empty());
  EXPECT_EQ(member("goal", "hello")->ranks(), std::nullopt);
  member("goal", "hello")->check(7, mistakes);
  ASSERT_EQ(mistakes.list().size(), 1U);
  EXPECT_EQ(mistakes.list()[0].key, "file");
  choose(programs(), "csv")->check(7, mistakes);
  EXPECT_EQ(mistakes.list().back().message, "no file is given");
}

TEST(FilePrograms, BuildThrowsTheMistakesOfTheFile) {
  const auto mistake = [](const Choice<ProgramKind>& kind, std::uint32_t ranks) -> std::string {
    ProgramBuilder builder(ranks);
    try {
      kind->build(builder);
    } catch (const SpecError& error) {
      return error.mistakes().front().key + ": " + error.mistakes().front().message;
    }
    return "";
  };
  EXPECT_EQ(mistake(member("goal", "num_ranks 2\nrank 0 {\n"), 2), "file: rank 0 is not closed with a }");
  EXPECT_EQ(mistake(member("hpcc", "1\n0 5 3 100 4000 2.5\n"), 4), "file: has 6 ranks, but the job has 4");
  EXPECT_EQ(mistake(member("hpcc", "1\n0 5 3 100 4000 2.5\n"), 8), "");
}

}  // namespace
}  // namespace headway
