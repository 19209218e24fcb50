// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace headway {

// What a head does that finds none of its candidates free (docs/modelling.md, "Choose").
enum class NoneFree : std::uint8_t {
  wait,       // it chooses again when a candidate can have become free
  preferred,  // it keeps to the candidate that it prefers, and waits until this one is free
};

}  // namespace headway
