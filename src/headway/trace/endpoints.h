// SPDX-License-Identifier: Apache-2.0
// Maps records of a trace to messages between nodes: which nodes are hosts and which are storage nodes, the
// node of a process and of a device, and the messages of a read and a write. The papers that use disk traces
// (OBQA, Euro-Par 2010, section 4.1; FBICM, section 4.1) give no such rules; all of them are choices of
// Headway.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "headway/base/ids.h"
#include "headway/trace/record.h"

namespace headway {

struct EndpointRules {
  enum class Spread { in_turn, hash };  // cyclically in order of first appearance, or by a hash of the number

  std::uint32_t nodes = 0;
  // Take node numbers of messages modulo `nodes`; otherwise they must be below `nodes`.
  bool wrap_nodes = false;
  std::vector<NodeId> hosts;
  std::vector<NodeId> storage;
  Spread processes = Spread::hash;
  Spread devices = Spread::in_turn;
  std::uint64_t request = 32;         // bytes of the message that requests a read
  std::uint64_t acknowledgement = 0;  // bytes of the message that acknowledges a write; 0: none
  TraceTime service = 0;              // response time of requests without one in the trace
};

struct PlacedMessage {
  TraceTime time = 0;
  NodeId source = 0;
  NodeId destination = 0;
  std::uint64_t bytes = 0;
  friend bool operator==(const PlacedMessage&, const PlacedMessage&) = default;
};

// The messages of one record, in order: at most two.
struct PlacedMessages {
  std::array<PlacedMessage, 2> messages;
  std::size_t count = 0;
};

// Places the records of one pass over a trace in order.
class Endpoints {
 public:
  Endpoints(const EndpointRules& rules, std::uint64_t seed) : rules_(rules), seed_(seed) {}

  // Returns the reason if the record cannot be placed, otherwise an empty string.
  std::string place(const TraceRecord& record, PlacedMessages& messages);

  // The nodes that can send with these rules, independent of the records.
  static std::vector<NodeId> senders(const EndpointRules& rules);

 private:
  static constexpr std::size_t kMostNumbers = 1 << 20;
  using Turns = std::unordered_map<std::uint64_t, NodeId>;  // number -> node

  NodeId node_of(std::uint64_t number, EndpointRules::Spread spread, const std::vector<NodeId>& nodes,
                 Turns& turns);

  const EndpointRules& rules_;
  std::uint64_t seed_;
  Turns hosts_;
  Turns storage_;
};

}  // namespace headway
