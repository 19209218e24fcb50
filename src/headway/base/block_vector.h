// SPDX-License-Identifier: Apache-2.0
// A vector that grows by blocks. Growing it allocates one block and copies nothing, whereas a std::vector
// needs up to twice its size in addition. For lists of many millions of records, which can fill the memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "headway/base/huge_vector.h"

namespace headway {

template <class T>
class BlockVector {
 public:
  T& operator[](std::size_t index) { return blocks_[index / kBlock][index % kBlock]; }
  const T& operator[](std::size_t index) const { return blocks_[index / kBlock][index % kBlock]; }
  std::size_t size() const { return size_; }
  std::uint64_t bytes() const { return std::uint64_t{size_} * sizeof(T); }  // without memory not yet used
  void emplace_back() {
    if (size_ == blocks_.size() * kBlock) {
      blocks_.emplace_back();
      if (size_ > 0)
        blocks_.back().reserve(kBlock);  // the first block grows on demand, because most lists are short
    }
    blocks_.back().emplace_back();
    ++size_;
  }
  void push_back(const T& value) {
    emplace_back();
    blocks_.back().back() = value;
  }
  const T& back() const { return blocks_.back().back(); }
  void pop_back() {  // frees a block of which nothing is left
    blocks_.back().pop_back();
    if (blocks_.back().empty()) blocks_.pop_back();
    --size_;
  }

  template <class Io>
  void serialize(Io& io) {
    io.value(size_);
    blocks_.resize((size_ + kBlock - 1) / kBlock);
    for (HugeVector<T>& block : blocks_) io.list(block);
  }

  static constexpr std::size_t kBlock = 1 << 20;

 private:
  std::vector<HugeVector<T>> blocks_;
  std::size_t size_ = 0;
};

}  // namespace headway
