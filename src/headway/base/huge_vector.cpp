// SPDX-License-Identifier: Apache-2.0
#include "headway/base/huge_vector.h"

#include <cstdint>
#include <new>

#include "headway/base/together.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace headway {
namespace {

std::align_val_t alignment_of(std::size_t bytes, std::size_t alignment) {
  return std::align_val_t(bytes >= kHugePage ? kHugePage : alignment);
}

}  // namespace

void* new_block(std::size_t bytes, std::size_t alignment) {
  void* const block = ::operator new(bytes, alignment_of(bytes, alignment));
#ifdef __linux__
  // This is only advice; the memory is usable without it.
  if (bytes >= kHugePage) madvise(block, bytes, MADV_HUGEPAGE);
#endif
  return block;
}

void free_block(void* block, std::size_t bytes, std::size_t alignment) {
  ::operator delete(block, alignment_of(bytes, alignment));
}

// The system clears a page when it is first written, which takes half of the time to build a large network.
void take_pages([[maybe_unused]] void* block, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  constexpr std::size_t kPiece = 8 * kHugePage;
  if (bytes < 2 * kPiece || ThreadScope::current().threads == 1) return;
  together(static_cast<std::uint32_t>(bytes / kPiece), [&](std::uint32_t piece) {
    madvise(static_cast<char*>(block) + piece * kPiece, kPiece, MADV_POPULATE_WRITE);
  });
#endif
}

}  // namespace headway
