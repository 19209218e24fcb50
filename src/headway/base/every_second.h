// SPDX-License-Identifier: Apache-2.0
// Time series whose bins become twice as wide: of what is read at the start and at the end of every bin,
// every second reading stays.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace headway {

// The elements before `first` stay.
template <class T>
void keep_every_second(std::vector<T>& values, std::size_t first = 0) {
  std::size_t kept = first;
  for (std::size_t i = first; i < values.size(); i += 2) {
    if (i != kept) values[kept] = std::move(values[i]);
    ++kept;
  }
  if (kept < values.size()) values.resize(kept);
}

}  // namespace headway
