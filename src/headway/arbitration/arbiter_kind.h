// SPDX-License-Identifier: Apache-2.0
// How a free output chooses the input that it serves (docs/modelling.md, "Arbitrate").
#pragma once

#include <cstdint>

namespace headway {

// Ages count from the arrival at the switch (oldest_first) or from the injection into the network.
enum class ArbiterKind : std::uint8_t { round_robin, oldest_first, oldest_injected, random };

}  // namespace headway
