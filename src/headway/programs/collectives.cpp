// SPDX-License-Identifier: Apache-2.0
#include "headway/programs/collectives.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include "headway/programs/rules.h"

namespace headway {
namespace {

std::uint32_t size_of(const Group& group) { return static_cast<std::uint32_t>(group.size()); }

void send(const Group& group, std::uint32_t from, std::uint32_t to, std::uint64_t bytes) {
  group[from]->send(group[to]->rank(), bytes);
}
void receive(const Group& group, std::uint32_t to, std::uint32_t from, std::uint64_t bytes) {
  group[to]->receive(group[from]->rank(), bytes);
}
void receive_and_reduce(const Group& group, std::uint32_t to, std::uint32_t from, std::uint64_t bytes,
                        const Reduction& reduction) {
  receive(group, to, from, bytes);
  group[to]->then_compute(reduction.picoseconds(bytes));
}

// Binomial trees. Members are numbered from the root, which is 0. Member v has the members [v, v + span)
// below it, itself included; those beyond the last one do not exist. Its children are v + 1, v + 2, v + 4,
// ...
class BinomialTree {
 public:
  BinomialTree(const Group& group, std::uint32_t root) : size_(size_of(group)), root_(root) {}

  std::uint32_t size() const { return size_; }
  std::uint32_t member(std::uint32_t v) const { return (v + root_) % size_; }
  std::uint32_t span(std::uint32_t v) const { return v == 0 ? std::bit_ceil(size_) : v & (~v + 1); }
  std::uint32_t members_below(std::uint32_t v) const { return std::min(span(v), size_ - v); }

