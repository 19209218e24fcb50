// SPDX-License-Identifier: Apache-2.0
// How much memory something takes, part by part. What owns the memory states its parts.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace headway {

class MemoryParts {
 public:
  struct Part {
    std::string_view name;  // of static storage
    std::uint64_t bytes = 0;
  };

  // Adds to the part of this name.
  void add(std::string_view name, std::uint64_t bytes) {
    for (Part& part : parts_)
      if (part.name == name) {
        part.bytes += bytes;
        return;
      }
    parts_.push_back({name, bytes});
  }
  void add(const MemoryParts& other) {
    for (const Part& part : other.parts_) add(part.name, part.bytes);
  }

  std::uint64_t of(std::string_view name) const {
    for (const Part& part : parts_)
      if (part.name == name) return part.bytes;
    return 0;
  }
  std::uint64_t total() const {
    std::uint64_t bytes = 0;
    for (const Part& part : parts_) bytes += part.bytes;
    return bytes;
  }
  auto begin() const { return parts_.begin(); }
  auto end() const { return parts_.end(); }

 private:
  std::vector<Part> parts_;  // in the order in which they were added
};

// The memory that vectors have, used or not.
template <class... Vectors>
std::uint64_t bytes_taken(const Vectors&... vectors) {
  return ((vectors.capacity() * sizeof(typename Vectors::value_type)) + ... + 0);
}

}  // namespace headway
