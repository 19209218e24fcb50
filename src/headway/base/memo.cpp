// SPDX-License-Identifier: Apache-2.0
#include "headway/base/memo.h"

#include <utility>

namespace headway {

std::shared_ptr<Memo::Slot> Memo::slot(std::type_index type, const std::string& key,
                                       std::shared_ptr<Slot> (*make_slot)()) {
  const std::scoped_lock lock(mutex_);
  Shelf& shelf = shelves_[type];
  Entry& entry = shelf.entries[key];
  if (entry.kept) {
    shelf.order.splice(shelf.order.begin(), shelf.order, entry.turn);
    return entry.kept;
  }
  std::shared_ptr<Slot> found = entry.slot.lock();
  if (!found) entry.slot = found = make_slot();
  entry.kept = found;
  entry.turn = shelf.order.insert(shelf.order.begin(), &entry);
  shelf.bytes += found->bytes;
  trim(shelf);
  return found;
}

void Memo::weigh(std::type_index type, const std::string& key, Slot& slot, std::uint64_t bytes) {
  const std::scoped_lock lock(mutex_);
  Shelf& shelf = shelves_.at(type);
  slot.bytes = bytes;
  const auto entry = shelf.entries.find(key);
  if (entry == shelf.entries.end() || entry->second.kept.get() != &slot) return;
  shelf.bytes += bytes;
  trim(shelf);
}

void Memo::trim(Shelf& shelf) {
  while (shelf.order.size() > 1 && (shelf.order.size() > most_ || shelf.bytes > most_bytes_)) {
    Entry& last = *shelf.order.back();
    shelf.bytes -= last.kept->bytes;
    last.kept.reset();
    shelf.order.pop_back();
  }
  if (shelf.entries.size() > 2 * shelf.order.size() + 16)
    std::erase_if(shelf.entries, [](const auto& entry) { return entry.second.slot.expired(); });
}

void Memo::keep_at_most(std::uint64_t bytes) {
  const std::scoped_lock lock(mutex_);
  most_bytes_ = bytes;
  for (auto& [type, shelf] : shelves_) trim(shelf);
}

std::uint64_t Memo::bytes() const {
  const std::scoped_lock lock(mutex_);
  std::uint64_t bytes = 0;
  for (const auto& [type, shelf] : shelves_) bytes += shelf.bytes;
  return bytes;
}

}  // namespace headway
