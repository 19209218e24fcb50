// SPDX-License-Identifier: Apache-2.0
// Packets and the pool they live in. A packet keeps its place for its whole life; queues are lists through
// the pool, so moving a packet between queues is a relink and memory follows the packets that exist. What
// every hop needs is in one cache line; what only its beginning and its end need is in an array beside it.
#pragma once

#include <cstdint>

#include "headway/base/fetch.h"
#include "headway/base/huge_vector.h"
#include "headway/base/ids.h"
#include "headway/routing/lanes.h"

namespace headway {

struct alignas(64) Packet {
  Tick ready = 0;  // it became switchable at the device it is in
  Tick tail = 0;   // where links differ: its tail has arrived at the device it is in, or will
  NodeId source = 0;
  NodeId destination = 0;
  std::uint32_t serial = 0;  // at its source, in the order of generation
  PacketId next = kNone;     // behind it in its queue, or the free list
  std::uint32_t queue = 0;   // global id: where it is, or where it is on its way to
  std::uint32_t target = 0;  // global id of the queue it enters at the next device
  union {
    std::uint32_t target_after = 0;  // with output units, in a switch: and at the device after that
    std::uint32_t candidates;  // with adaptive routing, until it has an output: so many from `next_output` on
  };
  PortId output = 0;         // output port it requests here; kNone: a selection function will choose
  PortId next_output = 0;    // and at the next device
  std::uint16_t input = 0;   // local input port of `queue`
  std::uint16_t length = 0;  // bytes
  Course course;             // with lanes or detours: in which it will arrive at the next device
};
static_assert(sizeof(Packet) == 64);

struct PacketTimes {
  Tick generated = 0;
  Tick injected = 0;  // its adapter granted it; until then, it joined the injection queue
};

inline constexpr std::size_t kBytesPerPacket = sizeof(Packet) + sizeof(PacketTimes);

class PacketPool {
 public:
  PacketId allocate() {
    if (free_ == kNone) {
      packets_.emplace_back();
      times_.emplace_back();
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
  // Maybe kNone.
  void fetch(PacketId id) const { headway::fetch(packets_.data() + id); }
  void fetch_times(PacketId id) const { headway::fetch(times_.data() + id); }
  Packet& operator[](PacketId id) { return packets_[id]; }
  const Packet& operator[](PacketId id) const { return packets_[id]; }
  PacketTimes& times(PacketId id) { return times_[id]; }
  const PacketTimes& times(PacketId id) const { return times_[id]; }

 private:
  HugeVector<Packet> packets_;     // [packet]
  HugeVector<PacketTimes> times_;  // [packet]
  PacketId free_ = kNone;
};

}  // namespace headway
