// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "headway/selection/ask.h"

namespace headway {

class Parameters;

// More Credits: the port with the most credits over its virtual channels. Choice: among equal ports, the
// first one at or after a pointer of the switch, which moves to the output after the last chosen one, or at
// or after a random port. With credits for two packets nearly all ports are equal, and always taking the
// lowest one would be First Free.
struct MostCredits : PlainSelection {
  static constexpr std::string_view kName = "mc";
  static constexpr std::string_view kHelp = "the port with the most credits";
  static constexpr bool kUsesCredits = true;
  static std::uint32_t next_turn(std::uint32_t, std::uint32_t taken) { return taken + 1; }

  enum class Ties : std::uint8_t { rotate, random };
  Ties ties = Ties::rotate;
  void describe(Parameters& parameters);

  template <class Ask>
  std::uint32_t preferred(const Ask& ask) const {
    const std::uint32_t start = ties == Ties::random ? ask.drawn() : ask.turn % ask.candidates;
    std::uint32_t best = start;
    for (std::uint32_t step = 1; step < ask.candidates; ++step) {
      const std::uint32_t other = (start + step) % ask.candidates;
      if (ask.room(other) > ask.room(best)) best = other;
    }
    return best;
  }
};

}  // namespace headway
