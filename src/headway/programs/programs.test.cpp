// SPDX-License-Identifier: Apache-2.0
// The built-in programs. collectives.test.cpp follows the data; here are the operations of each rank, the
// bytes in total, and mistakes.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <bit>
#include <limits>
#include <stdexcept>

#include "headway/config/assign.h"
#include "headway/programs/kind.h"

namespace headway {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string mistakes_of(const ProgramKind& kind, std::uint32_t ranks) {
  Mistakes mistakes;
  kind.check(ranks, mistakes);
  std::string text;
  for (const Mistake& it : mistakes.list())
    text += fmt::format("{}{}: {}{}{}", text.empty() ? "" : "\n", it.key, it.message,
                        it.hint.empty() ? "" : "; ", it.hint);
  return text;
}

// No program has a cycle, even if all messages are announced.
Program made(const ProgramKind& kind, std::uint32_t ranks) {
  EXPECT_EQ(mistakes_of(kind, ranks), "");
  ProgramBuilder builder(ranks);
  kind.build(builder);
  Mistakes mistakes;
  const auto program = builder.take(mistakes);
  if (program) {
    report_cycle(*program, std::numeric_limits<std::uint64_t>::max(), mistakes);
    report_cycle(*program, /*rendezvous=*/0, mistakes);
  }
  if (!mistakes.empty()) throw std::runtime_error(mistakes.list().front().message);
  return *program;
}

Program made(std::string_view name, std::uint32_t ranks, Arguments arguments = {}) {
  SCOPED_TRACE(std::string(name) + " with " + std::to_string(ranks) + " ranks");
  return made(*choose(programs(), name, arguments), ranks);
}

std::string refusal(std::string_view name, std::uint32_t ranks, Arguments arguments) {
  return mistakes_of(*choose(programs(), name, arguments), ranks);
}

// "send 8 to 1 (0, 1)": an operation with what it requires.
std::vector<std::string> operations(const Program& program, std::uint32_t rank) {
  const std::uint32_t first = program.first_of_rank[rank], end = program.first_of_rank[rank + 1];
  std::vector<std::vector<std::uint32_t>> required(end - first);
  for (std::uint32_t op = first; op < end; ++op)
    for (const Dependent dependent : program.dependents_of(op))
      required[dependent.op()].push_back(op - first);
  std::vector<std::string> texts;
  for (std::uint32_t op = first; op < end; ++op) {
    const ProgramOp it = program.ops[op];
    std::string text = fmt::format("compute {}", it.amount);
    if (it.kind == ProgramOpKind::send)
      text = fmt::format("send {} to {}", it.amount, program.rank_of(it.partner));
    if (it.kind == ProgramOpKind::receive)
      text = fmt::format("receive {} from {}", it.amount, program.rank_of(it.partner));
    if (it.cpu != 0) text += fmt::format(" on {}", it.cpu);
    if (!required[op - first].empty()) text += fmt::format(" ({})", fmt::join(required[op - first], ", "));
    texts.push_back(text);
  }
  return texts;
}

std::uint64_t sent(const Program& program) {
  std::uint64_t bytes = 0;
  for (std::uint32_t op = 0; op < program.size(); ++op)
    if (program.ops[op].kind == ProgramOpKind::send) bytes += program.ops[op].amount;
  return bytes;
}

// n bytes, of which n mod P blocks are one byte longer, or empty.
TEST(Programs, AllReducesSendWhatTheirClosedFormsSay) {
  for (const std::int64_t n : {1, 5, 1000}) {
    for (const std::uint64_t ranks : {1, 2, 3, 5, 8, 12, 16}) {
      const auto p = static_cast<std::uint32_t>(ranks);
      const std::uint64_t core = std::bit_floor(ranks), folded = ranks - core,
                          steps = static_cast<std::uint64_t>(std::countr_zero(core));
      const auto bytes = static_cast<std::uint64_t>(n);
      for (const std::int64_t chunks : {1, 3}) {
        const auto all = [&](const char* algorithm) {
          return sent(
              made("all-reduce", p, {{"size", Bytes{n}}, {"algorithm", algorithm}, {"chunks", chunks}}));
        };
        EXPECT_EQ(all("ring"), 2 * (ranks - 1) * bytes);
        EXPECT_EQ(all("tree"), 2 * (ranks - 1) * bytes);
        EXPECT_EQ(all("double-tree"), 2 * (ranks - 1) * bytes);
        EXPECT_EQ(all("recursive-doubling"), (steps * core + 2 * folded) * bytes);
        EXPECT_EQ(all("rabenseifner"), (2 * (core - 1) + 2 * folded) * bytes);
        for (std::int64_t inner = 1; inner <= p; ++inner) {
          if (p % inner != 0) continue;
          EXPECT_EQ(sent(made("all-reduce", p,
                              {{"size", Bytes{n}},
                               {"algorithm", "hierarchical"},
                               {"ranks_per_group", inner},
                               {"chunks", chunks}})),
                    2 * (ranks - 1) * bytes);
        }
      }
      EXPECT_EQ(sent(made("reduce-scatter", p, {{"size", Bytes{n}}})), (ranks - 1) * bytes);
      EXPECT_EQ(sent(made("broadcast", p, {{"size", Bytes{n}}})), (ranks - 1) * bytes);
      EXPECT_EQ(sent(made("reduce", p, {{"size", Bytes{n}}, {"chunks", 2}})), (ranks - 1) * bytes);
      for (const char* algorithm : {"ring", "bruck"})
        EXPECT_EQ(sent(made("all-gather", p, {{"size", Bytes{n}}, {"algorithm", algorithm}})),
                  ranks * (ranks - 1) * bytes);
      for (const char* algorithm : {"pairwise", "linear"})
        EXPECT_EQ(sent(made("all-to-all", p, {{"size", Bytes{n}}, {"algorithm", algorithm}})),
                  ranks * (ranks - 1) * bytes);
      std::uint64_t bits = 0;
      for (std::uint64_t i = 0; i < ranks; ++i) bits += static_cast<std::uint64_t>(std::popcount(i));
      EXPECT_EQ(sent(made("all-to-all", p, {{"size", Bytes{n}}, {"algorithm", "bruck"}})),
                ranks * bits * bytes);
      for (const char* name : {"gather", "scatter"})
        EXPECT_EQ(sent(made(name, p, {{"size", Bytes{n}}, {"algorithm", "linear"}})), (ranks - 1) * bytes);
    }
  }
}

TEST(Programs, RingsSendTheirBlocksInOrder) {
  // Blocks of 4, 3 and 3 bytes.
  EXPECT_THAT(operations(made("all-reduce", 3, {{"size", Bytes{10}}}), 1),
              ElementsAre("send 3 to 2", "receive 4 from 0", "send 4 to 2 (0, 1)", "receive 3 from 0 (0, 1)",
                          "send 3 to 2 (2, 3)", "receive 3 from 0 (2, 3)", "send 3 to 2 (4, 5)",
                          "receive 4 from 0 (4, 5)"));
  EXPECT_THAT(operations(made("reduce-scatter", 3, {{"size", Bytes{10}}, {"reduction", Rate{1}}}), 1),
              ElementsAre("send 4 to 2", "receive 3 from 0", "compute 3000 (1)", "send 3 to 2 (0, 2)",
                          "receive 3 from 0 (0, 2)", "compute 3000 (4)"));
}

// Rank 1 of 3 adds the data of rank 0, and stands for both in a core of two ranks.
TEST(Programs, RabenseifnerFoldsToAPowerOfTwo) {
  const Program program =
      made("all-reduce", 3, {{"size", Bytes{5}}, {"algorithm", "rabenseifner"}, {"reduction", Rate{1}}});
  EXPECT_THAT(operations(program, 0), ElementsAre("send 5 to 1", "receive 5 from 1 (0)"));
  EXPECT_THAT(
      operations(program, 1),
      ElementsAre("receive 5 from 0", "compute 5000 (0)", "send 2 to 2 (1)", "receive 3 from 2 (1)",
                  "compute 3000 (3)", "send 3 to 2 (2, 4)", "receive 2 from 2 (2, 4)", "send 5 to 0 (5, 6)"));
}

TEST(Programs, RabenseifnerHalvesTheRangeOfBlocks) {
  // Blocks of 10, 10, 10 and 9 bytes. Rank 1 keeps blocks 2 and 3, then block 2.
  EXPECT_THAT(operations(made("all-reduce", 4, {{"size", Bytes{39}}, {"algorithm", "rabenseifner"}}), 1),
              ElementsAre("send 20 to 0", "receive 19 from 0", "send 9 to 3 (0, 1)",
                          "receive 10 from 3 (0, 1)", "send 10 to 3 (2, 3)", "receive 9 from 3 (2, 3)",
                          "send 19 to 0 (4, 5)", "receive 20 from 0 (4, 5)"));
}

TEST(Programs, TreesBeginWithTheirLargestBranch) {
  const Program program = made("broadcast", 6, {{"size", Bytes{7}}, {"root", 1}});
  EXPECT_THAT(operations(program, 1), ElementsAre("send 7 to 5", "send 7 to 3 (0)", "send 7 to 2 (1)"));
  EXPECT_THAT(operations(program, 5), ElementsAre("receive 7 from 1", "send 7 to 0 (0)"));
  EXPECT_THAT(operations(made("reduce", 6, {{"size", Bytes{7}}, {"root", 1}}), 1),
              ElementsAre("receive 7 from 2", "receive 7 from 3 (0)", "receive 7 from 5 (1)"));
  EXPECT_THAT(operations(made("gather", 6, {{"size", Bytes{7}}}), 4),
              ElementsAre("receive 7 from 5", "send 14 to 0 (0)"));
  EXPECT_THAT(operations(made("scatter", 6, {{"size", Bytes{7}}}), 0),
              ElementsAre("send 14 to 4", "send 14 to 2 (0)", "send 7 to 1 (1)"));
}

// Of 6 ranks, the second tree is the mirror of the first one: 0 - 4 - (2 - (1, 3), 5).
TEST(Programs, LeavesOfOneTreeAreInnerRanksOfTheOther) {
  EXPECT_THAT(
      operations(made("all-reduce", 6, {{"size", Bytes{9}}, {"algorithm", "double-tree"}}), 4),
      ElementsAre("receive 5 from 2", "receive 5 from 5", "send 5 to 0 (0, 1)", "receive 5 from 0 (2)",
                  "send 5 to 2 (3)", "send 5 to 5 (3)", "send 4 to 3", "receive 4 from 3 (6)"));
}

TEST(Programs, AllToAllsBeginWithTheNextRank) {
  EXPECT_THAT(operations(made("all-to-all", 4, {{"size", Bytes{2}}}), 1),
              ElementsAre("send 2 to 2", "receive 2 from 0", "send 2 to 3 (0, 1)", "receive 2 from 3 (0, 1)",
                          "send 2 to 0 (2, 3)", "receive 2 from 2 (2, 3)"));
  EXPECT_THAT(operations(made("all-to-all", 4, {{"size", Bytes{2}}, {"algorithm", "linear"}}), 1),
              ElementsAre("send 2 to 2", "send 2 to 3", "send 2 to 0", "receive 2 from 0", "receive 2 from 3",
                          "receive 2 from 2"));
  EXPECT_THAT(
      operations(made("all-to-all", 4, {{"size", Bytes{2}}, {"algorithm", "linear"}, {"window", 2}}), 1),
      ElementsAre("send 2 to 2", "send 2 to 3", "send 2 to 0 (0)", "receive 2 from 0", "receive 2 from 3",
                  "receive 2 from 2 (3)"));
  EXPECT_THAT(
      operations(made("all-to-all", 3, {{"size", Bytes{2}}, {"algorithm", "bruck"}}), 0),
      ElementsAre("send 2 to 1", "receive 2 from 2", "send 2 to 2 (0, 1)", "receive 2 from 1 (0, 1)"));
}

TEST(Programs, HalosExchangeWithAllNeighbours) {
  using Shape = std::vector<std::int64_t>;
  EXPECT_THAT(
      operations(made("halo", 6, {{"shape", Shape{3, 2}}, {"size", Bytes{8}}, {"compute", Duration{2}}}), 1),
      ElementsAre("compute 2000", "send 8 to 2 (0)", "send 8 to 0 (0)", "send 8 to 4 (0)", "send 8 to 4 (0)",
                  "receive 8 from 0 (0)", "receive 8 from 2 (0)", "receive 8 from 4 (0)",
                  "receive 8 from 4 (0)"));
  EXPECT_THAT(
      operations(made("halo", 6, {{"shape", Shape{3, 2}}, {"size", Bytes{8}}, {"periodic", false}}), 3),
      ElementsAre("send 8 to 4", "send 8 to 0", "receive 8 from 4", "receive 8 from 0"));
  const Program corners =
      made("halo", 64,
           {{"shape", Shape{4, 4, 4}}, {"corners", true}, {"size", Bytes{8}}, {"corner_size", Bytes{1}}});
  EXPECT_EQ(operations(corners, 0).size(), 2U * 26);
  EXPECT_EQ(sent(corners), 64 * (6 * 8 + 20U));
  EXPECT_THAT(operations(made("halo", 1), 0), IsEmpty());
  EXPECT_EQ(choose(programs(), "halo", {{"shape", Shape{4, 4, 4}}})->ranks(), 64U);
  EXPECT_EQ(refusal("halo", 1, {{"shape", Shape(9, 1)}}), "shape: has 9 dimensions; at most 8");
}

// A path from a corner to the opposite one has as many computations as ranks on it and blocks after the
// first.
TEST(Programs, SweepsPassThroughTheGrid) {
  const Program program = made("sweep", 6,
                               {{"shape", std::vector<std::int64_t>{3, 2}},
                                {"size", Bytes{8}},
                                {"compute", Duration{1}},
                                {"sweeps", 3}});
  EXPECT_THAT(operations(program, 2),
              ElementsAre("receive 8 from 1", "compute 1000 (0)", "send 8 to 5 (1)", "compute 1000 (2)",
                          "send 8 to 1 (3)", "send 8 to 5 (3)", "receive 8 from 5 (4, 5)", "compute 1000 (6)",
                          "send 8 to 1 (7)"));
  EXPECT_EQ(sent(program), 3 * 7 * 8U);
}

TEST(Programs, FftsTransposeRowsThenColumns) {
  EXPECT_THAT(operations(made("fft", 4, {{"size", Bytes{9}}, {"compute", Duration{1}}}), 0),
              ElementsAre("compute 1000", "send 5 to 1 (0)", "receive 5 from 1 (0)", "compute 1000 (1, 2)",
                          "send 5 to 2 (3)", "receive 5 from 2 (3)", "compute 1000 (4, 5)"));
  // The computation waits for the last message of each chain.
  EXPECT_THAT(operations(made("fft", 4,
                              {{"size", Bytes{4}},
                               {"shape", std::vector<std::int64_t>{4, 1}},
                               {"algorithm", "linear"},
                               {"window", 2},
                               {"compute", Duration{1}}}),
                         0),
              ElementsAre("compute 1000", "send 1 to 1 (0)", "send 1 to 2 (0)", "send 1 to 3 (1)",
                          "receive 1 from 3 (0)", "receive 1 from 2 (0)", "receive 1 from 1 (4)",
                          "compute 1000 (2, 3, 5, 6)", "compute 1000 (7)"));
  // As close to a square as possible, the longer side first: rows of 4.
  EXPECT_EQ(operations(made("fft", 12), 0).size(), 2U * (3 + 2));
}

TEST(Programs, IncastsCanBeAskedFor) {
  const Program all = made("incast", 4, {{"size", Bytes{8}}, {"receivers", 2}});
  EXPECT_THAT(operations(all, 1), ElementsAre("send 8 to 2", "send 8 to 3"));
  EXPECT_THAT(operations(all, 3), ElementsAre("receive 8 from 0", "receive 8 from 1"));
  const Program asked = made("incast", 4, {{"size", Bytes{8}}, {"receivers", 2}, {"request", Bytes{1}}});
  EXPECT_THAT(operations(asked, 1),
              ElementsAre("receive 1 from 2", "send 8 to 2 (0)", "receive 1 from 3", "send 8 to 3 (2)"));
  EXPECT_THAT(operations(asked, 3),
              ElementsAre("send 1 to 0", "send 1 to 1", "receive 8 from 0", "receive 8 from 1"));
  EXPECT_EQ(choose(programs(), "incast", {{"senders", 3}, {"receivers", 2}})->ranks(), 5U);
  EXPECT_EQ(refusal("incast", 4, {{"senders", 4}}), "senders: leaves no other of the 4 ranks; at most 3");
  EXPECT_EQ(refusal("incast", 1, {}), "ranks: 1 rank; at least 2, for senders and receivers");
}

TEST(Programs, RequestsGoToTheServersInTurn) {
  const Program program = made("request-reply", 4,
                               {{"servers", 2},
                                {"requests", 3},
                                {"window", 2},
                                {"request", Bytes{1}},
                                {"reply", Bytes{9}},
                                {"think", Duration{5}},
                                {"service", Duration{2}},
                                {"slow_servers", std::vector<std::int64_t>{1}},
                                {"slow_factor", 1.5}});
  EXPECT_THAT(operations(program, 1), ElementsAre("send 1 to 3", "receive 9 from 3", "compute 5000 (1)",
                                                  "send 1 to 2", "receive 9 from 2", "compute 5000 (4)",
                                                  "send 1 to 3 (2)", "receive 9 from 3", "compute 5000 (7)"));
  EXPECT_THAT(operations(program, 3), ElementsAre("receive 1 from 1", "compute 3000 (0)", "send 9 to 1 (1)",
                                                  "receive 1 from 0", "compute 3000 (3)", "send 9 to 0 (4)",
                                                  "receive 1 from 1", "compute 3000 (6)", "send 9 to 1 (7)"));
  EXPECT_THAT(
      operations(made("request-reply", 2, {{"requests", 2}, {"request", Bytes{1}}, {"reply", Bytes{9}}}), 1),
      ElementsAre("receive 1 from 0", "send 9 to 0 (0)", "receive 1 from 0", "send 9 to 0 (2)"));
  EXPECT_EQ(refusal("request-reply", 4, {{"slow_servers", std::vector<std::int64_t>{1}}}),
            "slow_servers: there is no server 1; servers are 0 to 0\n"
            "slow_servers: have no effect, because servers need no time; give service");
}

TEST(Programs, MappersBeginWithDifferentReducers) {
  const Program program =
      made("shuffle", 5, {{"mappers", 2}, {"size", Bytes{4}}, {"map", Duration{1}}, {"reduce", Duration{3}}});
  EXPECT_THAT(operations(program, 1),
              ElementsAre("compute 1000", "send 4 to 3 (0)", "send 4 to 4 (0)", "send 4 to 2 (0)"));
  EXPECT_THAT(operations(program, 2),
              ElementsAre("receive 4 from 0", "receive 4 from 1", "compute 3000 (0, 1)"));
}

TEST(Programs, PingPongsGoToAndFro) {
  const Program program = made("ping-pong", 4, {{"size", Bytes{4}}, {"rounds", 2}});
  EXPECT_THAT(operations(program, 1),
              ElementsAre("send 4 to 3", "receive 4 from 3 (0)", "send 4 to 3 (1)", "receive 4 from 3 (2)"));
  EXPECT_EQ(refusal("ping-pong", 3, {}), "ranks: 3 ranks; an even number");
}

// The all-reduce of a layer waits for its computation backward and for the all-reduce before it.
TEST(Programs, GradientsAreReducedDuringTheComputations) {
  const Program program = made("training-step", 2,
                               {{"forward_ns", std::vector<double>{1}},
                                {"backward_ns", std::vector<double>{2, 3, 0.001}},
                                {"gradient_bytes", std::vector<std::int64_t>{8, 0, 6}},
                                {"algorithm", "recursive-doubling"}});
  EXPECT_THAT(
      operations(program, 0),
      ElementsAre("compute 1000", "compute 1000 (0)", "compute 1000 (1)", "compute 1 (2)",
                  "send 6 to 1 on 1 (3)", "receive 6 from 1 on 1 (3)", "compute 3000 (3)", "compute 2000 (6)",
                  "send 8 to 1 on 1 (4, 5, 7)", "receive 8 from 1 on 1 (4, 5, 7)"));
}

// The first of two stages is one forward pass ahead.
TEST(Programs, StagesOfAPipelineAlternateForwardAndBackward) {
  const Program program = made("training-step", 2,
                               {{"layers", 2},
                                {"forward_ns", std::vector<double>{1}},
                                {"backward_ns", std::vector<double>{2}},
                                {"stages", 2},
                                {"microbatches", 2},
                                {"activations", Bytes{4}}});
  EXPECT_THAT(
      operations(program, 0),
      ElementsAre("compute 1000", "send 4 to 1 (0)", "compute 1000 (1)", "send 4 to 1 (2)",
                  "receive 4 from 1 (2)", "compute 2000 (3, 4)", "receive 4 from 1 (5)", "compute 2000 (6)"));
  EXPECT_THAT(
      operations(program, 1),
      ElementsAre("receive 4 from 0", "compute 1000 (0)", "compute 2000 (1)", "send 4 to 0 (2)",
                  "receive 4 from 0 (2)", "compute 1000 (3, 4)", "compute 2000 (5)", "send 4 to 0 (6)"));
}

TEST(Programs, TrainingCombinesAllKindsOfParallelism) {
  for (const std::int64_t stages : {1, 2, 3})
    for (const std::int64_t microbatches : {1, 2, 5}) {
      const Program program = made("training-step", static_cast<std::uint32_t>(stages) * 8,
                                   {{"layers", 7},
                                    {"gradient_bytes", std::vector<std::int64_t>{100}},
                                    {"tensor", 2},
                                    {"expert", 2},
                                    {"stages", stages},
                                    {"microbatches", microbatches},
                                    {"activations", Bytes{10}}});
      // Of each layer: gradients of two groups of 4 ranks; forward and backward, activations of 4 groups of 2
      // ranks, and blocks to the other expert from each of 8 ranks, twice. Between stages: 8 ranks, both
      // ways.
      const std::uint64_t passes = static_cast<std::uint64_t>(microbatches) * 2;
      EXPECT_EQ(sent(program), 7 * (2 * 2 * 3 * 100 + passes * (4 * 2 * 10 + 8 * 2 * 5)) +
                                   static_cast<std::uint64_t>(stages - 1) * passes * 8 * 10);
    }
}

// What many repetitions make too large is refused after one of them, and nothing that fits is refused.
TEST(Programs, AreRefusedBeforeTheyAreBuilt) {
  const auto check = [](std::string_view name, Arguments arguments) {
    SCOPED_TRACE(name);
    constexpr std::uint32_t kRanks = 4;
    constexpr std::uint64_t kBytesPerOp = 80;
    const auto kind = choose(programs(), name, arguments);
    const std::uint64_t size = made(*kind, kRanks).size();
    ProgramBuilder enough(kRanks, size * kBytesPerOp), less(kRanks, size / 2 * kBytesPerOp);
    EXPECT_NO_THROW(kind->build(enough));
    EXPECT_THROW(kind->build(less), SpecError);
    EXPECT_LT(less.size(), size / 5);
  };
  check("all-reduce", {{"chunks", 1000}, {"size", Bytes{2500}}, {"reduction", Rate{1}}});
  check("all-gather", {{"chunks", 1000}});
  check("sweep", {{"blocks", 1000}, {"sweeps", 5}});
  check("training-step", {{"layers", 1000}});
}

TEST(Programs, MistakesNameTheirKey) {
  EXPECT_EQ(refusal("all-reduce", 8, {{"algorithm", "hierarchical"}}),
            "ranks_per_group: is missing; the algorithm \"hierarchical\" needs it");
  EXPECT_EQ(refusal("all-reduce", 8, {{"algorithm", "hierarchical"}, {"ranks_per_group", 3}}),
            "ranks_per_group: 8 ranks are no whole number of groups of 3; give a divisor of 8");
  EXPECT_EQ(refusal("all-reduce", 8, {{"ranks_per_group", 2}}),
            "ranks_per_group: the algorithm \"ring\" has no groups; algorithm = \"hierarchical\" has them");
  EXPECT_EQ(refusal("all-to-all", 8, {{"window", 2}}),
            "window: the algorithm \"pairwise\" has no window; algorithm = \"linear\" has one");
  EXPECT_EQ(refusal("gather", 8, {{"root", 8}}), "root: there is no rank 8; ranks are 0 to 7");
  EXPECT_EQ(refusal("sweep", 8, {{"shape", std::vector<std::int64_t>{8}}}),
            "shape: has 1 dimensions; give 2");
  EXPECT_EQ(refusal("training-step", 8, {{"layers", 3}, {"forward_ns", std::vector<double>{1, 2}}}),
            "forward_ns: has 2 values; give one for each of the 3 layers, or one for all");
  EXPECT_EQ(refusal("training-step", 8, {{"tensor", 3}}),
            "tensor: tensor × stages = 3 does not divide the 8 ranks");
  EXPECT_EQ(refusal("training-step", 8, {{"stages", 2}}),
            "stages: there are fewer layers than stages; at most 1");
}

TEST(Programs, SequencesRunOneProgramAfterTheOther) {
  Choice<ProgramKind> sequence = choose(programs(), "sequence", {{"repeat", 2}});
  EXPECT_EQ(
      mistakes_of(*sequence, 2),
      "programs: is missing; list the programs, as in programs = [{ program = \"barrier\" }, { program = "
      "\"all-reduce\" }]");
  const std::vector<Choice<ProgramKind>> parts = {
      choose(programs(), "ping-pong", {{"size", Bytes{4}}}),
      choose(programs(), "broadcast", {{"size", Bytes{6}}}),
  };
  ASSERT_TRUE(sequence->take_parts(parts));
  const Program program = made(*sequence, 2);
  EXPECT_THAT(operations(program, 0),
              ElementsAre("send 4 to 1", "receive 4 from 1 (0)", "send 6 to 1 (1)", "send 4 to 1 (2)",
                          "receive 4 from 1 (3)", "send 6 to 1 (4)"));
  EXPECT_EQ(sequence->ranks(), std::nullopt);
  EXPECT_EQ(sequence->bus_bytes(2), 0);
  EXPECT_FALSE(choose(programs(), "barrier")->take_parts(parts));

  const std::vector<Choice<ProgramKind>> wrong = {
      choose(programs(), "ping-pong"), choose(programs(), "sequence"),
      choose(programs(), "halo", {{"shape", std::vector<std::int64_t>{2, 2}}}),
      choose(programs(), "broadcast", {{"root", 9}})};
  sequence->take_parts(wrong);
  EXPECT_EQ(sequence->ranks(), 4U);
  EXPECT_EQ(mistakes_of(*sequence, 3),
            "programs[0].ranks: 3 ranks; an even number\n"
            "programs[1].program: a sequence in a sequence; list its programs here, or use repeat\n"
            "programs[2].program: has 4 ranks; the job has 3\n"
            "programs[3].root: there is no rank 9; ranks are 0 to 2");
}

TEST(Programs, RequestsAreSpans) {
  const Program program = made("request-reply", 3, {{"requests", 2}, {"think", Duration{5}}});
  ASSERT_EQ(program.spans.size(), 4U);
  // client 1: send, receive, compute, and the same again
  EXPECT_EQ(program.spans[2].first, program.first_of_rank[1]);
  EXPECT_EQ(program.spans[2].last, program.first_of_rank[1] + 1);
  EXPECT_EQ(program.spans[3].first, program.first_of_rank[1] + 3);
  EXPECT_TRUE(program.ops[program.spans[3].last].ends_span);
  EXPECT_FALSE(program.ops[program.spans[3].first].ends_span);
}

// The factors of NCCL's tests, times the bytes that they count.
TEST(Programs, HaveTheBusBandwidthOfTheConvention) {
  const auto bytes = [](std::string_view name) {
    return choose(programs(), name, {{"size", Bytes{1000}}})->bus_bytes(5);
  };
  EXPECT_EQ(bytes("all-reduce"), 2 * 4.0 / 5 * 1000);
  EXPECT_EQ(bytes("reduce-scatter"), 4.0 / 5 * 1000);
  EXPECT_EQ(bytes("all-gather"), 4.0 / 5 * (5 * 1000));
  EXPECT_EQ(bytes("all-to-all"), 4.0 / 5 * (5 * 1000));
  EXPECT_EQ(bytes("gather"), 4.0 / 5 * (5 * 1000));
  EXPECT_EQ(bytes("scatter"), 4.0 / 5 * (5 * 1000));
  EXPECT_EQ(bytes("broadcast"), 1000);
  EXPECT_EQ(bytes("reduce"), 1000);
  EXPECT_EQ(bytes("ping-pong"), 0);
  EXPECT_EQ(choose(programs(), "barrier")->bus_bytes(5), 0);
}

}  // namespace
}  // namespace headway
