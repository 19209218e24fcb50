// SPDX-License-Identifier: Apache-2.0
// Follows the data through the collectives. Block i has 2^i bytes, so the size of a message says which blocks
// are in it. A message holds what its sender is certain to have: what the receives before the send, along its
// requirements, have brought.
#include "headway/programs/collectives.h"

#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <set>
#include <stdexcept>

namespace headway {
namespace {

constexpr std::uint32_t kSizes[] = {1, 2, 3, 5, 7, 8, 12, 16};

// The program in which all ranks do what `add` adds. It has no cycle, even if all messages are announced.
Program program_of(std::uint32_t ranks, const std::function<void(const Group&)>& add) {
  ProgramBuilder builder(ranks);
  const AllRanks all(builder);
  add(all.group());
  Mistakes mistakes;
  const auto program = builder.take(mistakes);
  if (program) report_cycle(*program, /*rendezvous=*/0, mistakes);
  if (!mistakes.empty()) throw std::runtime_error(mistakes.list().front().message);
  return *program;
}

// Operations in an order in which they can run.
std::vector<std::uint32_t> order_of(const Program& program) {
  std::vector<std::uint32_t> open(program.size()), order;
  for (std::uint32_t op = 0; op < program.size(); ++op)
    open[op] = program.ops[op].requirements + (program.ops[op].kind == ProgramOpKind::receive);
  const auto done = [&](std::uint32_t op) {
    if (--open[op] == 0) order.push_back(op);
  };
  for (std::uint32_t op = 0; op < program.size(); ++op)
    if (open[op] == 0) order.push_back(op);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint32_t op = order[i];
    const std::uint32_t first = program.first_of_rank[program.rank_of(op)];
    for (const Dependent dependent : program.dependents_of(op)) done(first + dependent.op());
    if (program.ops[op].kind == ProgramOpKind::send) done(program.ops[op].partner);
  }
  EXPECT_EQ(order.size(), program.size());
  return order;
}

// What each rank has at the end. `taken(data, from, to, bytes)`: what a message holds of its sender's data;
// `add(data, message)`: what the receiver does with it.
template <class Data, class Taken, class Add>
std::vector<Data> follow(const Program& program, const std::vector<Data>& at_first, const Taken& taken,
                         const Add& add) {
  std::vector<std::set<std::uint32_t>> before(program.size());  // receives of the rank, by place in `order`
  std::vector<Data> messages(program.size()), at_end = at_first;
  const std::vector<std::uint32_t> order = order_of(program);
  for (std::uint32_t place = 0; place < order.size(); ++place) {
    const std::uint32_t op = order[place];
    const ProgramOp it = program.ops[op];
    const std::uint32_t rank = program.rank_of(op);
    if (it.kind == ProgramOpKind::send) {
      Data has = at_first[rank];
      for (const std::uint32_t receive : before[op]) add(has, messages[order[receive]]);
      messages[it.partner] = taken(has, rank, program.rank_of(it.partner), it.amount);
    }
    if (it.kind == ProgramOpKind::receive) {
      add(at_end[rank], messages[op]);
      before[op].insert(place);
    }
    for (const Dependent dependent : program.dependents_of(op))
      before[program.first_of_rank[rank] + dependent.op()].insert(before[op].begin(), before[op].end());
  }
  return at_end;
}

// For each block, the ranks whose data are in it.
using Sums = std::vector<std::uint32_t>;

Blocks marked_blocks(std::uint32_t count) {
  std::vector<std::uint64_t> sizes;
  for (std::uint32_t block = 0; block < count; ++block) sizes.push_back(1ULL << block);
  return Blocks(sizes);
}
std::uint64_t all_of(std::uint32_t count) { return (1ULL << count) - 1; }

// A block that is received is added, unless it holds all that the receiver has, which it then replaces. It
// must not hold a part of that.
std::vector<Sums> follow_sums(const Program& program, const std::vector<Sums>& at_first) {
  return follow(
      program, at_first,
      [&](const Sums& has, std::uint32_t from, std::uint32_t, std::uint64_t bytes) {
        Sums message(has.size());
        for (std::uint32_t block = 0; block < has.size(); ++block) {
          if ((bytes >> block & 1) == 0) continue;
          EXPECT_NE(has[block], 0U) << "rank " << from << " has no block " << block;
          message[block] = has[block];
        }
        EXPECT_EQ(bytes >> has.size(), 0U);
        return message;
      },
      [](Sums& has, const Sums& message) {
        for (std::uint32_t block = 0; block < has.size(); ++block) {
          EXPECT_TRUE((has[block] & message[block]) == 0 || (has[block] & ~message[block]) == 0)
              << "block " << block << " is added twice";
          has[block] |= message[block];
        }
      });
}

void expect_all_reduce(std::uint32_t ranks, std::uint32_t blocks,
                       const std::function<void(const Group&)>& add) {
  SCOPED_TRACE(std::to_string(ranks) + " ranks, " + std::to_string(blocks) + " blocks");
  std::vector<Sums> at_first;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) at_first.emplace_back(blocks, 1U << rank);
  const Sums all(blocks, static_cast<std::uint32_t>(all_of(ranks)));
  for (const Sums& sums : follow_sums(program_of(ranks, add), at_first)) EXPECT_EQ(sums, all);
}