 private:
  std::uint32_t size_, root_;
};

// `bytes_of(v)`: what member v receives from its parent.
template <class BytesOf>
void down_the_tree(const Group& group, const BinomialTree& tree, const BytesOf& bytes_of) {
  for (std::uint32_t v = 0; v < tree.size(); ++v) {
    const std::uint32_t me = tree.member(v), span = tree.span(v);
    if (v != 0) receive(group, me, tree.member(v - span), bytes_of(v));
    group[me]->next();
    for (std::uint32_t distance = span / 2; distance > 0; distance /= 2) {
      if (v + distance >= tree.size()) continue;
      send(group, me, tree.member(v + distance), bytes_of(v + distance));
      group[me]->next();
    }
  }
}

// `bytes_of(v)`: what member v sends to its parent.
template <class BytesOf>
void up_the_tree(const Group& group, const BinomialTree& tree, const Reduction& reduction,
                 const BytesOf& bytes_of) {
  for (std::uint32_t v = 0; v < tree.size(); ++v) {
    const std::uint32_t me = tree.member(v), span = tree.span(v);
    for (std::uint32_t distance = 1; distance < span; distance *= 2) {
      if (v + distance >= tree.size()) break;
      receive_and_reduce(group, me, tree.member(v + distance), bytes_of(v + distance), reduction);
      group[me]->next();
    }
    if (v != 0) send(group, me, tree.member(v - span), bytes_of(v));
    group[me]->next();
  }
}

// Calls `core` with as many members as the largest power of two. The others add their data to those of their
// neighbours before, and get the result afterwards.
template <class Core>
void fold(const Group& group, std::uint64_t bytes, const Reduction& reduction, const Core& core) {
  const std::uint32_t folded = size_of(group) - std::bit_floor(size_of(group));
  Group members;
  for (std::uint32_t i = 0; i < 2 * folded; i += 2) {
    send(group, i, i + 1, bytes);
    receive_and_reduce(group, i + 1, i, bytes, reduction);
    group[i]->next();
    group[i + 1]->next();
    members.push_back(group[i + 1]);
  }
  for (std::uint32_t i = 2 * folded; i < group.size(); ++i) members.push_back(group[i]);
  core(members);
  for (std::uint32_t i = 0; i < 2 * folded; i += 2) {
    send(group, i + 1, i, bytes);
    receive(group, i, i + 1, bytes);
    group[i]->next();
    group[i + 1]->next();
  }
}

// Reduces to member 0 of the binary tree of NCCL, and broadcasts. The parent of a member has its lowest bit,
// b, cleared and 2b set, or, beyond the last member, b cleared.
void binary_tree_all_reduce(const Group& group, std::uint64_t bytes, const Reduction& reduction) {
  const std::uint32_t size = size_of(group);
  std::vector<std::vector<std::uint32_t>> children(size);
  std::vector<std::uint32_t> parent(size);
  for (std::uint32_t i = 1; i < size; ++i) {
    const std::uint32_t bit = i & (~i + 1), inner = (i ^ bit) | (2 * bit);
    parent[i] = inner < size ? inner : i ^ bit;
    children[parent[i]].push_back(i);
  }
  for (std::uint32_t i = 0; i < size; ++i) {
    // Choice: as in NCCL, a member handles its children at the same time.
    for (const std::uint32_t child : children[i]) receive_and_reduce(group, i, child, bytes, reduction);
    group[i]->next();
    if (i != 0) send(group, i, parent[i], bytes);
    group[i]->next();
    if (i != 0) receive(group, i, parent[i], bytes);
    group[i]->next();
    for (const std::uint32_t child : children[i]) send(group, i, child, bytes);
    group[i]->next();
  }
}

// Each member does what a rule says. Rules have operations.
void add_rule(const Group& group, std::shared_ptr<const ProgramRule> rule) {
  if (rule->operations() == 0) return;
  const std::uint32_t number = group.builder().add_rule(std::move(rule), group.partition());
  std::uint32_t member = 0;
  for (Steps* steps : group.steps()) steps->member(number, member++);
}
bool takes_rules(const Group& group) { return group.size() > 1 && group.builder().takes_rules(); }

// True if the reduction of every block takes time, or that of none does.
bool is_even(const Blocks& blocks, const Reduction& reduction) {
  const bool takes_time = reduction.picoseconds(blocks.size(0)) > 0;
  for (std::uint32_t block = 1; block < blocks.count(); ++block)
    if ((reduction.picoseconds(blocks.size(block)) > 0) != takes_time) return false;
  return true;
}

void ring_by_rule(const Group& group, const Blocks& blocks, std::uint32_t first, std::uint32_t steps,
                  std::uint32_t reducing, const Reduction& reduction) {
  const auto shared = std::make_shared<const Blocks>(blocks);
  if (reduction.picoseconds(blocks.size(0)) == 0) reducing = 0;
  if (reducing > 0) add_rule(group, ring_rule(shared, first, reducing, reduction));
  add_rule(group, ring_rule(shared, first + 2 * size_of(group) - reducing, steps - reducing, Reduction()));
}

// In step s, member r sends block r + first - s to r + 1 and receives block r + first - s - 1. It reduces
// what it receives in the first `reducing` steps.
void ring(const Group& group, const Blocks& blocks, std::uint32_t first, std::uint32_t steps,
          std::uint32_t reducing, const Reduction& reduction) {
  const std::uint32_t size = size_of(group);
  if (takes_rules(group) && is_even(blocks, reduction))
    return ring_by_rule(group, blocks, first, steps, reducing, reduction);
  for (std::uint32_t me = 0; me < size; ++me) {
    std::uint32_t block = (me + first) % size;
    for (std::uint32_t s = 0; s < steps; ++s) {
      send(group, me, (me + 1) % size, blocks.size(block));
      block = (block + size - 1) % size;
      receive(group, me, (me + size - 1) % size, blocks.size(block));
      if (s < reducing) group[me]->then_compute(reduction.picoseconds(blocks.size(block)));
      group[me]->next();
    }
  }
}

}  // namespace

void ring_reduce_scatter(const Group& group, const Blocks& blocks, const Reduction& reduction) {
  const std::uint32_t steps = size_of(group) - 1;
  ring(group, blocks, /*first=*/steps, steps, steps, reduction);
}
void ring_all_gather(const Group& group, const Blocks& blocks) {
  ring(group, blocks, /*first=*/0, size_of(group) - 1, /*reducing=*/0, Reduction());
}
void ring_all_reduce(const Group& group, const Blocks& blocks, const Reduction& reduction) {
  const std::uint32_t half = size_of(group) - 1;
  ring(group, blocks, /*first=*/0, 2 * half, /*reducing=*/half, reduction);
}

void bruck_all_gather(const Group& group, const Blocks& blocks) {
  const std::uint32_t size = size_of(group);
  for (std::uint32_t me = 0; me < size; ++me)
    for (std::uint32_t distance = 1; distance < size; distance *= 2) {
      const std::uint32_t number = std::min(distance, size - distance), from = (me + distance) % size;
      send(group, me, (me + size - distance) % size, blocks.cyclic(me, number));
      receive(group, me, from, blocks.cyclic(from, number));
      group[me]->next();
    }
}

void add_all_gather(AllGatherAlgorithm algorithm, const Group& group, const Blocks& blocks) {
  algorithm == AllGatherAlgorithm::ring ? ring_all_gather(group, blocks) : bruck_all_gather(group, blocks);
}

void recursive_doubling(const Group& group, std::uint64_t bytes, const Reduction& reduction) {
  fold(group, bytes, reduction, [&](const Group& core) {
    for (std::uint32_t me = 0; me < core.size(); ++me)
      for (std::uint32_t bit = 1; bit < core.size(); bit *= 2) {
        send(core, me, me ^ bit, bytes);
        receive_and_reduce(core, me, me ^ bit, bytes, reduction);
        core[me]->next();
      }
  });
}

void rabenseifner(const Group& group, const Blocks& blocks, const Reduction& reduction) {
  fold(group, blocks.total(), reduction, [&](const Group& core) {
    for (std::uint32_t me = 0; me < core.size(); ++me) {
      std::vector<std::uint64_t> kept, given;  // [step]
      std::uint32_t low = 0, high = size_of(core);
      for (std::uint32_t bit = 1; bit < core.size(); bit *= 2) {
        const std::uint32_t middle = (low + high) / 2;
        kept.push_back(blocks.range(low, middle));
        given.push_back(blocks.range(middle, high));
        if ((me & bit) != 0) std::swap(kept.back(), given.back());
        ((me & bit) != 0 ? low : high) = middle;
        send(core, me, me ^ bit, given.back());
        receive_and_reduce(core, me, me ^ bit, kept.back(), reduction);
        core[me]->next();
      }
      for (std::uint32_t bit = size_of(core) / 2; bit > 0; bit /= 2) {
        send(core, me, me ^ bit, kept.back());
        receive(core, me, me ^ bit, given.back());
        core[me]->next();
        kept.pop_back();
        given.pop_back();
      }
    }
  });
}

void tree_all_reduce(const Group& group, std::uint64_t bytes, const Reduction& reduction) {
  reduce(group, 0, bytes, reduction);
  broadcast(group, 0, bytes);
}

void double_tree(const Group& group, const Blocks& blocks, const Reduction& reduction) {
  const std::uint32_t size = size_of(group);
  std::vector<std::vector<Steps>> trees;  // [member], [tree]
  for (std::uint32_t i = 0; i < size; ++i) trees.push_back({*group[i], *group[i]});
  Group first, second;
  for (std::uint32_t i = 0; i < size; ++i) {
    first.push_back(&trees[i][0]);
    // Mirrored or, for an odd number of members, shifted by one.
    second.push_back(&trees[size % 2 == 0 ? size - 1 - i : (i + 1) % size][1]);
  }
  binary_tree_all_reduce(first, blocks.size(0), reduction);
  binary_tree_all_reduce(second, blocks.size(1), reduction);
  for (std::uint32_t i = 0; i < size; ++i) group[i]->join(trees[i]);
}

void hierarchical(const Group& group, const Blocks& blocks, std::uint32_t inner, const Reduction& reduction) {
  const std::uint32_t outer = size_of(group) / inner;
  const Blocks shards = blocks.joined(outer);
  in_groups(group, inner, 1, [&](const Group& near) { ring_reduce_scatter(near, shards, reduction); });
  const auto reduce_shard = [&](const Group& far, std::uint32_t shard) {
    ring_all_reduce(far, blocks.part(shard * outer, (shard + 1) * outer), reduction);
  };
  if (blocks.all_equal())
    in_groups(group, outer, inner, [&](const Group& far) { reduce_shard(far, 0); });
  else
    for (std::uint32_t i = 0; i < inner; ++i) reduce_shard(subgroup(group, i, outer, inner), i);
  in_groups(group, inner, 1, [&](const Group& near) { ring_all_gather(near, shards); });
}

void broadcast(const Group& group, std::uint32_t root, std::uint64_t bytes) {
  down_the_tree(group, {group, root}, [&](std::uint32_t) { return bytes; });
}
void reduce(const Group& group, std::uint32_t root, std::uint64_t bytes, const Reduction& reduction) {
  up_the_tree(group, {group, root}, reduction, [&](std::uint32_t) { return bytes; });
}
void binomial_scatter(const Group& group, std::uint32_t root, std::uint64_t bytes_of_each) {
  const BinomialTree tree(group, root);
  down_the_tree(group, tree, [&](std::uint32_t v) { return tree.members_below(v) * bytes_of_each; });
}
void binomial_gather(const Group& group, std::uint32_t root, std::uint64_t bytes_of_each) {
  const BinomialTree tree(group, root);
  up_the_tree(group, tree, Reduction(),
              [&](std::uint32_t v) { return tree.members_below(v) * bytes_of_each; });
}

void pairwise_all_to_all(const Group& group, std::uint64_t bytes) {
  const std::uint32_t size = size_of(group);
  if (takes_rules(group)) return add_rule(group, pairwise_rule(size, bytes));
  for (std::uint32_t me = 0; me < size; ++me)
    for (std::uint32_t distance = 1; distance < size; ++distance) {
      send(group, me, (me + distance) % size, bytes);
      receive(group, me, (me + size - distance) % size, bytes);
      group[me]->next();
    }
}

void linear_all_to_all(const Group& group, std::uint64_t bytes, std::optional<std::int64_t> window) {
  const std::uint32_t size = size_of(group);
  const auto chains = static_cast<std::uint32_t>(std::min<std::int64_t>(window.value_or(size), size - 1));
  if (takes_rules(group)) return add_rule(group, linear_rule(size, bytes, chains));
  for (std::uint32_t me = 0; me < size; ++me) {
    // One chain for every `window`-th message in each direction.
    std::vector<Steps> sends(chains, *group[me]), receives(chains, *group[me]);
    for (std::uint32_t distance = 1; distance < size; ++distance) {
      Steps& chain = sends[distance % chains];
      chain.next();
      chain.send(group[(me + distance) % size]->rank(), bytes);
    }
    for (std::uint32_t distance = 1; distance < size; ++distance) {
      Steps& chain = receives[distance % chains];
      chain.next();
      chain.receive(group[(me + size - distance) % size]->rank(), bytes);
    }
    if (chains == 0) continue;
    sends.insert(sends.end(), receives.begin(), receives.end());
    group[me]->join(sends);
  }
}

void bruck_all_to_all(const Group& group, std::uint64_t bytes) {
  const std::uint32_t size = size_of(group);
  for (std::uint32_t me = 0; me < size; ++me)
    for (std::uint32_t bit = 1; bit < size; bit *= 2) {
      // The numbers below `size` with this bit.
      const std::uint32_t above = size % (2 * bit);
      const std::uint64_t blocks = size / (2 * bit) * std::uint64_t{bit} + (above > bit ? above - bit : 0);
      send(group, me, (me + bit) % size, blocks * bytes);
      receive(group, me, (me + size - bit) % size, blocks * bytes);
      group[me]->next();
    }
}

void hierarchical_all_to_all(const Group& group, std::uint64_t bytes, std::uint32_t inner) {
  const std::uint32_t outer = size_of(group) / inner;
  in_groups(group, inner, 1, [&](const Group& near) { pairwise_all_to_all(near, bytes * outer); });
  in_groups(group, outer, inner, [&](const Group& far) { pairwise_all_to_all(far, bytes * inner); });
}

void dissemination_barrier(const Group& group) {
  const std::size_t size = group.size();
  for (std::size_t distance = 1; distance < size; distance *= 2)
    for (std::size_t i = 0; i < size; ++i) {
      group[i]->send(group[(i + distance) % size]->rank(), 1);
      group[i]->receive(group[(i + size - distance) % size]->rank(), 1);
      group[i]->next();
    }
}

}  // namespace headway
