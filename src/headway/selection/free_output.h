// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace headway {

// When an output can be chosen (docs/modelling.md, "Choose").
enum class FreeOutput : std::uint8_t {
  room_credit,   // room behind the crossbar and a credit of the link; the crossbar may be busy
  spare_credit,  // in addition, more credits of the link than packets in the output queue
  now,           // in addition, the packet can be transferred at once
};

}  // namespace headway
