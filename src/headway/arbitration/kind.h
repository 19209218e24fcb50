// SPDX-License-Identifier: Apache-2.0
// Which arbiter a network has: its number in the list of arbiters (arbiters.h), which also has the names.
#pragma once

#include <cstdint>

namespace headway {

// In the order of the list. Arbiters that no code names need no enumerator.
enum class ArbiterKind : std::uint8_t { round_robin, oldest_first, oldest_injected, random };

}  // namespace headway
