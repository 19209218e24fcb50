// SPDX-License-Identifier: Apache-2.0
// The backlog of an overloaded node in bounded memory. An admittance queue keeps its first messages. Those
// behind them, its tail, are only counted. They depend only on the random streams of the node's sources, so a
// copy of these streams regenerates them when the queue has no other messages left.
//
// A pass over a stream regenerates messages of all queues of the node. Therefore it refills all queues that
// it meets, and begins with the queue that is farthest behind among those that have few messages left. But
// the messages that queues keep end in different parts of the stream, so the fewer they keep, the more are
// regenerated in vain. Therefore the queues share the memory of KeptMessages, except the queue of a node with
// one queue, which regenerates nothing in vain. If passes still take too long, the queues of the node keep
// twice as many. This limits how often a message is regenerated.
#pragma once

#include <cstdint>

#include "headway/engine/state.h"

namespace headway {

// Appends the message to those that the queue keeps in memory. Throws BacklogTooLarge.
void keep_message(State& state, AdmittanceQueue& queue, const Message& message);

// Adds a tail to the queue. `stream` begins behind the last message of the queue.
void begin_tail(State& state, NodeId node, std::uint32_t queue, NodeStream stream);

// For a queue that has a tail and no message in memory: moves the next messages of the tail, if any, into
// memory. The tail ends when it has no more messages.
void refill(State& state, NodeId node, std::uint32_t queue);

// Throws BacklogTooLarge if the backlog exceeds its memory limit.
void expect_backlog_memory(const State& state);

}  // namespace headway
