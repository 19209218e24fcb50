// SPDX-License-Identifier: Apache-2.0
// The cost of lists of destinations that are stored as fields of a switch's routing table, with one entry per
// destination. Source: FBICM (HiPC 2008), section 3.3, "List-of-Destinations Implementation".
//
// The paper's example (1024 nodes, 8-port switches, 8 CFQs per port) says 3 KB without and 83 KB with these
// fields, and prints widths of 3, 4, 32 and 8 bits. By its own definitions the widths are 3, 8, 64 and 8, 83
// bits in all, and the sizes 3 and 83 K*bit*, 384 and 10,624 bytes; 4 and 32 bits would be those of 4 CFQs
// and give 47. Only the ratio, 27.7, is right as printed.
#pragma once

#include <bit>
#include <cstdint>

namespace headway {

// Bits of one entry.
struct TableEntry {
  std::uint64_t output_port = 0;        // OP: which of the switch's ports
  std::uint64_t lines_at_output = 0;    // CLOP: a bit per CAM line of that output port
  std::uint64_t lines_at_inputs = 0;    // CLIP: a bit per CAM line of every input port
  std::uint64_t notification_sent = 0;  // NSB: a bit per input port

  constexpr std::uint64_t bits() const {
    return output_port + lines_at_output + lines_at_inputs + notification_sent;
  }
};

constexpr TableEntry routing_entry(std::uint64_t ports) {
  return {.output_port = static_cast<std::uint64_t>(std::bit_width(ports - 1))};
}

constexpr TableEntry isolation_entry(std::uint64_t ports, std::uint64_t cfqs) {
  return {routing_entry(ports).output_port, cfqs, ports * cfqs, ports};
}

}  // namespace headway
