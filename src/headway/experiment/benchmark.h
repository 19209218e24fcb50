// SPDX-License-Identifier: Apache-2.0
// The fixed cases by which the speed of the event-driven kernel is known: fat-trees of 64 to 65,536 nodes,
// two loads, five queueing schemes. The unit is a packet-hop: one packet crossing one switch; generation,
// injection and delivery are charged to the hops.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headway/experiment/spec.h"

namespace headway {

struct Benchmark {
  std::string name;  // "4-ary-4-tree obqa-4 0.5"
  Spec spec;         // warmup and duration are long enough for a steady number
};

struct BenchmarkResult {
  std::uint32_t nodes = 0;
  std::uint32_t ports = 0;  // of switches
  std::uint64_t packet_hops = 0;
  double cpu_s = 0;         // of the measured duration
  double ns_per_hop = 0;    // median over parts of it
  std::uint64_t bytes = 0;  // of memory, at the most; 0 where the system does not tell
  std::uint64_t trace_hash = 0;
};

// In ascending order of size. `quick` leaves out 65,536 nodes and measures a quarter of the time; names say so.
std::vector<Benchmark> benchmarks(bool quick);

BenchmarkResult run(const Benchmark& benchmark);

}  // namespace headway
