// SPDX-License-Identifier: Apache-2.0
// Random networks and traffic, far beyond what specs can express: any wiring that cannot deadlock, a rate and
// delay per link, parallel links, unconnected ports, any queue map, several flows at a node.
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
  Tick end;  // long enough for queues to fill, short enough for the reference simulator
};

// What a queue's memory consists of. With cells, the network has no rings.
enum class Memory : std::uint8_t { slots, cells };

// The case with this number; the same on every machine.
RandomCase random_case(std::uint64_t number, Memory memory = Memory::slots);
// With a random table as its queue map.
RandomCase random_table_case(std::uint64_t number, Memory memory = Memory::slots);
// A case with isolation: one path per pair, small thresholds, little memory, hot spots. Its sources stop at
// `end`, so that the network can be drained.
RandomCase random_isolation_case(std::uint64_t number, Memory memory = Memory::slots);
// A case with overflow queues.
RandomCase random_overflow_case(std::uint64_t number, Memory memory = Memory::slots);

}  // namespace headway::test
