// SPDX-License-Identifier: Apache-2.0
// Numbers as text, in JSON and in comma-separated values.
#pragma once

#include <cstddef>
#include <string>

namespace headway {

// The fewest digits that read back as the same number, which must be finite.
void append_number(std::string& text, double number);

// Writes them at `to`, which has room for kMostDigits, and returns their end. `is_whole` says whether they
// contain neither a point nor an exponent.
inline constexpr std::size_t kMostDigits = 24;
char* write_number(char* to, double number, bool& is_whole);

}  // namespace headway
