// SPDX-License-Identifier: Apache-2.0
// The sanitizer that the tests are built with. gcc and clang report it in different ways.
#pragma once

#include <cstdint>

namespace headway::test {

#if defined(__has_feature)
inline constexpr bool kAddressSanitizer = __has_feature(address_sanitizer);
inline constexpr bool kThreadSanitizer = __has_feature(thread_sanitizer);
#else
#ifdef __SANITIZE_ADDRESS__
inline constexpr bool kAddressSanitizer = true;
#else
inline constexpr bool kAddressSanitizer = false;
#endif
#ifdef __SANITIZE_THREAD__
inline constexpr bool kThreadSanitizer = true;
#else
inline constexpr bool kThreadSanitizer = false;
#endif
#endif

// Under the address sanitizer, a case takes about ten times as long. Tests of many cases then run one case in
// seven. Seven is prime, so a nested loop is not always at the same value.
inline constexpr std::uint32_t kOneIn = kAddressSanitizer ? 7 : 1;

}  // namespace headway::test
