// SPDX-License-Identifier: Apache-2.0
// Numbers as text, in JSON and in comma-separated values.
#pragma once

#include <string>

namespace headway {

// Appends the fewest digits that read back as the same number, which must be finite.
void append_number(std::string& text, double number);

}  // namespace headway
