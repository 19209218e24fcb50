// SPDX-License-Identifier: Apache-2.0
// Networks and traffic at random, far outside what specs can say: any wiring that cannot deadlock, every link
// with a rate and delay of its own, parallel links, unconnected ports, any queue map, several flows at a
// node.
#pragma once

#include <cstdint>
#include <string>

#include "headway/engine/network.h"
#include "headway/engine/workload.h"

namespace headway::test {

struct RandomCase {
  std::string description;
  Network network;
  Workload workload;
  Tick end;  // long enough for queues to fill, short enough for the naive simulator
};

// The case of this number; the same on every machine.
RandomCase random_case(std::uint64_t number);
RandomCase random_table_case(std::uint64_t number);  // with any table as its queue map
// One with isolation of congested flows: one path per pair, small thresholds, little memory, hot spots. Its
// sources stop at `end`, so that it can be drained.
RandomCase random_isolation_case(std::uint64_t number);
// One with queues that destinations own, and overflow queues.
RandomCase random_overflow_case(std::uint64_t number);

}  // namespace headway::test
