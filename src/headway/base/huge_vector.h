// SPDX-License-Identifier: Apache-2.0
// A vector that uses large pages where the system has them. Without large pages, random reads of tables of
// many megabytes spend a third of their time on address translation.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace headway {

inline constexpr std::size_t kHugePage = 2 << 20;

// Asks for large pages. If several threads work for this one (ThreadScope), they take the pages of a large
// block together; all of it will be written.
void prepare_block(void* block, std::size_t bytes);

template <class T>
struct HugeAllocator {
  using value_type = T;
  HugeAllocator() = default;
  template <class U>
  HugeAllocator(const HugeAllocator<U>&) {}  // NOLINT: allocators convert

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    void* const block = ::operator new(bytes, alignment(bytes));
    if (bytes >= kHugePage) prepare_block(block, bytes);
    return static_cast<T*>(block);
  }
  void deallocate(T* block, std::size_t count) { ::operator delete(block, alignment(count * sizeof(T))); }
  friend bool operator==(const HugeAllocator&, const HugeAllocator&) { return true; }

 private:
  static std::align_val_t alignment(std::size_t bytes) {
    return std::align_val_t(bytes >= kHugePage ? kHugePage : alignof(T));
  }
};

template <class T>
using HugeVector = std::vector<T, HugeAllocator<T>>;

}  // namespace headway
