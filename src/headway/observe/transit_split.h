// SPDX-License-Identifier: Apache-2.0
// The time of packets that wait for nothing, split by physics (docs/waiting.md, "The account of a flow").
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "headway/analysis/alone_time.h"
#include "headway/analysis/transfer_split.h"
#include "headway/base/flat_map.h"
#include "headway/engine/simulation.h"

namespace headway {

class TransitSplit {
 public:
  TransitSplit(const Network& network, std::uint64_t seed);

  // Whether the transit of a packet follows from what is known of it when it is delivered. It does not if the
  // state of the network or a waypoint determines its path, or if it can wait while its tail comes over a
  // slow link, because it then needs less time in transit behind that.
  bool is_known() const { return is_known_; }
  // If it does: in ticks.
  const TransferParts& of_delivered(const Delivery& delivery);
  // Otherwise: a packet in transit counts as 1 for the part to which this instant belongs, as far as its
  // present link tells.
  TransferParts of_moving(const StateView& view, const MovingPacket& packet) const;

  // Its memory, if packets of so many pairs of nodes are delivered.
  static std::uint64_t most_bytes(std::uint64_t pairs) {
    return FlatMap<std::uint64_t>::most_bytes(std::min(pairs, kMostPairs));
  }

 private:
  // Choice: the paths of so many pairs are remembered, in 48 MiB; those of others are walked each time.
  static constexpr std::uint64_t kMostPairs = 1 << 20;

  // Links are of one kind if a byte takes equally long over them, their usual rates are equal, and so are
  // their delays; paths, if links of the same kinds follow each other. Packets of one length need the same
  // times for them.
  void number_links();
  std::uint32_t kind_of_path(const Delivery& delivery);

  const Network& network_;
  bool is_known_;
  std::uint64_t seed_mix_;
  TransferSplit split_;
  AloneTime alone_;
  std::vector<PortId> port_of_;           // [queue]
  std::vector<std::uint32_t> link_kind_;  // [port of the graph that it leaves]

  FlatMap<std::uint64_t> kind_of_pair_;     // source << 32 | destination
  FlatMap<std::uint64_t> kind_behind_;      // kind of a path << 32 | kind of a link -> kind of both together
  std::vector<std::vector<PortId>> kinds_;  // [kind] links of a path; empty of the part of a path
  FlatMap<std::uint64_t> number_of_parts_;  // kind << 32 | bytes -> index in parts_
  std::vector<TransferParts> parts_;
  std::vector<PortId> links_;  // a member only to reuse its memory
};

}  // namespace headway
