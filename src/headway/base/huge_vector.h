// SPDX-License-Identifier: Apache-2.0
// A vector that uses large pages where the system has them. Without large pages, random reads of tables of
// many megabytes spend a third of their time on address translation.
#pragma once

#include <cstddef>
#include <vector>

namespace headway {

inline constexpr std::size_t kHugePage = 2 << 20;

// Memory of which pages are taken when they are first written, in large pages if it is large.
void* new_block(std::size_t bytes, std::size_t alignment);
void free_block(void* block, std::size_t bytes, std::size_t alignment);
// If several threads work for this one (ThreadScope), they take the pages of a large block together.
void take_pages(void* block, std::size_t bytes);

template <class T>
struct HugeAllocator {
  using value_type = T;

  HugeAllocator() = default;
  template <class U>
  HugeAllocator(const HugeAllocator<U>&) {}  // NOLINT: allocators convert

  T* allocate(std::size_t count) {
    void* const block = new_block(count * sizeof(T), alignof(T));
    take_pages(block, count * sizeof(T));
    return static_cast<T*>(block);
  }
  void deallocate(T* block, std::size_t count) { free_block(block, count * sizeof(T), alignof(T)); }
  friend bool operator==(const HugeAllocator&, const HugeAllocator&) { return true; }
};

template <class T>
using HugeVector = std::vector<T, HugeAllocator<T>>;

}  // namespace headway
