// SPDX-License-Identifier: Apache-2.0
// A rule makes the operations that the stored program has: the same ones with the same numbers, partners and
// requirements.
#include "headway/programs/rules.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

#include "headway/config/assign.h"
#include "headway/programs/collectives.h"
#include "headway/programs/kind.h"
#include "tests/support/dice.h"
#include "tests/support/program_bytes.h"
#include "tests/support/random_program.h"
#include "tests/support/stored_program.h"

namespace headway {
namespace {

using Form = ProgramBuilder::Form;
using Build = std::function<void(ProgramBuilder&)>;

Program stored(std::uint32_t ranks, const Build& build) {
  ProgramBuilder builder(ranks);
  build(builder);
  Mistakes mistakes;
  std::optional<Program> program = builder.take(mistakes);
  mistakes.throw_if_any();
  return *std::move(program);
}

CompiledProgram compiled(std::uint32_t ranks, const Build& build, Form form = Form::compiled) {
  ProgramBuilder builder(ranks, UINT64_MAX, form);
  build(builder);
  Mistakes mistakes;
  std::optional<CompiledProgram> program = builder.take_compiled(mistakes);
  mistakes.throw_if_any();
  return *std::move(program);
}

// What a program says of all operations is the sum over them.
void expect_sums(const CompiledProgram& rules, const Program& all) {
  std::map<std::uint64_t, std::uint64_t> sizes, sizes_of_all;
  rules.for_each_size([&](std::uint64_t bytes, std::uint64_t messages) { sizes[bytes] += messages; });
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  std::vector<RankTotals> totals(all.ranks());
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> between;
  for (std::uint32_t op = 0; op < all.size(); ++op) {
    const ProgramOp it = all.ops[op];
    const std::uint32_t rank = all.rank_of(op);
    if (it.kind == ProgramOpKind::compute) totals[rank].computed += static_cast<double>(it.amount);
    if (it.kind != ProgramOpKind::send) continue;
    const std::uint32_t to = all.rank_of(it.partner);
    ++sizes_of_all[it.amount];
    totals[rank].sent += it.amount;
    totals[to].received += it.amount;
    between[{rank, to}] += it.amount;
    pairs.insert({rank, to});
  }
  std::erase_if(sizes, [](const auto& size) { return size.second == 0; });
  EXPECT_EQ(sizes, sizes_of_all);
  EXPECT_GE(rules.pairs(), pairs.size());
  EXPECT_EQ(rules.operations(), all.size());
  for (std::uint32_t rank = 0; rank < all.ranks(); ++rank) {
    const RankTotals sum = rules.totals(rank);
    EXPECT_EQ(sum.sent, totals[rank].sent);
    EXPECT_EQ(sum.received, totals[rank].received);
    EXPECT_EQ(sum.computed, totals[rank].computed);
    for (std::uint32_t peer = 0; peer < all.ranks(); ++peer) {
      const auto found = between.find({rank, peer});
      EXPECT_EQ(rules.bytes_between(rank, peer), found == between.end() ? 0 : found->second);
    }
  }
}

void expect_twin(const CompiledProgram& rules, const Program& all) {
  const std::uint32_t ranks = all.ranks();
  const Program made = test::stored(rules);
  ASSERT_TRUE(test::equal(all, made));
  ASSERT_EQ(all.spans.size(), made.spans.size());
  for (std::size_t i = 0; i < all.spans.size(); ++i) {
    EXPECT_EQ(all.spans[i].first, made.spans[i].first);
    EXPECT_EQ(all.spans[i].last, made.spans[i].last);
  }
  expect_sums(rules, all);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    const std::uint32_t first = all.first_of_rank[rank];
    std::vector<std::uint32_t> at_once, at_once_of_all;
    rules.for_each_first(rank, [&](std::uint32_t op) { at_once.push_back(op); });
    std::uint32_t cpus = 0;
    for (std::uint32_t op = first; op < all.first_of_rank[rank + 1]; ++op) {
      if (all.ops[op].requirements == 0) at_once_of_all.push_back(op - first);
      cpus = std::max(cpus, all.ops[op].cpu + 1U);
    }
    EXPECT_EQ(at_once, at_once_of_all);
    EXPECT_EQ(rules.cpus(rank), cpus);
    // in pieces that begin and end anywhere
    std::uint32_t number = 0;
    rules.any_of(rank, [&](std::uint32_t at, const RankOp& it) {
      EXPECT_EQ(at, number++);
      EXPECT_EQ(it.amount, all.ops[first + at].amount);
      return false;
    });
    EXPECT_EQ(number, all.first_of_rank[rank + 1] - first);
  }
}

// Returns whether all ranks are alike.
bool expect_twins(std::uint32_t ranks, const Build& build) {
  const Program all = stored(ranks, build);
  const CompiledProgram rules = compiled(ranks, build);
  expect_twin(rules, all);
  try {
    const CompiledProgram alike = compiled(ranks, build, Form::alike);
    expect_twin(alike, all);
    const MessageTime message{.latency_ns = 700, .ns_per_byte = 0.25};
    EXPECT_DOUBLE_EQ(alike.time_ns(message), rules.time_ns(message));
    EXPECT_EQ(alike.most_open_sends(), rules.most_open_sends());
    return true;
  } catch (const NeedsEveryRank&) {
    return false;
  }
}

using Given = std::vector<Argument>;

Choice<ProgramKind> made(std::string_view name, const Given& arguments) {
  Choice<ProgramKind> kind = choose(programs(), name);
  for (const Argument& argument : arguments) assign(*kind, argument);
  return kind;
}

class Maker {
 public:
  explicit Maker(std::uint64_t number) : dice_(number) {}

