// SPDX-License-Identifier: Apache-2.0
// The wirings of banyan multistage networks by name: the links between stages, and the digit of the
// destination by which each stage routes. All are isomorphic and have one path for every pair of input and
// output.
//
// Sources: Lawrie, "Access and alignment of data in an array processor", 1975 (omega); Patel, "Performance of
// processor-memory interconnections", 1981 (delta); Siegel and McMillen, "The multistage cube", 1981
// (generalised cube); Pease, "The indirect binary n-cube", 1977; Wu and Feng, "On a class of multistage
// interconnection networks", 1980 (baseline).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace headway {

inline constexpr std::uint32_t kMaxFan = 64;  // inputs or outputs of a switch
inline constexpr std::uint32_t kMostMultistageNodes = 1U << 16;

struct WiringName {
  std::string_view name;
  std::string_view help;
  std::string_view source;
  bool rectangular;  // also for switches with unequal numbers of inputs and outputs
};
std::span<const WiringName> wirings();

// a^stages inputs, b^stages outputs, stages of a x b switches. Stages and digits count from 0, digit 0 is the
// most significant one of the destination.
struct Banyan {
  std::uint32_t fan_in = 2;   // a
  std::uint32_t fan_out = 2;  // b
  std::uint32_t stages = 0;
  // link_to[0][input] is an input position (switch * a + port) of stage 0; link_to[i][switch * b + port] the
  // input position of stage i that an output of stage i-1 leads to; link_to[stages][...] the network output.
  std::vector<std::vector<std::uint32_t>> link_to;
  // [stage]: the destination's digit (base b) that selects the output port
  std::vector<std::uint32_t> digit_of;

  std::uint32_t inputs() const { return static_cast<std::uint32_t>(link_to.front().size()); }
  std::uint32_t outputs() const { return static_cast<std::uint32_t>(link_to.back().size()); }
  std::uint32_t switches(std::uint32_t stage) const {
    return static_cast<std::uint32_t>(link_to[stage].size()) / fan_in;
  }
  // The output port of a stage for a destination.
  std::uint32_t port(std::uint32_t stage, std::uint32_t destination) const;
};

// Throws std::invalid_argument for an unknown wiring, or one that needs a = b.
Banyan make_banyan(std::string_view wiring, std::uint32_t fan_in, std::uint32_t fan_out,
                   std::uint32_t stages);

// Number of layers of every stage if the last stage has `last` layers and each earlier stage half as many, at
// least one. The number of links doubles where it increases, as in the multi-layer paper, section III.A.
std::vector<std::uint32_t> doubling_layers(std::uint32_t stages, std::uint32_t last);

// n with base^n == value, or 0 if there is none. base >= 2.
std::uint32_t exact_log(std::uint32_t base, std::uint64_t value);

}  // namespace headway
