// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace headway {

// Local output ports of one switch: none, one (`first`), or several, which RouteTable::port returns one by
// one.
struct PortRange {
  std::uint16_t first = 0;
  std::uint16_t count = 0;
  friend bool operator==(const PortRange&, const PortRange&) = default;
};

}  // namespace headway
