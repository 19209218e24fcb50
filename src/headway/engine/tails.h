// SPDX-License-Identifier: Apache-2.0
// The backlog of an overloaded node in bounded memory. An admittance queue keeps a window of messages. Those
// behind it, its tail, are only counted. They depend on the random streams of the node's sources alone, so a
// copy of these makes them once more when the window is empty.
//
// A pass over a stream finds the messages of all queues of the node. To use it well, it fills the windows of
// all queues that it meets, and begins with the queue that is farthest behind among those that have few
// messages left. If passes still take too long, the windows of the node are doubled. So a message is made
// again a limited number of times.
#pragma once

#include <cstdint>

#include "headway/engine/state.h"

namespace headway {

// Adds the message to the end of what the queue keeps. Throws BacklogTooLarge.
void keep_message(State& state, AdmittanceQueue& queue, const Message& message);

// Adds a tail to the queue. `stream` begins behind the last message of the queue.
void begin_tail(State& state, NodeId node, std::uint32_t queue, NodeStream stream);

// The queue has a tail and keeps no message: brings the next ones of the tail into its window, if there are
// any. The tail ends when it has no more messages.
void refill(State& state, NodeId node, std::uint32_t queue);

// Throws BacklogTooLarge if the backlog takes more memory than it may.
void expect_backlog_memory(const State& state);

}  // namespace headway
