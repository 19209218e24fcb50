// SPDX-License-Identifier: Apache-2.0
// Collective operations of a group of ranks, as steps that follow the steps that its members have so far.
// Programs use them on all ranks or on subgroups.
//
// Costs and most of the algorithms: Thakur, Rabenseifner, Gropp, "Optimization of collective communication
// operations in MPICH", Int. J. High Performance Computing Applications 19(1), 2005.
#pragma once

#include <cstdint>
#include <optional>

#include "headway/config/names.h"
#include "headway/programs/blocks.h"
#include "headway/programs/group.h"

namespace headway {

enum class AllGatherAlgorithm { ring, bruck };
constexpr auto names_in_specs(AllGatherAlgorithm) { return name_list("ring", "bruck"); }

// Rings have one block per member. Source: Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for
// clusters of workstations", J. Parallel and Distributed Computing 69(2), 2009.
//
// At the end, member r has block r of all members, reduced.
void ring_reduce_scatter(const Group& group, const Blocks& blocks, const Reduction& reduction);
// Member r begins with block r; at the end, every member has all blocks.
void ring_all_gather(const Group& group, const Blocks& blocks);
void bruck_all_gather(const Group& group, const Blocks& blocks);
void add_all_gather(AllGatherAlgorithm algorithm, const Group& group, const Blocks& blocks);

// All-reduces: at the end, every member has the data of all members, reduced.
void ring_all_reduce(const Group& group, const Blocks& blocks, const Reduction& reduction);
void recursive_doubling(const Group& group, std::uint64_t bytes, const Reduction& reduction);
// Reduce-scatter by recursive halving, all-gather by recursive doubling, with as many blocks as the largest
// power of two that is not above the number of members.
void rabenseifner(const Group& group, const Blocks& blocks, const Reduction& reduction);
// Reduce and broadcast in a binomial tree.
void tree_all_reduce(const Group& group, std::uint64_t bytes, const Reduction& reduction);
// Each of two binary trees reduces and broadcasts one of two blocks. The leaves of one tree are inner members
// of the other one. Source: Sanders, Speck, Träff, "Two-tree algorithms for full bandwidth broadcast,
// reduction and scan", Parallel Computing 35(12), 2009; the trees are those of NCCL (src/graph/trees.cc).
void double_tree(const Group& group, const Blocks& blocks, const Reduction& reduction);
// Rings: reduce-scatter among each `inner` consecutive members, all-reduce of each shard among the members
// that have it, all-gather. `inner` divides the number of members; one block per member. Source: Cho et al.,
// "BlueConnect", SysML 2019.
void hierarchical(const Group& group, const Blocks& blocks, std::uint32_t inner, const Reduction& reduction);

// From the root, and to the root, along a binomial tree.
void broadcast(const Group& group, std::uint32_t root, std::uint64_t bytes);
void reduce(const Group& group, std::uint32_t root, std::uint64_t bytes, const Reduction& reduction);
void binomial_scatter(const Group& group, std::uint32_t root, std::uint64_t bytes_of_each);
void binomial_gather(const Group& group, std::uint32_t root, std::uint64_t bytes_of_each);

// Every member sends as many bytes to every other member.
void pairwise_all_to_all(const Group& group, std::uint64_t bytes);
// All sends in one step; with a window, a message waits until the one `window` before it has left, and a
// receive waits until the one `window` before it is complete.
void linear_all_to_all(const Group& group, std::uint64_t bytes, std::optional<std::int64_t> window);
// Source: Bruck et al., "Efficient algorithms for all-to-all communications in multiport message-passing
// systems", IEEE Trans. Parallel and Distributed Systems 8(11), 1997.
void bruck_all_to_all(const Group& group, std::uint64_t bytes);
// Each member gathers, from the `inner` consecutive members with it, what is for the members of other groups
// that have its place in their group, and what is for itself; then those of one place exchange it. Both are
// pairwise. This is the way of NCCL's PXN, by which messages stay on one rail: NVIDIA, "Doubling all2all
// performance with NVIDIA Collective Communication Library 2.12", 2022. Choice: a member passes on what it
// has gathered when it has all of it.
void hierarchical_all_to_all(const Group& group, std::uint64_t bytes, std::uint32_t inner);

// In step s, every member tells the one 2^s ahead that it and all that it has heard of have come. Source:
// Hensgen, Finkel, Manber, "Two algorithms for barrier synchronization", 1988.
void dissemination_barrier(const Group& group);

}  // namespace headway
