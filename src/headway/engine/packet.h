// SPDX-License-Identifier: Apache-2.0
// Packets and their pool. A packet keeps its place for its whole life. Queues are linked lists through the
// pool, so moving a packet between queues only changes links, and the memory depends only on the number of
// packets. The data that every hop needs is in one cache line; what only injection, delivery and observers
// need is in a separate array.
#pragma once

#include <cstdint>
#include <new>

#include "headway/base/fetch.h"
#include "headway/base/huge_vector.h"
#include "headway/base/ids.h"
#include "headway/routing/lanes.h"

namespace headway {

struct alignas(64) Packet {
  Tick ready = 0;  // when it became switchable at its device
  Tick tail = 0;   // if links differ in rate: when its tail arrives at its device
  NodeId source = 0;
  NodeId destination = 0;
  std::uint32_t serial = 0;  // at its source, in the order of generation
  PacketId next = kNone;     // packet behind it in its queue or in the free list
  std::uint32_t queue = 0;   // global id of the queue that it is in or on its way to
  std::uint32_t target = 0;  // global id of the queue it enters at the next device
  union {
    std::uint32_t target_after = 0;  // with output units, in a switch: the queue at the device after that
    std::uint32_t candidates;  // with adaptive routing, until it has an output: number of candidates from
                               // `next_output` on; with an escape, 1 if there is no other, otherwise 2
  };
  PortId output = 0;         // output port it requests here; kNone: a selection function will choose
  PortId next_output = 0;    // output port that it requests at the next device
  std::uint16_t input = 0;   // local input port of `queue`
  std::uint16_t length = 0;  // bytes
  Course course;             // with lanes or detours: on arrival at the next device
};
static_assert(sizeof(Packet) == 64);

// Where a packet comes from. Its source (a node) and `message` together identify its message.
struct alignas(32) PacketOrigin {
  Tick generated = 0;
  Tick injected = 0;            // when its adapter granted it; until then, when it joined the injection queue
  std::uint32_t generator = 0;  // what generated it: a source, as numbered by Workload::generators
  std::uint32_t message = 0;    // serial number of the first packet of its message
  std::uint32_t packets = 0;    // of its message
};
static_assert(sizeof(PacketOrigin) == 32);

inline constexpr std::size_t kBytesPerPacket = sizeof(Packet) + sizeof(PacketOrigin);

class PacketPool {
 public:
  // Reserves addresses for this many packets, so that growing moves none of them. Only packets that have
  // existed take memory. Without so many addresses, the pool moves when it grows.
  void reserve(std::uint64_t packets) {
    try {
      packets_.reserve(packets);
      origins_.reserve(packets);
    } catch (const std::bad_alloc&) {
    }
  }
  PacketId allocate() {
    if (free_ == kNone) {
      packets_.emplace_back();
      origins_.emplace_back();
      return static_cast<PacketId>(packets_.size() - 1);
    }
    const PacketId id = free_;
    free_ = packets_[id].next;
    return id;
  }
  void release(PacketId id) {
    packets_[id].next = free_;
    free_ = id;
  }
  // `id` may be kNone.
  void fetch(PacketId id) const { headway::fetch(packets_.data() + id); }
  void fetch_origin(PacketId id) const { headway::fetch(origins_.data() + id); }
  Packet& operator[](PacketId id) { return packets_[id]; }
  const Packet& operator[](PacketId id) const { return packets_[id]; }
  PacketOrigin& origin(PacketId id) { return origins_[id]; }
  const PacketOrigin& origin(PacketId id) const { return origins_[id]; }

 private:
  HugeVector<Packet> packets_;        // [packet]
  HugeVector<PacketOrigin> origins_;  // [packet]
  PacketId free_ = kNone;
};

}  // namespace headway