  // A built-in program with random parameters, which may not suit the number of ranks.
  Choice<ProgramKind> program(std::uint32_t ranks) {
    constexpr std::string_view kAllReduces[] = {"ring", "recursive-doubling", "rabenseifner",
                                                "tree", "double-tree",        "hierarchical"};
    constexpr std::string_view kAllToAlls[] = {"pairwise", "linear", "bruck"};
    constexpr std::string_view kAllGathers[] = {"ring", "bruck"};
    switch (dice_.from(0, 6)) {
      case 0:
      case 1: {
        const std::string_view algorithm = kAllReduces[dice_.from(0, 5)];
        Given arguments = {{"size", size()}, {"algorithm", std::string(algorithm)}, {"chunks", chunks()}};
        reduce(arguments);
        if (algorithm == "hierarchical") arguments.emplace_back("ranks_per_group", divisor(ranks));
        return made("all-reduce", arguments);
      }
      case 2: {
        const std::string_view algorithm = kAllToAlls[dice_.from(0, 2)];
        Given arguments = {{"size", size()}, {"algorithm", std::string(algorithm)}};
        if (algorithm == "linear" && dice_.one_in(2)) arguments.emplace_back("window", number(1, 9));
        return made("all-to-all", arguments);
      }
      case 3: {
        Given arguments = {{"size", size()}, {"chunks", chunks()}};
        reduce(arguments);
        return made("reduce-scatter", arguments);
      }
      case 4:
        return choose(programs(), "all-gather",
                      {{"size", size()},
                       {"algorithm", std::string(kAllGathers[dice_.from(0, 1)])},
                       {"chunks", chunks()}});
      case 5: {
        Given arguments = {{"size", size()}};
        if (dice_.one_in(2)) arguments.emplace_back("algorithm", std::string(kAllToAlls[dice_.from(0, 2)]));
        return made("fft", arguments);
      }
      default: {
        const std::int64_t tensor = divisor(ranks),
                           stages = divisor(ranks / static_cast<std::uint32_t>(tensor));
        const auto copies = ranks / static_cast<std::uint32_t>(tensor * stages);
        Given arguments = {{"layers", number(1, 4)},
                           {"tensor", tensor},
                           {"stages", stages},
                           {"expert", divisor(copies)},
                           {"microbatches", number(1, 3)}};
        reduce(arguments);
        return made("training-step", arguments);
      }
    }
  }
  std::uint32_t from(std::uint32_t least, std::uint32_t most) { return dice_.from(least, most); }

