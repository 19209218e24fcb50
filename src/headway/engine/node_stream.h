// SPDX-License-Identifier: Apache-2.0
// Regenerates the messages of a node from some message on, in the order in which Adapters generates them.
// This is possible only if they depend on nothing but the sources of the node.
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
  // To be called for all sources of the node, in ascending order, with their states before their next
  // messages.
  void add(const SourceStream& stream, std::uint32_t source) { sources_.push_back({stream, source}); }

  std::uint32_t serial() const { return serial_; }  // of the next packet
  Message next(NodeId node, const Framing& framing);
  template <class Io>
  void serialize(Io& io, const Workload& workload) {
    io.value(serial_);
    auto sources = sources_.size();
    io.value(sources);
    sources_.resize(sources);
    for (auto& [stream, source] : sources_) {
      io.value(source);
      io.value(stream.rng);
      io.value(stream.next);
      io.value(stream.packets);
      io.value(stream.last);
      stream.flow = &workload.flows[workload.sources[source].flow];
    }
  }

 private:
  struct OfSource {
    SourceStream stream;
    std::uint32_t source;
  };
  std::vector<OfSource> sources_;
  std::uint32_t serial_ = 0;
};

}  // namespace headway
