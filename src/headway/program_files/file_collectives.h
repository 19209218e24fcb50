// SPDX-License-Identifier: Apache-2.0
// Collectives that a file names: how they become messages is up to keys of the job.
#pragma once

#include <cstdint>

#include "headway/programs/all_reduce.h"
#include "headway/programs/all_to_all.h"

namespace headway {

enum class Collective {
  all_reduce,
  all_gather,
  reduce_scatter,
  all_to_all,
  broadcast,
  reduce,
  gather,
  scatter,
  barrier
};

// What the size of an all-gather is, which formats and the programs that write them do not agree on.
enum class GatherSize { by_format, input, output };
constexpr auto names_in_specs(GatherSize) { return name_list("by-format", "input", "output"); }

class FileCollectives {
 public:
  void describe(Parameters& parameters);
  bool uses_switches() const { return all_reduce_.uses_switches(); }
  // Reports what a group of this many ranks cannot do.
  void check(Collective collective, std::uint32_t ranks, Mistakes& mistakes) const;
  // `bytes`: the data of a rank. For gather and all-gather it is its block, or with `gathered` that of all
  // ranks; for all-to-all and scatter the blocks of all ranks. `gathered` is the meaning in the format, which
  // gather_size can replace.
  void add(Collective collective, const Group& group, std::uint64_t bytes, bool gathered,
           std::uint32_t root = 0) const;

 private:
  AllReduceMethod all_reduce_;
  AllGatherAlgorithm all_gather_ = AllGatherAlgorithm::ring;
  AllToAllAlgorithm all_to_all_ = AllToAllAlgorithm::pairwise;
  GatherSize gather_size_ = GatherSize::by_format;
};

}  // namespace headway
