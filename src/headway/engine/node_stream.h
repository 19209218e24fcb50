// SPDX-License-Identifier: Apache-2.0
// The messages of a node from some message on, made once more, in the order in which Adapters generates them.
// Possible where they depend on the sources of the node alone.
#pragma once

#include <cstdint>
#include <vector>

#include "headway/engine/message.h"
#include "headway/engine/source_stream.h"

namespace headway {

class NodeStream {
 public:
  NodeStream() = default;
  // `serial` is that of the next packet of the node.
  explicit NodeStream(std::uint32_t serial) : serial_(serial) {}
  // All sources of the node, in ascending order, as they are before their next messages.
  void add(const SourceStream& stream, std::uint32_t source) { sources_.push_back({stream, source}); }

  std::uint32_t serial() const { return serial_; }  // of the next packet
  Message next(NodeId node, std::uint64_t packet_bytes);

 private:
  struct OfSource {
    SourceStream stream;
    std::uint32_t source;
  };
  std::vector<OfSource> sources_;
  std::uint32_t serial_ = 0;
};

}  // namespace headway
