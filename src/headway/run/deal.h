// SPDX-License-Identifier: Apache-2.0
// Deals the runs of an experiment to shards. A shard is one of several processes, mostly on several machines,
// that simulate one experiment into one directory (shard_journals.h).
//
// All processes deal alike, because they deal from the same: the experiment, the number of shards, and the
// runs of journal.jsonl, to which no shard writes. What other shards have finished meanwhile changes nothing,
// so two shards never take the same run, and no run is left to the others by all. The predicted work does not
// depend on the machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "headway/compile/experiment.h"

namespace headway {

struct Shard {
  std::uint64_t number = 1;  // 1 .. of
  std::uint64_t of = 1;

  bool operator==(const Shard&) const = default;
};

inline constexpr std::uint64_t kMostShards = 1'000'000;

// "3/8"; nullopt for anything else.
std::optional<Shard> shard_in(std::string_view text);

// For every run, the number of the shard that has it: [point * seeds + repetition]. 0 if `had` has it. Shards
// get about the same work. The runs of a point stay together with SeedsUntil, because each round depends on
// the results of the earlier ones.
std::vector<std::uint64_t> deal(const Experiment& experiment, std::uint64_t shards,
                                const std::vector<bool>& had);

}  // namespace headway
