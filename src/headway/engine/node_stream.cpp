// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/node_stream.h"

#include <algorithm>

#include "headway/base/error.h"

namespace headway {

Message NodeStream::next(NodeId node, const Framing& framing) {
  for (;;) {
    // within a tick, the sources generate in ascending order
    OfSource& first = *std::ranges::min_element(
        sources_, {}, [](const OfSource& each) { return tick_of(each.stream.next); });
    SourceStream& stream = first.stream;
    if (stream.next == kNever) throw InvariantError("a tail has more messages than its node generated");
    Message message{tick_of(stream.next), kNone, serial_, stream.packets, first.source, kNone, stream.last};
    message.destination = stream.draw(node, stream.next, framing);
    if (message.destination == kNone) continue;
    serial_ += message.packets;
    return message;
  }
}

}  // namespace headway
