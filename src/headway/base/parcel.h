// SPDX-License-Identifier: Apache-2.0
// Values as bytes, for processes that run the same program on machines of the same kind. A class describes
// its contents once, in a function serialize(io): a ParcelWriter appends them, and a ParcelReader replaces
// them.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "headway/base/error.h"

namespace headway {

using Parcel = std::vector<std::byte>;

template <class T>
concept PlainBytes = std::is_trivially_copyable_v<T>;

class ParcelWriter {
 public:
  static constexpr bool kReads = false;
  template <PlainBytes T>
  void value(const T& value) {
    append(&value, sizeof value);
  }
  // The values of a table whose size both sides know.
  template <PlainBytes T>
  void table(std::span<T> values) {
    append(values.data(), values.size_bytes());
  }
  template <class List>
    requires PlainBytes<typename List::value_type>
  void list(const List& values) {
    value(values.size());
    append(values.data(), values.size() * sizeof(typename List::value_type));
  }
  // A list whose elements are serialized one by one.
  template <class List>
  void each(List& values) {
    value(values.size());
    for (auto& element : values) element.serialize(*this);
  }

  Parcel take() { return std::exchange(bytes_, {}); }

 private:
  void append(const void* from, std::size_t size) {
    const auto* const first = static_cast<const std::byte*>(from);
    bytes_.insert(bytes_.end(), first, first + size);
  }

  Parcel bytes_;
};

// Reads what a ParcelWriter has written, by the same calls. Throws InvariantError if there is less.
class ParcelReader {
 public:
  static constexpr bool kReads = true;
  explicit ParcelReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <PlainBytes T>
  void value(T& value) {
    copy(&value, sizeof value);
  }
  template <PlainBytes T>
  void table(std::span<T> values) {
    copy(values.data(), values.size_bytes());
  }
  template <class List>
    requires PlainBytes<typename List::value_type>
  void list(List& values) {
    values.resize(size());
    copy(values.data(), values.size() * sizeof(typename List::value_type));
  }
  template <class List>
  void each(List& values) {
    values.resize(size());
    for (auto& element : values) element.serialize(*this);
  }

 private:
  std::size_t size() {
    std::size_t size = 0;
    value(size);
    return size;
  }
  void copy(void* to, std::size_t size) {
    if (size > rest_.size()) throw InvariantError("a message of another process is too short");
    if (size > 0) std::memcpy(to, rest_.data(), size);
    rest_ = rest_.subspan(size);
  }

  std::span<const std::byte> rest_;
};

}  // namespace headway
