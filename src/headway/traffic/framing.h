// SPDX-License-Identifier: Apache-2.0
// How messages are cut into packets, and how many bytes a packet takes on a link and in a memory: its frame
// is its part of the message, its header and, if that is too short, padding.
#pragma once

#include <algorithm>
#include <cstdint>

namespace headway {

class SizeDistribution;

// A message in packets. All but the last have full payloads.
struct PacketsOfMessage {
  std::uint32_t packets = 1;
  std::uint32_t last = 0;  // bytes of the message in the last one
  friend bool operator==(const PacketsOfMessage&, const PacketsOfMessage&) = default;
};

struct Framing {
  std::uint32_t payload = 64;  // most bytes of a message in a packet
  std::uint32_t header = 0;    // bytes
  std::uint32_t least = 0;     // bytes of a frame; at most those of a full one

  PacketsOfMessage cut(std::uint64_t bytes) const {
    const std::uint64_t before_last = bytes == 0 ? 0 : (bytes - 1) / payload;
    return {static_cast<std::uint32_t>(before_last) + 1,
            static_cast<std::uint32_t>(bytes - before_last * payload)};
  }
  std::uint32_t frame(std::uint32_t bytes) const { return std::max(bytes + header, least); }
  std::uint32_t full_frame() const { return payload + header; }
  // Bytes of all frames of a message.
  std::uint64_t frames(const PacketsOfMessage& message) const {
    return std::uint64_t{message.packets - 1} * full_frame() + frame(message.last);
  }
  std::uint64_t frames(std::uint64_t bytes) const { return frames(cut(bytes)); }
  // Bytes of the message itself.
  std::uint64_t payload_of(const PacketsOfMessage& message) const {
    return std::uint64_t{message.packets - 1} * payload + message.last;
  }
  // The mean over the messages, exactly.
  double mean_frames(const SizeDistribution& sizes) const;
  // If frames are only as long as what they carry.
  bool is_bare() const { return header == 0 && least <= 1; }
  friend bool operator==(const Framing&, const Framing&) = default;
};

}  // namespace headway