// Rank r begins with block r.
std::vector<Sums> own_blocks(std::uint32_t ranks) {
  std::vector<Sums> sums(ranks, Sums(ranks));
  for (std::uint32_t rank = 0; rank < ranks; ++rank) sums[rank][rank] = 1;
  return sums;
}

TEST(Collectives, AllReducesAddEachRankOnce) {
  const Reduction reduction(Rate{Rational(1, 1000)});
  for (const std::uint32_t ranks : kSizes) {
    const Blocks blocks = marked_blocks(ranks);
    expect_all_reduce(ranks, ranks, [&](const Group& group) { ring_all_reduce(group, blocks, reduction); });
    expect_all_reduce(ranks, 1, [&](const Group& group) { recursive_doubling(group, 1, reduction); });
    expect_all_reduce(ranks, 1, [&](const Group& group) { tree_all_reduce(group, 1, reduction); });
    expect_all_reduce(ranks, 2, [&](const Group& group) { double_tree(group, marked_blocks(2), reduction); });
    const std::uint32_t core = std::bit_floor(ranks);
    expect_all_reduce(ranks, core,
                      [&](const Group& group) { rabenseifner(group, marked_blocks(core), reduction); });
    for (std::uint32_t inner = 1; inner <= ranks; ++inner)
      if (ranks % inner == 0)
        expect_all_reduce(ranks, ranks,
                          [&](const Group& group) { hierarchical(group, blocks, inner, reduction); });
  }
}

// Two all-reduces, one after the other, wait for each other.
TEST(Collectives, FollowEachOther) {
  expect_all_reduce(12, 12, [](const Group& group) {
    ring_reduce_scatter(group, marked_blocks(12), Reduction());
    ring_all_gather(group, marked_blocks(12));
    double_tree(group, Blocks(std::vector<std::uint64_t>{0x3f, 0xfc0}), Reduction());
    broadcast(group, 7, all_of(12));
  });
}

TEST(Collectives, ReduceScatterLeavesEachRankItsBlock) {
  for (const std::uint32_t ranks : kSizes) {
    std::vector<Sums> at_first;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) at_first.emplace_back(ranks, 1U << rank);
    const auto at_end = follow_sums(
        program_of(ranks, [&](const Group& group) { ring_reduce_scatter(group, marked_blocks(ranks), {}); }),
        at_first);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) EXPECT_EQ(at_end[rank][rank], all_of(ranks));
  }
}