 private:
  std::int64_t number(std::uint32_t least, std::uint32_t most) { return dice_.from(least, most); }
  Bytes size() { return Bytes{number(1, dice_.one_in(3) ? 90 : 70'000)}; }
  std::int64_t chunks() { return dice_.one_in(2) ? 1 : number(1, 4); }
  void reduce(Given& arguments) {
    if (dice_.one_in(2)) arguments.emplace_back("reduction", Rate{Rational(number(1, 4000), 1000)});
  }
  std::int64_t divisor(std::uint32_t of) {
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 1; i <= of; ++i)
      if (of % i == 0) all.push_back(i);
    return all[dice_.from(0, static_cast<std::uint32_t>(all.size()) - 1)];
  }

  test::Dice dice_;
};

bool suits(const ProgramKind& kind, std::uint32_t ranks) {
  Mistakes mistakes;
  kind.check(ranks, mistakes);
  return mistakes.empty();
}

TEST(Rules, MakeWhatTheStoredProgramsHave) {
  std::uint64_t compared = 0, alike = 0;
  for (std::uint64_t number = 0; number < test::soaked_cases(300); ++number) {
    Maker maker(number);
    const std::uint32_t ranks = maker.from(1, number % 20 == 0 ? 70 : 24);
    std::vector<Choice<ProgramKind>> parts;
    for (std::uint32_t part = maker.from(1, 3); part > 0; --part) parts.push_back(maker.program(ranks));
    std::string names;
    for (const Choice<ProgramKind>& part : parts) names += fmt::format(" {}", part.name);
    std::erase_if(parts, [&](const Choice<ProgramKind>& part) { return !suits(*part, ranks); });
    if (parts.empty()) continue;
    SCOPED_TRACE(fmt::format("{}:{} with {} ranks", number, names, ranks));
    ++compared;
    alike += expect_twins(ranks, [&](ProgramBuilder& builder) {
      if (parts.size() == 1) return parts.front()->build(builder);
      for (const Choice<ProgramKind>& part : parts) {
        part->build(builder);
        builder.end_part();
      }
    });
    if (HasFatalFailure() || HasFailure()) return;
  }
  EXPECT_GT(compared, 250);
  EXPECT_GT(alike, 60);
}

// With the parameters that they have by default.
TEST(Rules, MakeEveryProgram) {
  for (const Entry<ProgramKind>& entry : programs())
    for (std::uint32_t ranks = 1; ranks <= 17; ++ranks) {
      const Choice<ProgramKind> kind{entry.make(), entry.name};
      if (kind->can_stand_still() || entry.name == "sequence" || !suits(*kind, ranks)) continue;
      SCOPED_TRACE(fmt::format("{} with {} ranks", entry.name, ranks));
      expect_twins(ranks, [&](ProgramBuilder& builder) { kind->build(builder); });
    }
}

// Tensor, data and expert parallelism in two stages, with collectives of layers and of gradients.
TEST(Rules, MakeWorkloadsOfSimAi) {
  const std::string workload =
      "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 3 pp: 2 vpp: 1 ga: 1 all_gpus: 48\n"
      "4\n"
      "a -1 5 ALLGATHER 700 6 REDUCESCATTER 0 7 ALLREDUCE 8001 9\n"
      "b -1 1 ALLTOALL_EP 33 1 ALLTOALL_EP 33 1 ALLGATHER_DP_EP 4000 1\n"
      "c -1 1 ALLREDUCE 600 0 NONE 0 0 NONE 0 100\n"
      "d -1 1 REDUCESCATTER 20 0 ALLTOALL 50 2 REDUCESCATTER_DP_EP 4096 3\n";
  const auto kind = choose(programs(), "astra-sim");
  const auto read = [&](ProgramBuilder& builder) {
    ProgramText text(bytes_of(workload, "test"), "test", "");
    dynamic_cast<const FileProgram&>(*kind.get()).read(text, builder, /*only_ranks=*/false);
  };
  EXPECT_TRUE(expect_twins(48, read));
  EXPECT_LT(compiled(48, read, Form::alike).elements(), 30U);
  EXPECT_GT(compiled(48, read).elements(), 48 * 20U);
}

// Elements that wait for each other are not open at the same time.
TEST(Rules, OpenOperationsAreThoseOfAChain) {
  const auto one = choose(programs(), "all-reduce");
  const auto open = [&](int rings) {
    return compiled(8,
                    [&](ProgramBuilder& builder) {
                      for (int i = 0; i < rings; ++i) {
                        one->build(builder);
                        builder.end_part();
                      }
                    })
        .most_open(3);
  };
  EXPECT_EQ(open(1), 2U);
  EXPECT_EQ(open(9), 2U);
}

// The memory of a ring and of an all-to-all is that of their ranks.
TEST(Rules, TakeMemoryByRank) {
  for (const std::string_view algorithm : {"pairwise", "linear"}) {
    const auto bytes = [&](std::uint32_t ranks) {
      const auto kind = choose(programs(), "all-to-all", {{"algorithm", std::string(algorithm)}});
      return compiled(ranks, [&](ProgramBuilder& builder) { kind->build(builder); }).bytes();
    };
    EXPECT_LT(bytes(4000), 4000 * 100);
  }
  const auto ring = choose(programs(), "all-reduce");
  const CompiledProgram program = compiled(16'384, [&](ProgramBuilder& builder) { ring->build(builder); });
  EXPECT_EQ(program.operations(), 16'384ULL * 16'383 * 4);
  EXPECT_EQ(program.messages(), 16'384ULL * 16'383 * 2);
  EXPECT_LT(program.bytes(), 16'384 * 100);
}

}  // namespace
}  // namespace headway
