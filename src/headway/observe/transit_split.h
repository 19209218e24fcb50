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
  // Of a link, and of the part of a path behind it.
  std::uint32_t joined(std::uint32_t link_kind, std::uint32_t rest);
  // Writes the packet's path to links_. Returns false if other packets of its pair can take another one.
  bool walk(const Delivery& delivery);
  std::uint64_t draw_at(SwitchId sw, const Delivery& delivery) const;

  const Network& network_;
  bool is_known_;
  std::uint64_t seed_mix_;
  TransferSplit split_;
  AloneTime alone_;
  std::vector<PortId> port_of_;           // [queue]
  std::vector<std::uint32_t> link_kind_;  // [port of the graph that it leaves]
  std::uint32_t link_kinds_ = 0;

  struct Kind {
    std::vector<PortId> links;          // of the first such path; empty if it is only the part of paths
    std::vector<std::uint32_t> before;  // [kind of a link] with that link in front; kNone: not seen yet
    std::uint32_t bytes = 0;            // of the latest packet, and its transit
    TransferParts parts;
  };
  std::vector<Kind> kinds_;
  // What packets of all sources at a switch share, if routes depend on the destination alone: first switch,
  // or source << 32 | destination -> kind of the path behind the link of the source.
  FlatMap<std::uint64_t> kind_behind_first_;
  FlatMap<std::uint64_t> number_of_parts_;  // kind << 32 | bytes -> index in parts_
  std::vector<TransferParts> parts_;
  std::vector<PortId> links_;  // a member only to reuse its memory
};

}  // namespace headway
