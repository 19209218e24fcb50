// SPDX-License-Identifier: Apache-2.0
// Large networks: fat-trees and dragonflies of 4096 to 1,048,576 nodes at load 0.5. How long it takes to
// build them and to simulate them, and what they take in memory, part by part.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headway/base/memory_parts.h"
#include "headway/spec/spec.h"

namespace headway {

struct LargeNetwork {
  std::string name;  // "32-ary 4-tree obqa-8"
  EventSpec spec;
};

struct LargeResult {
  std::uint32_t nodes = 0;
  double build_s = 0;        // of the wall clock: check, network, and state of the simulation
  double microsecond_s = 0;  // of the wall clock, for a simulated microsecond
  double ns_per_hop = 0;     // processor time of all threads
  std::uint64_t trace_hash = 0;
  MemoryParts memory;          // of the network and of its simulation
  std::uint64_t expected = 0;  // total of `memory`, as expected before it is built
  std::uint64_t resident = 0;  // peak of the process, without what it had before
};

// In ascending order of size.
std::vector<LargeNetwork> large_networks();

// The memory that the network and its simulation are expected to take.
std::uint64_t expected_memory(const EventSpec& spec, std::uint32_t threads);

// Simulates for a microsecond and a half on up to this many threads, and measures the last half.
LargeResult run(const LargeNetwork& network, std::uint32_t threads);

}  // namespace headway
