// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace headway {

// How often a choice among outputs is made (docs/modelling.md, "Flowlets and messages").
enum class ChoosePer : std::uint8_t {
  packet,
  flowlet,  // by the first packet of a flow after a gap
  message,  // by the first packet of a message
};

}  // namespace headway
