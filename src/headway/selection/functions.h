// SPDX-License-Identifier: Apache-2.0
// The selection functions: which of its candidates a packet prefers. Source: Gilabert et al., Euro-Par 2006,
// section 4.
#pragma once

#include "headway/selection/ask.h"

namespace headway {

// First Free: the first candidate. The first links fill before the others are used.
struct Ff {
  static constexpr SelectionKind kKind = SelectionKind::ff;
  static constexpr bool kReadsAddresses = false;

  template <class Ask>
  static std::uint32_t preferred(const Ask& ask) {
    static_cast<void>(ask);
    return 0;
  }
};

// Static Switch Priority: the digit of its stage in the switch's own number. Each switch of the first stage
// has its own upward path.
struct Ssp {
  static constexpr SelectionKind kKind = SelectionKind::ssp;
  static constexpr bool kReadsAddresses = true;

  template <class Ask>
  static std::uint32_t preferred(const Ask& ask) {
    return ask.own_digit();
  }
};

// Static Destination Priority: the lowest digit of the destination's number, the same in every stage, so that
// paths to destinations with other lowest digits are disjoint.
struct Sdp {
  static constexpr SelectionKind kKind = SelectionKind::sdp;
  static constexpr bool kReadsAddresses = true;

  template <class Ask>
  static std::uint32_t preferred(const Ask& ask) {
    return ask.lowest_digit(ask.destination);
  }
};

// Static Origin Priority: the lowest digit of the source's number, the same in every stage.
struct Sop {
  static constexpr SelectionKind kKind = SelectionKind::sop;
  static constexpr bool kReadsAddresses = true;

  template <class Ask>
  static std::uint32_t preferred(const Ask& ask) {
    return ask.lowest_digit(ask.source);
  }
};

// Stage And Destination Priority: the stage's digit of the destination's number, so that a switch of the last
// stage receives destinations that differ only in the highest digit, and forwards each on its own down link.
// Without the search for another link this is DET.
struct Sadp {
  static constexpr SelectionKind kKind = SelectionKind::sadp;
  static constexpr bool kReadsAddresses = true;

  template <class Ask>
  static std::uint32_t preferred(const Ask& ask) {
    return ask.digit_of_stage(ask.destination);
  }
};

// Cyclic Priority: a counter of the switch that advances with every routed packet. Choice: it advances with
// every packet that finds an output, and not with a failed search.
struct Cp {
  static constexpr SelectionKind kKind = SelectionKind::cp;
  static constexpr bool kReadsAddresses = false;

  template <class Ask>
  static std::uint32_t preferred(const Ask& ask) {
    return ask.turn % ask.candidates;
  }
};

// More Credits: the port with the most credits over its virtual channels. Choice: among equal ports, the
// first one at or after a pointer of the switch, which moves to the output after the last chosen one, or at
// or after a random port. With credits for two packets nearly all ports are equal, and always taking the
// lowest one would be First Free.
struct Mc {
  static constexpr SelectionKind kKind = SelectionKind::mc;
  static constexpr bool kReadsAddresses = false;

  template <class Ask>
  static std::uint32_t preferred(const Ask& ask) {
    const std::uint32_t start = ask.rule.random_ties ? ask.drawn() : ask.turn % ask.candidates;
    std::uint32_t best = start;
    for (std::uint32_t step = 1; step < ask.candidates; ++step) {
      const std::uint32_t other = (start + step) % ask.candidates;
      if (ask.room(other) > ask.room(best)) best = other;
    }
    return best;
  }
};

// Random Priority: a random candidate, drawn once per packet and switch.
struct Rp {
  static constexpr SelectionKind kKind = SelectionKind::rp;
  static constexpr bool kReadsAddresses = false;

  template <class Ask>
  static std::uint32_t preferred(const Ask& ask) {
    return ask.drawn();
  }
};

}  // namespace headway
