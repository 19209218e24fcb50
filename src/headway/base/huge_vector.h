// SPDX-License-Identifier: Apache-2.0
// A vector whose large blocks lie on large pages where the system has them: tables of many megabytes that are
// read at random spend a third of their time on address translation otherwise.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace headway {

template <class T>
struct HugeAllocator {
  using value_type = T;
  static constexpr std::size_t kHugePage = 2 << 20;

  HugeAllocator() = default;
  template <class U>
  HugeAllocator(const HugeAllocator<U>&) {}  // NOLINT: allocators convert

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    void* const block = ::operator new(bytes, alignment(bytes));
#ifdef __linux__
    // Advice: where it is not taken, the memory is as good.
    if (bytes >= kHugePage) madvise(block, bytes, MADV_HUGEPAGE);
#endif
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
