// SPDX-License-Identifier: Apache-2.0
// A memo of values that are made once for each key, and that several threads share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <typeindex>
#include <unordered_map>

namespace headway {

// The values of each type are kept apart, so that many small ones do not displace a large one. A value that
// is displaced is freed when its last user releases it; until then, it is found again.
class Memo {
 public:
  // Keeps at most `most_bytes` bytes of each type, but always the last requested value.
  explicit Memo(std::uint64_t most_bytes = 256 << 20, std::size_t most = 1000)
      : most_bytes_(most_bytes), most_(most) {}

  // The value of this type with this key. If it is new, `make()` returns it, while other threads that request
  // it wait. T::bytes() is its memory.
  template <class T, class Make>
  std::shared_ptr<const T> get(const std::string& key, Make&& make) {
    const std::shared_ptr<Slot> found = slot(typeid(T), key, &new_slot<T>);
    auto& mine = static_cast<SlotOf<T>&>(*found);
    const std::scoped_lock lock(mine.making);
    if (!mine.value) {
      mine.value.emplace(make());
      weigh(typeid(T), key, mine, mine.value->bytes());
    }
    return {found, &*mine.value};
  }

  void keep_at_most(std::uint64_t bytes);
  std::uint64_t bytes() const;  // of the values that are kept

 private:
  struct Slot {
    virtual ~Slot() = default;
    std::mutex making;
    std::uint64_t bytes = 0;  // guarded by mutex_
  };
  template <class T>
  struct SlotOf : Slot {
    std::optional<T> value;
  };
  template <class T>
  static std::shared_ptr<Slot> new_slot() {
    return std::make_shared<SlotOf<T>>();
  }
  struct Entry {
    std::weak_ptr<Slot> slot;
    std::shared_ptr<Slot> kept;        // null: displaced
    std::list<Entry*>::iterator turn;  // in the order of its shelf, if it is kept
  };
  struct Shelf {
    std::unordered_map<std::string, Entry> entries;
    std::list<Entry*> order;  // those that are kept, the last requested first
    std::uint64_t bytes = 0;  // of those that are kept
  };

  std::shared_ptr<Slot> slot(std::type_index type, const std::string& key,
                             std::shared_ptr<Slot> (*make_slot)());
  void weigh(std::type_index type, const std::string& key, Slot& slot, std::uint64_t bytes);
  void trim(Shelf& shelf);

  mutable std::mutex mutex_;  // guards the members below
  std::uint64_t most_bytes_;
  const std::size_t most_;  // values of a type
  std::map<std::type_index, Shelf> shelves_;
};

}  // namespace headway
