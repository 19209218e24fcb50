// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/packet.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "headway/base/error.h"
#include "headway/base/huge_vector.h"

namespace headway {
namespace {

constexpr std::uint64_t kMostPackets = kNone;

template <class T>
void free_block(T* block, std::uint64_t capacity) {
  if (block != nullptr) HugeAllocator<T>().deallocate(block, capacity);
}

}  // namespace

PacketMemory::~PacketMemory() {
  free_block(packets_, capacity_);
  free_block(origins_, capacity_);
}

bool PacketMemory::reserve(std::uint64_t packets) try {
  move_to(std::min(packets, kMostPackets));
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

void PacketMemory::move_to(std::uint64_t capacity) {
  Packet* const packets = HugeAllocator<Packet>().allocate(capacity);
  PacketOrigin* origins = nullptr;
  try {
    origins = HugeAllocator<PacketOrigin>().allocate(capacity);
  } catch (const std::bad_alloc&) {
    free_block(packets, capacity);
    throw;
  }
  std::uninitialized_copy_n(packets_, used_, packets);
  std::uninitialized_copy_n(origins_, used_, origins);
  free_block(std::exchange(packets_, packets), capacity_);
  free_block(std::exchange(origins_, origins), capacity_);
  capacity_ = capacity;
}

PacketMemory::Ids PacketMemory::take_range() {
  if (is_shared_) {
    const std::scoped_lock lock(mutex_);
    const std::uint64_t first = used_, end = std::min(used_ + kRange, capacity_);
    if (first == end)
      throw InvariantError("there are more packets than a run on several threads can hold; use one thread");
    used_ = end;
    return {static_cast<PacketId>(first), static_cast<PacketId>(end)};
  }
  if (used_ == kMostPackets) throw std::bad_alloc();
  if (used_ == capacity_) move_to(std::min(std::max<std::uint64_t>(2 * capacity_, kRange), kMostPackets));
  const auto first = static_cast<PacketId>(std::exchange(used_, capacity_));
  return {first, static_cast<PacketId>(capacity_)};
}

PacketId PacketMemory::take_spare() {
  const std::scoped_lock lock(mutex_);
  if (spare_.empty()) return kNone;
  const PacketId first = spare_.back();
  spare_.pop_back();
  return first;
}

void PacketMemory::give_spare(PacketId first) {
  const std::scoped_lock lock(mutex_);
  spare_.push_back(first);
}

PacketId PacketPool::take_more() {
  if (fresh_ == fresh_end_ && memory_.is_shared_) {
    if (const PacketId spare = memory_.take_spare(); spare != kNone) {
      free_ = packets_[spare].next;
      free_count_ = PacketMemory::kRange - 1;
      return spare;
    }
  }
  if (fresh_ == fresh_end_) {
    const PacketMemory::Ids ids = memory_.take_range();
    fresh_ = ids.first;
    fresh_end_ = ids.end;
    packets_ = memory_.packets_;
    origins_ = memory_.origins_;
  }
  const PacketId id = fresh_++;
  new (packets_ + id) Packet();
  new (origins_ + id) PacketOrigin();
  return id;
}

// Gives lists of kRange ids away until half of them are left.
void PacketPool::give_half() {
  for (std::uint32_t rest = free_count_ / 2; free_count_ >= rest + PacketMemory::kRange;) {
    const PacketId first = free_;
    PacketId last = first;
    for (std::uint32_t i = 1; i < PacketMemory::kRange; ++i) last = packets_[last].next;
    free_ = std::exchange(packets_[last].next, kNone);
    free_count_ -= PacketMemory::kRange;
    memory_.give_spare(first);
  }
}

}  // namespace headway
