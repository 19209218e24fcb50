// SPDX-License-Identifier: Apache-2.0
// Collective operations whose data switches reduce and multicast on their way: a member sends its data once
// and receives the result once, whatever the number of members. Each aggregator of the tree
// (topology/aggregators.h) is a rank of its own.
//
// Sources: Graham et al., "Scalable Hierarchical Aggregation Protocol (SHArP): a hardware architecture for
// efficient data reduction", COMHPC 2016; Graham et al., "SHARP streaming-aggregation hardware design and
// evaluation", ISC 2020 (data flow through the tree in segments).
//
// Choice: aggregators have room for all segments that come; they reduce what comes from all below them at
// once, in the time of `reduction` for a segment, and do nothing else that takes time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "headway/programs/group.h"
#include "headway/programs/parts.h"
#include "headway/programs/switch_tree.h"

namespace headway {

// What an aggregator reduces or passes on at a time.
class Segments {
 public:
  void describe(Parameters& parameters) {
    parameters.field(
        bytes_parameter("segment",
                        "with algorithm = \"in-network\": bytes that a switch reduces or passes on at a "
                        "time; default: a 256th of the data, but at least 4 KiB"),
        given_);
  }
  void check(std::string_view algorithm, bool is_in_network, Mistakes& mistakes) const {
    if (given_ && !is_in_network)
      mistakes.add("segment", "the algorithm \"" + std::string(algorithm) + "\" has no segments",
                   "algorithm = \"in-network\" has them; chunks cut the data for others");
  }
  std::uint32_t count(std::uint64_t bytes) const {
    constexpr std::uint64_t kMost = 256, kLeast = 4 << 10;
    const std::uint64_t segment = given_ ? bytes_of(*given_) : std::max(kLeast, (bytes + kMost - 1) / kMost);
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>((bytes + segment - 1) / segment, 1, 1 << 20));
  }

 private:
  std::optional<Bytes> given_;
};

// The switches between the members.
SwitchTree tree_of(const Group& group);

// At the end, every member has the data of all members, reduced.
void in_network_all_reduce(const Group& group, const SwitchTree& tree, std::uint64_t bytes,
                           const Reduction& reduction);
// From the root to all others, and from all others, reduced, to the root. The root of the tree is at it.
void in_network_broadcast(const Group& group, const SwitchTree& tree, std::uint32_t root,
                          std::uint64_t bytes);
void in_network_reduce(const Group& group, const SwitchTree& tree, std::uint32_t root, std::uint64_t bytes,
                       const Reduction& reduction);

}  // namespace headway
