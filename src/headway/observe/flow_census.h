// SPDX-License-Identifier: Apache-2.0
// Counts the packets of photographs by flow of the spec: packets of a flow that wait for a root, that are in
// head-of-line blocking, and so on; also by pair of nodes. Its memory depends on the flows, roots and pairs
// that have packets, not on the square of the number of nodes.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "headway/base/flat_map.h"
#include "headway/engine/simulation.h"
#include "headway/engine/workload.h"
#include "headway/observe/photograph.h"

namespace headway {

// Finds the flow of a packet from its source and, if several flows share the source, from its destination.
class FlowOf {
 public:
  // `flow_of_spec`: [flow of the workload] its number in the spec. Traces have the numbers after those of the
  // flows.
  FlowOf(const Workload& workload, std::span<const std::uint32_t> flow_of_spec, std::uint32_t nodes);

  std::uint32_t flows() const { return flows_; }
  // What of() returns for a packet that several flows can have sent.
  std::uint32_t several() const { return flows_; }
  bool nodes_are_shared() const { return shared_; }

  std::uint32_t of(NodeId source, NodeId destination) const {
    const std::uint32_t only = only_[source];
    return only != kNone ? only : find(of_[source], destination);
  }

 private:
  struct Sender {
    std::uint32_t flow;
    NodeId destination;  // the only one that it sends to; kNone: several, or irrelevant
  };
  std::uint32_t find(const std::vector<Sender>& senders, NodeId destination) const;

  std::uint32_t flows_ = 0;
  bool shared_ = false;
  std::vector<std::uint32_t> only_;      // [source] its flow; kNone if it has none or several
  std::vector<std::vector<Sender>> of_;  // [source]
};

class FlowCensus {
 public:
  // Sums over photographs: packets of a flow, or of a pair.
  struct Packets {
    std::uint64_t waiting = 0;
    std::uint64_t hol = 0;
    std::uint64_t victims = 0;
    std::uint64_t delivered = 0;  // in the measurement
  };
  struct AtRoot {
    std::uint64_t packets = 0;
    std::uint64_t victims = 0;
  };

  FlowCensus(FlowOf flow_of, bool pairs) : flow_of_(std::move(flow_of)), counts_pairs_(pairs) {
    begin_measurement();
  }

  // Called by the camera for what it sees. `root` is the number of a root in the photograph being taken.
  void charge(std::uint32_t root, NodeId source, NodeId destination, std::uint64_t packets, bool crosses);
  void block(NodeId source, NodeId destination);
  void end_photograph(const std::vector<RootSeen>& roots);

  void count(std::span<const Delivery> deliveries);
  void begin_measurement();

  const FlowOf& flow_of() const { return flow_of_; }
  const std::vector<Packets>& flows() const { return flows_; }  // [flow], and one for FlowOf::several()
  const std::map<std::pair<std::uint32_t, Root>, AtRoot>& roots() const { return roots_; }  // [flow, root]
  Packets pair(NodeId source, NodeId destination) const;

 private:
  Packets& pair_at(NodeId source, NodeId destination);
  static std::uint64_t key_of(std::uint32_t a, std::uint32_t b) { return std::uint64_t{a} << 32 | b; }

  FlowOf flow_of_;
  bool counts_pairs_;
  std::vector<Packets> flows_;
  std::map<std::pair<std::uint32_t, Root>, AtRoot> roots_;
  FlatMap<std::uint64_t> number_of_pair_;  // source << 32 | destination -> index in pairs_
  std::vector<Packets> pairs_;

  // Of the photograph being taken.
  struct Seen {
    std::uint32_t root;
    std::uint32_t flow;
    AtRoot packets;
  };
  FlatMap<std::uint64_t> number_of_;  // root << 32 | flow -> index in seen_
  std::vector<Seen> seen_;
  std::uint32_t latest_ = 0;  // index in seen_ of the last packet: the next one is often of the same flow
};

}  // namespace headway
