// SPDX-License-Identifier: Apache-2.0
// From what a trace says to messages between nodes: which nodes are hosts and which storage, where a process
// and a device live, and which messages a read and a write are. The papers that use disk traces (OBQA,
// Euro-Par 2010, section 4.1; FBICM, section 4.1) give no such rules: all of these are ours.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "headway/base/ids.h"
#include "headway/trace/record.h"

namespace headway {

struct EndpointRules {
  enum class Spread { in_turn, hash };  // by first appearance, cyclically; or by a hash of the number

  std::uint32_t nodes = 0;
  bool wrap_nodes = false;  // a message's node is its number modulo `nodes`; otherwise it must be below it
  std::vector<NodeId> hosts;
  std::vector<NodeId> storage;
  Spread processes = Spread::hash;
  Spread devices = Spread::in_turn;
  std::uint64_t request = 32;         // bytes of the message that asks for data
  std::uint64_t acknowledgement = 0;  // bytes of the message that ends a write; 0: none
  TraceTime service = 0;              // response time of requests whose trace does not say
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
  std::span<const PlacedMessage> list() const { return {messages.data(), count}; }
};

// Places the records of one pass over a trace, one after the other.
class Endpoints {
 public:
  Endpoints(const EndpointRules& rules, std::uint64_t seed) : rules_(rules), seed_(seed) {}

  // Why the record cannot be placed, or nothing.
  std::string place(const TraceRecord& record, PlacedMessages& messages);

  // The nodes that send by these rules, whatever the records are.
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
