// SPDX-License-Identifier: Apache-2.0
// An array of which only some entries are made. The others take addresses, but no memory where whole pages
// have none that is made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>

#include "headway/base/huge_vector.h"

namespace headway {

template <class T>
class SparseArray {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  SparseArray() = default;
  // An entry may be made for every index below `count`.
  explicit SparseArray(std::size_t count)
      : entries_(static_cast<T*>(new_block(count * sizeof(T), alignof(T))), Free{count * sizeof(T)}) {}

  // Once for an index.
  T& make(std::size_t index) {
    ++made_;
    return *::new (static_cast<void*>(&entries_[index])) T();
  }
  // The entry, which must be made.
  T& operator[](std::size_t index) { return entries_[index]; }
  const T& operator[](std::size_t index) const { return entries_[index]; }
  // The memory of the entries that are made.
  std::uint64_t bytes() const { return made_ * sizeof(T); }

 private:
  struct Free {
    std::size_t bytes = 0;
    void operator()(T* block) const { free_block(block, bytes, alignof(T)); }
  };
  std::unique_ptr<T[], Free> entries_;
  std::uint64_t made_ = 0;
};

}  // namespace headway
