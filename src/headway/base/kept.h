// SPDX-License-Identifier: Apache-2.0
// Values that many may share and that are made once: whoever asks for a key gets the value that is there.
// Those that were asked for last are kept for the next to ask; the others go when nobody uses them any more.
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

// T is made empty; whoever gets one fills it, under a lock of its own. T::bytes() says what it takes then.
template <class T>
class Kept {
 public:
  // Keeps at most this many values, of at most so many bytes altogether; the last one whatever it takes.
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
  mutable std::mutex mutex_;  // guards what follows
  std::uint64_t most_bytes_;
  std::map<std::string, std::weak_ptr<T>> all_;  // that are in use
  std::list<std::shared_ptr<T>> kept_;           // the last one asked for first
};

}  // namespace headway
