// SPDX-License-Identifier: Apache-2.0
// What every member of the records of a run is to a stretch of time that is to repeat itself (skip.h). Each
// description begins with a structured binding of all members, so a member that nobody has classified does
// not compile. Who compares two states and who moves a state to a later time reads the same description.
//
// An Io has a function per class of members:
//
//   same     state: it is the same after a period
//   time     a time: it is the same after a period, relative to the present, and a skip moves it with the
//            present
//   serial   the number of a packet: it is the same after a period, relative to the packets of its message
//            that have left their node, and a skip moves it with them
//   count    a number that a period changes by an amount, and a skip by a multiple of it; no state
//   derived  it follows from other members or records, which are described, or from the message of a packet
//            and the link or queue where it is, by which packets are compared
//   fixed    it does not change while only packets move
//
// This is for what skip.h admits: switches without pools, one path per message.
#pragma once

#include "headway/congestion/pauses.h"
#include "headway/engine/admittance.h"
#include "headway/engine/device.h"
#include "headway/engine/message.h"
#include "headway/engine/packet.h"

namespace headway {

// Where a packet is decides which of its times mean something.
enum class PacketAt { injection_queue, link, queue };

// `links_differ`: in rate, so that a packet may have to wait for its tail.
template <class Io>
void describe(Io& io, Packet& packet, PacketAt at, bool links_differ) {
  auto& [ready, tail, source, destination, serial, next, queue, target, later, output, next_output, input,
         length, course] = packet;
  if (at == PacketAt::queue)
    io.time(ready);
  else
    io.fixed(ready);  // of the queue that it has left or, unless packets compete by age, of no use
  if (links_differ && at != PacketAt::injection_queue)
    io.time(tail);
  else
    io.fixed(tail);
  io.same(length);
  io.serial(serial);
  io.derived(source, destination);                              // of its message
  io.derived(queue, target, output, next_output, input, next);  // of its message and its place
  io.derived(later);   // of output units: of its message and its place
  io.derived(course);  // of its message and its place
}

template <class Io>
void describe(Io& io, PacketOrigin& origin, PacketAt at) {
  auto& [generated, injected, generator, message, packets, payload, marked] = origin;
  if (at == PacketAt::injection_queue)
    io.fixed(injected);  // set when it leaves
  else
    io.time(injected);
  io.derived(message, generator, payload);  // of its message
  io.fixed(generated, packets, marked);     // nothing marks
}

// `is_listed`: its head is in a list of requests.
template <class Io>
void describe(Io& io, Queue& queue, bool is_listed) {
  auto& [head, tail, target, output, next_request, length, longest] = queue;
  if (is_listed)
    io.same(next_request);
  else
    io.fixed(next_request);
  io.derived(head, tail, target, output, length);
  io.fixed(longest);  // the first period has seen it
}

// As an output.
template <class Io>
void describe(Io& io, PortState& port) {
  auto& [requests, bytes_sent, peer, source, owner, first_queue, delay, credit_delay, ticks_per_byte,
         next_switch, next_first_port, next_first_queue, local, next_local, next_input, next_queue] = port;
  io.same(next_input);
  io.count(bytes_sent);
  io.derived(requests);
  io.fixed(peer, source, owner, first_queue, delay, credit_delay, ticks_per_byte, next_switch,
           next_first_port, next_first_queue, local, next_local);
  io.fixed(next_queue);  // of channels
}

// With pauses.
template <class Io>
void describe(Io& io, Pauses::Lane& lane) {
  auto& [stored, beyond, paused, holds_sender, since, pauses, ticks] = lane;
  io.same(stored, paused, holds_sender);
  if (holds_sender)
    io.time(since);
  else
    io.fixed(since);
  io.count(pauses, ticks);
  io.fixed(beyond);  // of memory that ports share
}

// Which ports are free follows from the transfers under way.
template <class Io>
void describe(Io& io, Device& device) {
  auto& [crossbar, shuffle, first_port, first_list, radix, channels, first_queue, queues_per_input, touched,
         asks, turn] = device;
  io.derived(crossbar);
  io.fixed(shuffle, first_port, first_list, radix, channels, first_queue, queues_per_input, touched, asks,
           turn);
}

// Of a message that waits at its node.
template <class Io>
void describe(Io& io, Message& message) {
  auto& [generated, destination, serial, packets, source, next, last_bytes] = message;
  io.count(serial, packets);
  io.derived(destination, source, last_bytes);  // of its number, as first generated
  io.derived(next);                             // its queue has an order
  io.fixed(generated);
}

template <class Io>
void describe(Io& io, AdmittanceQueue& queue) {
  auto& [first, last, next_active, kept, tail, begun, packets] = queue;
  io.same(kept, tail);
  io.count(begun, packets);
  io.derived(first, last, next_active);  // the active list and the queue have an order
}

template <class Io>
void describe(Io& io, AdmittanceState::Node& node) {
  auto& [queue_of, waiting_packets, waiting_cells, next_serial, tails, next_queue, doublings, keeps_all] =
      node;
  io.count(waiting_packets);
  io.fixed(next_serial);    // a message that begins ends every comparison at its links
  io.fixed(next_queue);     // of channels
  io.fixed(waiting_cells);  // of use only if nodes limit what waits
  io.fixed(queue_of, tails, doublings, keeps_all);
}

}  // namespace headway
