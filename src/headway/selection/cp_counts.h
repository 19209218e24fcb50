// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace headway {

// Which packets move the counter of Cyclic Priority at their switch.
enum class CpCounts : std::uint8_t {
  chosen,  // those that it has given an output
  routed,  // in addition, those that have only one
};

}  // namespace headway
