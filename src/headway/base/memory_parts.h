// SPDX-License-Identifier: Apache-2.0
// How much memory something takes, part by part. What owns the memory states its parts.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace headway {

class MemoryParts {
 public:
  struct Item {
    std::string_view name;  // of static storage
    std::uint64_t bytes = 0;
  };

  // Adds to the part of this name.
  void add(std::string_view name, std::uint64_t bytes) {
    for (Item& item : items_)
      if (item.name == name) {
        item.bytes += bytes;
        return;
      }
    items_.push_back({name, bytes});
  }
  void add(const MemoryParts& other) {
    for (const Item& item : other.items_) add(item.name, item.bytes);
  }

  std::uint64_t of(std::string_view name) const {
    for (const Item& item : items_)
      if (item.name == name) return item.bytes;
    return 0;
  }
  std::uint64_t total() const {
    std::uint64_t bytes = 0;
    for (const Item& item : items_) bytes += item.bytes;
    return bytes;
  }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }

 private:
  std::vector<Item> items_;  // in the order in which they were added
};

// The memory that vectors have, used or not.
template <class... Vectors>
std::uint64_t bytes_taken(const Vectors&... vectors) {
  return ((vectors.capacity() * sizeof(typename Vectors::value_type)) + ... + 0);
}

}  // namespace headway
