// SPDX-License-Identifier: Apache-2.0
// Chakra execution traces: what they become, and what is wrong with them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headway/program_files/program_summary.h"
#include "tests/fuzz/corpus.h"
#include "tests/support/chakra_bytes.h"
#include "tests/support/program_bytes.h"

namespace headway {
namespace {

using test::ChakraBytes;
using test::goal_text;
using test::read_program;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

constexpr int kCompute = 4, kSend = 5, kReceive = 6, kCollective = 7;

std::string chakra_text(const std::string& bytes, Arguments arguments = {}) {
  const auto read = read_program("chakra", bytes, 0, arguments);
  return read.program ? goal_text(read) : read.text();
}

TEST(Chakra, NodesBecomeOperations) {
  EXPECT_EQ(chakra_text(test::small_chakra(), {{"algorithm", "recursive-doubling"}}),
            "num_ranks 2\n"
            "rank 0 {\n"
            "  l0: calc 5000\n"
            "  l1: calc 0 cpu 3\n  l1 requires l0\n"
            "  l2: send 8b to 1 cpu 1\n  l2 requires l1\n"
            "  l3: recv 8b from 1 cpu 1\n  l3 requires l1\n"
            "  l4: calc 0 cpu 3\n  l4 requires l2\n  l4 requires l3\n"
            "  l5: send 16b to 1 tag 4 cpu 1\n  l5 requires l4\n"
            "}\n"
            "rank 1 {\n"
            "  l0: calc 0 cpu 3\n"
            "  l1: send 8b to 0 cpu 1\n  l1 requires l0\n"
            "  l2: recv 8b from 0 cpu 1\n  l2 requires l0\n"
            "  l3: calc 0 cpu 3\n  l3 requires l1\n  l3 requires l2\n"
            "  l4: calc 6000 cpu 2\n  l0 requires l4\n"
            "  l5: recv 16b from 0 tag 4 cpu 1\n  l5 requires l3\n"
            "}\n");
  EXPECT_EQ(recognised_program(InputFile::in_memory("x", "et", test::small_chakra())), "chakra");
}

TEST(Chakra, AsJsonIsTheSameProgram) {
  const std::string json(test::kSmallChakraJson);
  EXPECT_EQ(chakra_text(json), chakra_text(test::small_chakra()));
  EXPECT_EQ(recognised_program(InputFile::in_memory("x", "json", json)), "chakra");
}

TEST(Chakra, AsJsonReportsWhatItIsNot) {
  const auto after = [](const std::string& text) { return chakra_text("{\"version\": \"0.0.4\"}\n" + text); };
  EXPECT_THAT(after("{\"type\": \"COMP_NODES\"}"), HasSubstr("the type of this node is unknown"));
  EXPECT_THAT(after("{\"type\": \"COMP_NODE\", \"durationMicros\": \"5x\"}"),
              HasSubstr("durationMicros is not a whole number"));
  EXPECT_THAT(after("{\"type\": \"COMP_NODE\""), HasSubstr("this object does not end"));
  EXPECT_THAT(after("{\"type\": \"COMP_NODE\"} x"), HasSubstr("this is no object of JSON"));
  EXPECT_THAT(chakra_text("{\"type\": \"COMP_NODE\"}"), HasSubstr("does not begin with its metadata"));
  EXPECT_THAT(chakra_text("{\"schema\": \"1.1.1-chakra.0.0.4\", \"nodes\": []}"),
              HasSubstr("no trace of Chakra's nodes, one behind the other"));
}

TEST(Chakra, EveryCollectiveIsOne) {
  for (std::uint64_t type = 0; type <= 9; ++type) {
    ChakraBytes bytes;
    for (int rank = 0; rank < 4; ++rank)
      bytes.rank().node(1, kCollective, 0, {}, {{"comm_type", type}, {"comm_size", 400}});
    const auto read = read_program("chakra", bytes.bytes());
    ASSERT_TRUE(read.program) << type << read.text();
    EXPECT_GT(summary_of(*read.program).sends, 0U) << type;
  }
}

struct GroupsSetter final : ParameterVisitor<GroupsSetter> {
  InputFile file;
  void visit(const Parameter& parameter, InputFile& value) {
    if (parameter.name == "groups_file") value = file;
  }
  void visit(const Parameter&, auto&) {}
};

TEST(Chakra, GroupsAreInAFile) {
  ChakraBytes bytes;
  for (int rank = 0; rank < 4; ++rank)
    bytes.rank().node(1, kCollective, 0, {}, {{"comm_type", 6}, {"comm_size", 400}},
                      rank % 2 == 0 ? "even" : "odd");
  const auto text = [&](std::string_view groups) {
    const test::TemporaryFolder folder;
    test::write_bytes(folder.path() / "groups.json", groups);
    Choice<ProgramKind> kind = choose(programs(), "chakra");
    GroupsSetter setter;
    setter.file = InputFile((folder.path() / "groups.json").string());
    kind->describe(setter);
    ProgramText source(bytes_of(bytes.bytes(), "test"), "test", "");
    ProgramBuilder builder(0);
    Mistakes mistakes;
    try {
      dynamic_cast<const FileProgram&>(*kind.get()).read(source, builder, /*only_ranks=*/false);
    } catch (const SpecError& error) {
      return error.mistakes().front().where.substr(error.mistakes().front().where.find("groups.json")) +
             ": " + error.mistakes().front().message;
    }
    source.finish(mistakes);
    if (!mistakes.empty()) return mistakes.list().front().where + ": " + mistakes.list().front().message;
    std::vector<std::uint32_t> tags;
    const auto program = builder.take(mistakes, &tags);
    std::string content;
    test::StringSink sink(content);
    write_goal(*program, tags, sink);
    return content;
  };
  EXPECT_THAT(text("{\"even\": [0, 2],\n \"odd\": [1, 3]}\n"),
              AllOf(HasSubstr("send 200b to 2"), HasSubstr("send 200b to 3")));
  EXPECT_THAT(text("{\"even\": [0, 2]}"), HasSubstr("node 1: there is no group \"odd\""));
  EXPECT_THAT(text("{\"even\": [0, 1, 2],\n \"odd\": [3]}"), HasSubstr("rank 1 is not in the group \"odd\""));
  EXPECT_EQ(text("{\"even\": [0, 2],\n \"odd\": [1, 4]}"), "groups.json:2:13: there is no rank 4");
  EXPECT_EQ(text("{\"even\": [0, 2]\n \"odd\": [1, 3]}"), "groups.json:2:2: , is missing, there is \"\"\"");
  EXPECT_EQ(text("{\"even\": [0, 0]}"), "groups.json:1:15: a rank is twice in this group");
  EXPECT_EQ(text("{\"even\": [0, 2], \"even\": [1]}"), "groups.json:1:19: the group \"even\" is here twice");
  EXPECT_EQ(text(""), "groups.json:1:1: { is missing, the line ends");
}

TEST(Chakra, SaysWhatIsWrongWithItsByteAndRank) {
  const auto of_node = [](int type, std::vector<test::ChakraAttribute> attributes,
                          std::vector<std::uint64_t> needs = {}) {
    return chakra_text(ChakraBytes().rank().rank().node(4, type, 0, std::move(needs), attributes).bytes());
  };
  EXPECT_EQ(of_node(kCompute, {}, {9}),
            "test at byte 8 of rank 1: node 4: it needs node 9, which does not exist\n");
  EXPECT_EQ(of_node(kSend, {{"comm_dst", 0}}), "test at byte 8 of rank 1: node 4: it has no comm_size\n");
  EXPECT_EQ(of_node(kSend, {{"comm_size", 1}}), "test at byte 8 of rank 1: node 4: it has no comm_dst\n");
  EXPECT_THAT(of_node(kSend, {{"comm_size", 1}, {"comm_dst", 2}}),
              HasSubstr("its comm_dst is 2; there are 2 ranks"));
  EXPECT_THAT(of_node(kSend, {{"comm_size", 1}, {"comm_dst", 1}, {"comm_src", 0}}),
              HasSubstr("its comm_src is 0, but it is in the trace of rank 1"));
  EXPECT_THAT(of_node(kReceive, {{"comm_size", 1}, {"comm_src", 0}, {"comm_tag", UINT32_MAX}}),
              HasSubstr("its comm_tag is too large"));
  EXPECT_THAT(of_node(kCollective, {{"comm_size", 1}}), HasSubstr("it has no comm_type"));
  EXPECT_THAT(of_node(kCollective, {{"comm_size", 1}, {"comm_type", 10}}),
              HasSubstr("its comm_type 10 is unknown; 0 to 9"));
  EXPECT_THAT(of_node(kCollective, {{"comm_size", 1}, {"comm_type", 0}}),
              HasSubstr("rank 0 has no such collective"));
  EXPECT_THAT(of_node(8, {}), StartsWith("test at byte 8 of rank 1: the type 8 of a node is unknown"));
  EXPECT_THAT(chakra_text(ChakraBytes().rank().node(1, kCompute, UINT64_MAX).bytes()),
              HasSubstr("longer than 46 days"));
  EXPECT_THAT(chakra_text(ChakraBytes().rank().node(1, kCompute, 1).node(1, kCompute, 1).bytes()),
              HasSubstr("there is another node with this id"));
  EXPECT_EQ(chakra_text(ChakraBytes().node(1, kCompute, 1).bytes()),
            "test at byte 0: the trace does not begin with its metadata\n");
  EXPECT_THAT(chakra_text(ChakraBytes()
                              .rank()
                              .node(1, kCollective, 0, {}, {{"comm_type", 0}, {"comm_size", 8}})
                              .rank()
                              .node(2, kCollective, 0, {}, {{"comm_type", 2}, {"comm_size", 8}})
                              .bytes()),
              HasSubstr("node 2 of rank 1, which belongs to this collective, has another comm_type"));
  EXPECT_THAT(chakra_text(ChakraBytes().rank().node(1, kCompute, 1, {1}).bytes()),
              StartsWith("num_ranks 1\n"))
      << "cycles are found as in other programs";
}

// Each message has a type of node, which makes it one, and a field that is not of its type.
TEST(Chakra, RefusesFieldsOfAnotherType) {
  const auto with = [](auto&& add) {
    std::string message;
    protozero::pbf_writer writer(message);
    add(writer);
    writer.add_enum(3, kCompute);
    return chakra_text(ChakraBytes().rank().add(message).bytes());
  };
  const std::string wrong = "test at byte 8 of rank 0: this message is damaged: a field has another type\n";
  EXPECT_EQ(with([](auto& node) { node.add_string(1, "x"); }), wrong);
  EXPECT_EQ(with([](auto& node) { node.add_fixed64(7, 1); }), wrong);
  EXPECT_EQ(with([](auto& node) { node.add_fixed32(5, 1); }), wrong);
  EXPECT_EQ(with([](auto& node) { node.add_uint64(10, 1); }), wrong);
  EXPECT_EQ(with([](auto& node) { protozero::pbf_writer(node, 10).add_uint64(1, 1); }), wrong);
  EXPECT_EQ(with([](auto& node) { protozero::pbf_writer(node, 10).add_fixed64(9, 1); }), wrong);
  EXPECT_EQ(with([](auto& node) { protozero::pbf_writer(node, 10).add_uint64(29, 1); }), wrong);
  EXPECT_EQ(with([](auto& node) { protozero::pbf_writer(node, 10).add_uint64(28, 1); }), wrong);
}

TEST(Chakra, SizesThatTheFileDoesNotHaveTakeNoMemory) {
  const std::string rank = ChakraBytes().rank().bytes();
  EXPECT_THAT(chakra_text(rank + "\xff\xff\xff\xff\xff\xff\xff\xff\x0f"),
              HasSubstr("a message has 1152921504606846975 B"));
  EXPECT_THAT(chakra_text(rank + "\x80\x80\x80\x40"),
              HasSubstr("a message has 134217728 B, but the file ends after 0"));
}

void expect_sane_trace(const std::string& bytes) {
  const auto read = read_program("chakra", bytes);
  if (read.program) return;
  ASSERT_FALSE(read.mistakes.empty());
  for (const Mistake& mistake : read.mistakes.list())
    EXPECT_TRUE(mistake.message.starts_with("operation ") || mistake.where.starts_with("test at byte "))
        << mistake.where << mistake.message;
}

TEST(Chakra, EveryPrefixAndChangeOfAByteIsAProgramOrAMistakeWithItsByte) {
  const std::string small = test::small_chakra();
  for (std::size_t size = 0; size < small.size(); ++size) expect_sane_trace(small.substr(0, size));
  for (std::size_t at = 0; at < small.size(); ++at)
    for (int byte = 0; byte < 256; ++byte) {
      std::string bytes = small;
      bytes[at] = static_cast<char>(byte);
      expect_sane_trace(bytes);
    }
}

}  // namespace
}  // namespace headway
