// SPDX-License-Identifier: Apache-2.0
#include "headway/base/huge_vector.h"

#include <algorithm>
#include <cstdint>

#include "headway/base/together.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace headway {

void prepare_block(void* block, std::size_t bytes) {
#ifdef __linux__
  // This is only advice; the memory is usable without it.
  madvise(block, bytes, MADV_HUGEPAGE);
#ifdef MADV_POPULATE_WRITE
  // The system clears a page when it is first written, which takes half of the time to build a large network.
  constexpr std::size_t kPiece = 8 * kHugePage;
  if (bytes < 2 * kPiece || ThreadScope::current().threads == 1) return;
  together(static_cast<std::uint32_t>(bytes / kPiece), [&](std::uint32_t piece) {
    madvise(static_cast<char*>(block) + piece * kPiece, kPiece, MADV_POPULATE_WRITE);
  });
#endif
#endif
}

}  // namespace headway
