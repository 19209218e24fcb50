// SPDX-License-Identifier: Apache-2.0
// Valid specs at random: every member of every family with small parameters, and every key that changes what
// a network does.
#pragma once

#include <cstdint>
#include <string>

#include "headway/spec/spec.h"

namespace headway::test {

struct RandomSpec {
  std::string description;
  EventSpec spec;
};

// The spec of this number; the same on every machine. At most 20 nodes.
RandomSpec random_spec(std::uint64_t number);
// Likewise, with lanes by service levels.
RandomSpec random_spec_with_service_levels(std::uint64_t number);
// As the first, but of this network.
RandomSpec random_spec(std::uint64_t number, const Choice<Topology>& topology,
                       const Choice<Routing>& routing);

}  // namespace headway::test
