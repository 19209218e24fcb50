// SPDX-License-Identifier: Apache-2.0
// Admittance queues of a node: one per destination, or one for all.
#pragma once

#include <cstdint>

namespace headway {

enum class Admittance : std::uint8_t { per_destination, fifo };

}  // namespace headway
