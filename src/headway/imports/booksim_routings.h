// SPDX-License-Identifier: Apache-2.0
// The routing functions of BookSim 2 that have a counterpart.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace headway::imports {

struct BooksimRouting {
  std::string_view topology;  // of BookSim
  std::string_view name;      // of BookSim
  std::string_view algorithm;
  std::int64_t lanes;  // of the algorithm in Headway
  std::string_view note = {};
};

std::span<const BooksimRouting> booksim_routings();

}  // namespace headway::imports
