// SPDX-License-Identifier: Apache-2.0
// Packets and their pool. A packet keeps its place for its whole life. Queues are linked lists through the
// pool, so moving a packet between queues only changes links, and the memory depends only on the number of
// packets. The data that every hop needs is in one cache line; what only injection, delivery and observers
// need is in a separate array.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>

#include "headway/base/fetch.h"
#include "headway/base/ids.h"
#include "headway/base/rng.h"
#include "headway/routing/lanes.h"
#include "headway/routing/route_table.h"

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
  union Later {
    std::uint32_t target_after = 0;  // with output units, in a switch: the queue at the device after that
    std::uint32_t candidates;  // with adaptive routing, until it has an output: number of candidates from
                               // `next_output` on; with an escape, 1 if there is no other, otherwise 2;
                               // 1 at the head of a queue: it keeps to `next_output` (kept_output). Plus
                               // kHasAsked, if it chooses and has asked whether it follows others of its flow

    static constexpr std::uint32_t kHasAsked = 1 << 16;
  } later;
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
  std::uint16_t payload = 0;    // bytes of the message in it
  bool marked = false;          // by a switch, because of congestion
};
static_assert(sizeof(PacketOrigin) == 32);

// A number below 2^32 that is fixed for a packet at a switch. `seed_mix`: mix64 of the run's seed.
inline std::uint64_t draw_of_packet(std::uint64_t seed_mix, SwitchId sw, NodeId source,
                                    std::uint32_t serial) {
  const std::uint64_t salt = mix64(seed_mix ^ (static_cast<std::uint64_t>(source) << 32 | serial));
  return mix64(salt ^ mix64(sw)) >> 32;
}

// The same for routes whose packets draw one of several labels at their source (RouteTable::labels).
inline std::uint64_t draw_by_label(const RouteTable& routes, std::uint64_t seed_mix, SwitchId sw,
                                   NodeId source, NodeId destination, std::uint32_t serial) {
  const std::uint64_t label = draw_of_packet(seed_mix, kNone, source, serial) * routes.labels() >> 32;
  return routes.hash(sw, source, destination, static_cast<std::uint32_t>(label));
}

inline constexpr std::size_t kBytesPerPacket = sizeof(Packet) + sizeof(PacketOrigin);

// The memory of packets, which all parts of a run share.
class PacketMemory {
 public:
  // Ids that a part takes at once, if there are several.
  static constexpr std::uint32_t kRange = 1024;

  PacketMemory() = default;
  PacketMemory(const PacketMemory&) = delete;
  PacketMemory& operator=(const PacketMemory&) = delete;
  ~PacketMemory();

  // Reserves addresses for this many packets, so that growing moves none of them. Only packets that have
  // existed take memory. Without so many addresses, growing moves packets.
  void reserve(std::uint64_t packets);
  // Reserves them for several threads, and for several processes with as many packets each, of which this is
  // number `process`. No packet moves, and no two processes use the same ids. Throws std::bad_alloc.
  void share(std::uint64_t packets, std::uint32_t process, std::uint32_t processes);

  // The packets of a process, for another one.
  template <class Io>
  void serialize(Io& io) {
    std::uint64_t first = first_, count = used_ - first_;
    io.value(first);
    io.value(count);
    io.table(std::span(packets_ + first, count));
    io.table(std::span(origins_ + first, count));
  }
  std::uint64_t taken() const { return used_ - first_; }  // ids of this process, by all parts
  // What packets take that have used so many ids: whole large pages.
  std::uint64_t bytes(std::uint64_t packets) const;

 private:
  friend class PacketPool;
  struct Ids {
    PacketId first, end;
  };
  // Ids that no packet has had. With one part, the packets can move.
  Ids take_range();
  void move_to(std::uint64_t capacity);

  Packet* packets_ = nullptr;        // [packet]
  PacketOrigin* origins_ = nullptr;  // [packet]
  std::uint64_t capacity_ = 0;
  std::uint64_t first_ = 0, used_ = 0, end_ = 0;  // ids of this process: all, used so far
  bool is_shared_ = false;
  std::mutex mutex_;  // of `used_`, if it is shared
};

// The packets of a part of a run. A packet that leaves the part gets another id in the next one.
class PacketPool {
 public:
  explicit PacketPool(PacketMemory& memory)
      : packets_(memory.packets_), origins_(memory.origins_), memory_(memory) {}

  PacketId allocate() {
    if (free_ == kNone) [[unlikely]]
      return take_more();
    const PacketId id = free_;
    free_ = packets_[id].next;
    return id;
  }
  void release(PacketId id) {
    packets_[id].next = free_;
    free_ = id;
  }

  // How many of the ids that it has taken from the memory no packet has had.
  std::uint64_t not_used() const { return fresh_end_ - fresh_; }

  // `id` may be kNone.
  void fetch(PacketId id) const { headway::fetch(packets_ + id); }
  void fetch_origin(PacketId id) const { headway::fetch(origins_ + id); }
  Packet& operator[](PacketId id) { return packets_[id]; }
  const Packet& operator[](PacketId id) const { return packets_[id]; }
  PacketOrigin& origin(PacketId id) { return origins_[id]; }
  const PacketOrigin& origin(PacketId id) const { return origins_[id]; }

 private:
  [[gnu::noinline]] PacketId take_more();

  Packet* packets_;
  PacketOrigin* origins_;
  PacketMemory& memory_;
  PacketId free_ = kNone;
  PacketId fresh_ = 0;  // ids that no packet has had: from here on
  PacketId fresh_end_ = 0;
};

}  // namespace headway