TEST(Collectives, AllGathersBringAllBlocksToAll) {
  for (const std::uint32_t ranks : kSizes)
    for (const auto add : {ring_all_gather, bruck_all_gather}) {
      const Program program =
          program_of(ranks, [&](const Group& group) { add(group, marked_blocks(ranks)); });
      for (const Sums& sums : follow_sums(program, own_blocks(ranks))) EXPECT_EQ(sums, Sums(ranks, 1));
    }
}

TEST(Collectives, TreesReachAllFromAnyRoot) {
  for (const std::uint32_t ranks : kSizes)
    for (std::uint32_t root = 0; root < ranks; ++root) {
      std::vector<Sums> own(ranks, Sums(1)), one = own;
      for (std::uint32_t rank = 0; rank < ranks; ++rank) own[rank] = {1U << rank};
      one[root] = {1};
      const auto reduced =
          follow_sums(program_of(ranks, [&](const Group& group) { reduce(group, root, 1, {}); }), own);
      EXPECT_EQ(reduced[root][0], all_of(ranks));
      const auto told =
          follow_sums(program_of(ranks, [&](const Group& group) { broadcast(group, root, 1); }), one);
      EXPECT_EQ(told, std::vector<Sums>(ranks, Sums{1}));
    }
}

using Items = std::set<std::pair<std::uint32_t, std::uint32_t>>;  // source, destination

void add_items(Items& has, const Items& message) { has.insert(message.begin(), message.end()); }

// Messages of a gather hold all that the sender has; those of a scatter hold the blocks for the receiver and
// those after it, counted from the root.
TEST(Collectives, GathersAndScattersMoveEachBlock) {
  constexpr std::uint64_t kBytes = 10;
  for (const std::uint32_t ranks : kSizes)
    for (const std::uint32_t root : {0U, ranks / 2, ranks - 1}) {
      std::vector<Items> own(ranks), at_root(ranks);
      for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        own[rank] = {{rank, root}};
        at_root[root].insert({root, rank});
      }
      const auto gathered = follow(
          program_of(ranks, [&](const Group& group) { binomial_gather(group, root, kBytes); }), own,
          [](const Items& has, std::uint32_t, std::uint32_t, std::uint64_t bytes) {
            EXPECT_EQ(bytes, has.size() * kBytes);
            return has;
          },
          add_items);
      EXPECT_EQ(gathered[root].size(), ranks);
      const auto scattered = follow(
          program_of(ranks, [&](const Group& group) { binomial_scatter(group, root, kBytes); }), at_root,
          [&](const Items& has, std::uint32_t, std::uint32_t to, std::uint64_t bytes) {
            Items message;
            for (std::uint32_t i = 0; i < bytes / kBytes; ++i) {
              EXPECT_LT((to + ranks - root) % ranks + i, ranks);
              message.insert({root, (to + i) % ranks});
              EXPECT_TRUE(has.contains({root, (to + i) % ranks}));
            }
            return message;
          },
          add_items);
      for (std::uint32_t rank = 0; rank < ranks; ++rank) EXPECT_TRUE(scattered[rank].contains({root, rank}));
    }
}

// Bruck: a block moves by 2^s in step s if its distance has this bit. Others: straight to its destination.
TEST(Collectives, AllToAllsMoveEachBlock) {
  constexpr std::uint64_t kBytes = 10;
  const auto expect = [](std::uint32_t ranks, bool straight, const std::function<void(const Group&)>& add) {
    std::vector<Items> own(ranks);
    for (std::uint32_t from = 0; from < ranks; ++from)
      for (std::uint32_t to = 0; to < ranks; ++to) own[from].insert({from, to});
    const auto at_end = follow(
        program_of(ranks, add), own,
        [&](const Items& has, std::uint32_t from, std::uint32_t to, std::uint64_t bytes) {
          const std::uint32_t hop = (to + ranks - from) % ranks;
          Items message;
          for (const auto& [source, destination] : has) {
            const std::uint32_t left = (destination + ranks - from) % ranks;
            if (straight ? left == hop && source == from : (left & hop) != 0 && left % hop == 0)
              message.insert({source, destination});
          }
          EXPECT_EQ(bytes, message.size() * kBytes) << ranks << " ranks, from " << from << " to " << to;
          return message;
        },
        add_items);
    for (std::uint32_t from = 0; from < ranks; ++from)
      for (std::uint32_t to = 0; to < ranks; ++to) EXPECT_TRUE(at_end[to].contains({from, to}));
  };
  for (const std::uint32_t ranks : kSizes) {
    expect(ranks, true, [](const Group& group) { pairwise_all_to_all(group, kBytes); });
    expect(ranks, false, [](const Group& group) { bruck_all_to_all(group, kBytes); });
    for (const std::optional<std::uint32_t> window : {std::optional<std::uint32_t>{}, {1U}, {3U}, {99U}})
      expect(ranks, true, [&](const Group& group) { linear_all_to_all(group, kBytes, window); });
  }
}

