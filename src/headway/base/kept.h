// SPDX-License-Identifier: Apache-2.0
// A cache of values that several threads share. Each value is created once per key. The most recently
// requested values stay in the cache; older ones are freed when their last user releases them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace headway {

// A value is created empty; its users fill it, under its own lock. T::bytes() is the memory of a value, for
// the limit.
template <class T>
class Kept {
 public:
  // Keeps at most `most` values of at most `most_bytes` bytes in total, but always the last requested one.
  Kept(std::size_t most, std::uint64_t most_bytes) : most_(most), most_bytes_(most_bytes) {}

  std::shared_ptr<T> get(const std::string& key) {
    const std::scoped_lock lock(mutex_);
    std::erase_if(all_, [](const auto& entry) { return entry.second.expired(); });
    std::weak_ptr<T>& known = all_[key];
    std::shared_ptr<T> value = known.lock();
    if (value == nullptr) known = value = std::make_shared<T>();
    kept_.remove(value);
    kept_.push_front(value);
    trim();
    return value;
  }

  void keep_at_most(std::uint64_t bytes) {
    const std::scoped_lock lock(mutex_);
    most_bytes_ = bytes;
    trim();
  }

  std::uint64_t bytes() const {
    const std::scoped_lock lock(mutex_);
    return bytes_kept();
  }

 private:
  void trim() {
    while (kept_.size() > 1 && (kept_.size() > most_ || bytes_kept() > most_bytes_)) kept_.pop_back();
  }
  std::uint64_t bytes_kept() const {
    std::uint64_t bytes = 0;
    for (const auto& value : kept_) bytes += value->bytes();
    return bytes;
  }

  const std::size_t most_;
  mutable std::mutex mutex_;  // guards the members below
  std::uint64_t most_bytes_;
  std::map<std::string, std::weak_ptr<T>> all_;  // values in use
  std::list<std::shared_ptr<T>> kept_;           // most recently requested first
};

}  // namespace headway
