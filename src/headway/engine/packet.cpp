// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/packet.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

#include "headway/base/error.h"
#include "headway/base/huge_vector.h"

namespace headway {
namespace {

constexpr std::uint64_t kMostPackets = kNone;
#ifdef __linux__
const auto kPage = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
#endif

// Addresses for packets. On Linux, a page takes memory only when it is first written, and there can be more
// addresses than the machine has memory. Throws std::bad_alloc.
template <class T>
T* allocate_addresses(std::uint64_t capacity) {
#ifdef __linux__
  const std::size_t bytes = capacity * sizeof(T), with_rest = bytes + kHugePage;
  void* const start =
      ::mmap(nullptr, with_rest, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) throw std::bad_alloc();
  const auto first = reinterpret_cast<std::uintptr_t>(start);
  const std::uintptr_t aligned = (first + kHugePage - 1) / kHugePage * kHugePage;
  if (aligned > first) ::munmap(start, aligned - first);
  const std::uintptr_t end = aligned + (bytes + kPage - 1) / kPage * kPage;
  if (first + with_rest > end) ::munmap(reinterpret_cast<void*>(end), first + with_rest - end);
  auto* const block = reinterpret_cast<T*>(aligned);
  if (bytes >= kHugePage) ::madvise(block, bytes, MADV_HUGEPAGE);  // only advice
  return block;
#else
  return HugeAllocator<T>().allocate(capacity);
#endif
}

template <class T>
void free_addresses(T* block, std::uint64_t capacity) {
  if (block == nullptr) return;
#ifdef __linux__
  ::munmap(block, (capacity * sizeof(T) + kPage - 1) / kPage * kPage);
#else
  HugeAllocator<T>().deallocate(block, capacity);
#endif
}

}  // namespace

PacketMemory::~PacketMemory() {
  free_addresses(packets_, capacity_);
  free_addresses(origins_, capacity_);
}

void PacketMemory::reserve(std::uint64_t packets) try {
  move_to(std::min(packets, kMostPackets));
} catch (const std::bad_alloc&) {  // it has none until there are packets
}

void PacketMemory::share(std::uint64_t packets, std::uint32_t process, std::uint32_t processes) {
  const std::uint64_t each = std::min(packets, kMostPackets / processes);
  move_to(each * processes);
  first_ = used_ = process * each;
  end_ = first_ + each;
  is_shared_ = true;
}

std::uint64_t PacketMemory::bytes(std::uint64_t packets) const {
  const auto of_table = [&](std::uint64_t each) {
    const std::uint64_t all = capacity_ * each, used = packets * each;
    return all < kHugePage ? used : std::min(all, (used + kHugePage - 1) / kHugePage * kHugePage);
  };
  return of_table(sizeof(Packet)) + of_table(sizeof(PacketOrigin));
}

void PacketMemory::move_to(std::uint64_t capacity) {
  Packet* const packets = allocate_addresses<Packet>(capacity);
  PacketOrigin* origins = nullptr;
  try {
    origins = allocate_addresses<PacketOrigin>(capacity);
  } catch (const std::bad_alloc&) {
    free_addresses(packets, capacity);
    throw;
  }
  std::uninitialized_copy_n(packets_, used_, packets);
  std::uninitialized_copy_n(origins_, used_, origins);
  free_addresses(std::exchange(packets_, packets), capacity_);
  free_addresses(std::exchange(origins_, origins), capacity_);
  capacity_ = capacity;
}

PacketMemory::Ids PacketMemory::take_range() {
  if (is_shared_) {
    const std::scoped_lock lock(mutex_);
    const std::uint64_t first = used_, end = std::min(used_ + kRange, end_);
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

PacketId PacketPool::take_more() {
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

}  // namespace headway
