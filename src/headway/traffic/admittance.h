// SPDX-License-Identifier: Apache-2.0
// How generated messages wait at their node: in a queue per destination, or in one for all.
#pragma once

#include <cstdint>

namespace headway {

enum class Admittance : std::uint8_t { per_destination, fifo };

}  // namespace headway
