// SPDX-License-Identifier: Apache-2.0
// Counts the packets of photographs by flow of the spec: packets of a flow that wait for a root, behind whose
// packets they wait, that are in head-of-line blocking, and so on; also by pair of nodes. Its memory depends
// on the flows, roots and pairs that have packets, not on the square of the number of nodes.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "headway/base/flat_map.h"
#include "headway/engine/simulation.h"
#include "headway/engine/workload.h"
#include "headway/observe/photograph.h"
#include "headway/observe/transit_split.h"

namespace headway {

// What the census must know of a packet.
struct CountedPacket {
  std::uint32_t generator;  // without meaning if there is one flow
  NodeId source;
  NodeId destination;
};

// What packets of a flow wait for.
struct FlowWait {
  std::uint32_t flow;
  Root root;
  std::uint32_t behind;  // flow of the packet that the root sends; kNone: it sends none
  friend auto operator<=>(const FlowWait&, const FlowWait&) = default;
};

class FlowCensus {
 public:
  // Sums over photographs: packets of a flow, or of a pair.
  struct Packets {
    std::uint64_t waiting = 0;
    std::uint64_t hol = 0;
    std::uint64_t victims = 0;
    std::uint64_t delivered = 0;  // of a pair, in the measurement
  };
  struct AtRoot {
    std::uint64_t packets = 0;
    std::uint64_t victims = 0;
  };
  using ByClass = std::array<AtRoot, kWaitings>;  // [Waiting]

  // `seed`: that of the simulation.
  FlowCensus(const Network& network, FlowNumbers numbers, bool pairs, std::uint64_t seed)
      : numbers_(std::move(numbers)), counts_pairs_(pairs), transit_(network, seed) {
    begin_measurement();
  }

  bool tells_flows_apart() const { return numbers_.flows > 1; }
  std::uint32_t flow_of(std::uint32_t generator) const {
    return tells_flows_apart() ? numbers_.of_generator[generator] : 0;
  }
  // Called by the camera for what it sees. `root` is the number of a root in the photograph being taken.
  void charge(std::uint32_t root, Waiting waiting, const CountedPacket& packet, std::uint64_t packets,
              bool crosses);
  void pass(const StateView& view, std::span<const MovingPacket> packets);  // all that are in transit
  void end_photograph(const std::vector<RootSeen>& roots);

  void count(std::span<const Delivery> deliveries);
  void begin_measurement();
  void close_bin();
  void join_bins(std::size_t first);  // makes one of each two bins from this one on

  const std::vector<Packets>& flows() const { return flows_; }  // [flow]
  // [flow] The transit of its packets: in ticks of those that are delivered, if it is known then;
  // otherwise sums over photographs.
  const std::vector<TransferParts>& transits() const { return transits_; }
  bool knows_transit() const { return transit_.is_known(); }
  std::map<FlowWait, ByClass> waits() const;
  std::map<std::pair<std::uint32_t, Root>, AtRoot> roots() const;  // [flow, root]
  // [bin since the start][flow]
  const std::vector<std::vector<Packets>>& bins() const { return bins_; }
  Packets pair(NodeId source, NodeId destination) const;

 private:
  struct HashOfWait {
    std::size_t operator()(const FlowWait& wait) const;
  };
  Packets& pair_at(NodeId source, NodeId destination);
  static std::uint64_t key_of(std::uint32_t a, std::uint32_t b) { return std::uint64_t{a} << 32 | b; }

  FlowNumbers numbers_;
  bool counts_pairs_;
  TransitSplit transit_;
  std::vector<Packets> flows_;
  std::vector<TransferParts> transits_;
  std::vector<Packets> flows_before_;  // `flows_` at the end of the last bin
  std::vector<std::vector<Packets>> bins_;
  std::unordered_map<FlowWait, ByClass, HashOfWait> waits_;
  FlatMap<std::uint64_t> number_of_pair_;  // source << 32 | destination -> index in pairs_
  std::vector<Packets> pairs_;

  // A pair of root and flow in the photograph that is being taken.
  struct Seen {
    std::uint32_t root;
    std::uint32_t flow;
    ByClass packets;
  };
  FlatMap<std::uint64_t> number_of_;  // root << 32 | flow -> index in seen_
  std::vector<Seen> seen_;
  std::uint32_t latest_ = 0;  // index in seen_ of the last packet: the next one is often of the same flow
};

}  // namespace headway