TEST(Collectives, ChunksAreChains) {
  const Program program = program_of(4, [](const Group& group) {
    in_chunks(group, 103, 3, [](const Group& chunk, std::uint64_t bytes) {
      ring_all_reduce(chunk, Blocks::even(bytes, 4), {});
    });
    broadcast(group, 0, 1);
  });
  // 6 steps of 2 operations each, by chunks of 35, 34 and 34 bytes.
  for (const std::uint32_t chunk : {0U, 1U, 2U}) {
    EXPECT_EQ(program.ops[12 * chunk].requirements, 0U);
    EXPECT_EQ(program.ops[12 * chunk].amount, 9U);
    EXPECT_EQ(program.ops[12 * chunk + 2].requirements, 2U);
  }
  EXPECT_EQ(program.ops[36].requirements, 6U) << "the broadcast waits for the last step of each chunk";
  std::uint64_t bytes = 0;
  for (std::uint32_t op = 0; op < program.size(); ++op)
    if (program.ops[op].kind == ProgramOpKind::send) bytes += program.ops[op].amount;
  EXPECT_EQ(bytes, 2 * 3 * 103 + 3U);
}

// Rank 2 of 4 in a ring of three, on CPU 1: every receive of the first two steps is reduced at 2 bytes/ns.
TEST(Collectives, ReduceOnTheirCpuAmongTheirRanks) {
  ProgramBuilder builder(4);
  const AllRanks all(builder, /*cpu=*/1);
  ring_all_reduce(subgroup(all.group(), 1, 3), Blocks::even(3000, 3), Reduction(Rate{2}));
  Mistakes mistakes;
  const auto program = builder.take(mistakes);
  ASSERT_TRUE(program);
  EXPECT_EQ(program->first_of_rank, (std::vector<std::uint32_t>{0, 0, 10, 20, 30}));
  const ProgramOp compute = program->ops[12];
  EXPECT_EQ(compute.kind, ProgramOpKind::compute);
  EXPECT_EQ(compute.amount, 500'000U);
  EXPECT_EQ(compute.cpu, 1);
  EXPECT_EQ(compute.requirements, 1U);
  ASSERT_EQ(program->dependents_of(12).size(), 2U);
  EXPECT_EQ(program->dependents_of(12)[0].op(), 3U) << "the next send";
  EXPECT_EQ(program->dependents_of(11).size(), 1U) << "the next step waits for the computation only";
}

TEST(Reduction, RoundsDown) {
  EXPECT_EQ(Reduction().picoseconds(1000), 0U);
  EXPECT_EQ(Reduction(Rate{Rational(3)}).picoseconds(10), 3333U);
  EXPECT_EQ(Reduction(Rate{Rational(1, 1000)}).picoseconds(4'000'000'000'000), 4'000'000'000'000'000'000U);
  EXPECT_EQ(Reduction(Rate{Rational(1, 1'000'000)}).picoseconds(4'000'000'000'000),
            4'000'000'000'000'000'000U);
}

}  // namespace
}  // namespace headway
