// SPDX-License-Identifier: Apache-2.0
// FNV-1a, 64 bits (http://www.isthe.com/chongo/tech/comp/fnv): the same on all machines and in all releases.
// It distinguishes contents and detects every change of a single byte; it is not cryptographic.
#pragma once

#include <cstdint>
#include <string_view>

namespace headway {

inline constexpr std::uint64_t kHashOfNothing = 0xcbf2'9ce4'8422'2325ULL;

// The hash of two texts in sequence: `before` is the hash of the first one, `text` is the second one.
constexpr std::uint64_t hash_of(std::string_view text, std::uint64_t before = kHashOfNothing) {
  for (const char c : text) before = (before ^ static_cast<unsigned char>(c)) * 0x100'0000'01b3ULL;
  return before;
}

}  // namespace headway
