// SPDX-License-Identifier: Apache-2.0
// "Did you mean": the valid name that a mistyped one is nearest to. Distance: insertions, deletions,
// substitutions and swaps of neighbours (Damerau, "A technique for computer detection and correction of
// spelling errors", 1964), blind to case and to the difference between '-' and '_'.
#pragma once

#include <span>
#include <string_view>

namespace headway {

// The nearest candidate, the first of several; empty if none is near: a third of the letters may be wrong.
std::string_view nearest(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace headway
