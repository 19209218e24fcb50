// SPDX-License-Identifier: Apache-2.0
// "Did you mean": the valid name closest to a mistyped one, by the edits that make one from the other
// (insert, delete, replace a letter, swap two neighbours: optimal string alignment, Damerau 1964).
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace headway {

// The candidate that takes fewest edits (the first of several), if they are few for the word's length; case
// does not count. A word that begins exactly one candidate means that one.
std::optional<std::string_view> nearest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace headway
