// SPDX-License-Identifier: Apache-2.0
#include "headway/base/sparse_array.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace headway {
namespace {

struct FilledEntry {
  std::uint64_t number = 7;
  std::uint64_t other = 0;
};

TEST(SparseArray, EntriesBeginWithTheirDefaults) {
  SparseArray<FilledEntry> entries(1000);
  entries.make(10).other = 3;
  entries.make(999);
  EXPECT_EQ(entries[10].number, 7);
  EXPECT_EQ(entries[10].other, 3);
  EXPECT_EQ(entries[999].number, 7);
  EXPECT_EQ(entries.bytes(), 2 * sizeof(FilledEntry));
  EXPECT_EQ(SparseArray<FilledEntry>().bytes(), 0);
}

#ifdef __linux__
TEST(SparseArray, OnlyPagesOfMadeEntriesTakeMemory) {
  constexpr std::size_t kCount = (64 << 20) / sizeof(FilledEntry);
  SparseArray<FilledEntry> entries(kCount);
  for (std::size_t i = kCount / 2; i < kCount / 2 + 1000; ++i) entries.make(i);
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> resident(kCount * sizeof(FilledEntry) / page);
  ASSERT_EQ(::mincore(&entries[0], kCount * sizeof(FilledEntry), resident.data()), 0);
  const auto pages = std::ranges::count_if(resident, [](unsigned char word) { return (word & 1) != 0; });
  EXPECT_GT(pages, 0);
  EXPECT_LE(pages * page, 2 * kHugePage);
}
#endif

}  // namespace
}  // namespace headway
