// SPDX-License-Identifier: Apache-2.0
// The largest values of quantities in ticks, time, bytes and counts. Parameters take the limits of their
// ranges from here, so that docs/keys.md and docs/families.md show them; `headway check` compares the others,
// which depend on the network, with what a spec needs. Sums of a few of these values fit in 63 bits, so code
// that keeps to them need not check its arithmetic.
#pragma once

#include <cstdint>

namespace headway::limits {

// In ticks.
inline constexpr std::int64_t kTicksOfRun = 1LL << 42;  // warm-up and measured window, and every time in it
inline constexpr std::int64_t kTickAfterRuns = 1LL << 54;  // stands for all later ticks
inline constexpr std::int64_t kTicksOfHop =
    0x7fff'ffff;  // a link's delay, its time per byte, times of switches
// Mean time of a message on its link; a source with a load of 1 generates a message in this time, and
// MessageRate holds gaps of up to 2^39 ticks.
inline constexpr std::int64_t kTicksOfMessage = 1LL << 38;

// In nanoseconds: 46 days. Traces count picoseconds, of which this is less than 2^62.
inline constexpr double kTime = 4e15;
inline constexpr double kShortestBurst = 1,
                        kLongestBurst = 1e14;  // mean, of a synthetic trace: 1 ns to 28 hours

// In bytes, and bytes per nanosecond.
inline constexpr double kBytes = 1e13;       // of a memory, of a message
inline constexpr double kRate = 1e9;         // of a link: an exabyte per second
inline constexpr double kRateOfDisks = 1e6;  // a petabyte per second

// Counts.
inline constexpr double kSeed = 9e15;    // below 2^53, so that every reader of results keeps all digits
inline constexpr double kNumber = 1e9;   // number of a node or switch, before the network is known
inline constexpr double kWeight = 1e15;  // a factor in a sum
inline constexpr std::int64_t kPacketsOfMessage = 1'000'000'000;
inline constexpr std::int64_t kCopiesOfJob = 1000;
inline constexpr std::int64_t kRanks = 1 << 24;                 // of a job
inline constexpr std::uint64_t kProgramOps = (1ULL << 36) - 1;  // of a job; memory is often less
inline constexpr std::uint64_t kStoredOps = (1ULL << 31) - 1;   // of these, the ones that no rule gives
inline constexpr std::int64_t kSlowestMessages = 100'000;       // in the results
inline constexpr std::int64_t kBins = 10'000'000;
inline constexpr std::int64_t kPhotographs = 10'000'000;
inline constexpr std::int64_t kFairNodes = 2048;             // the fair share follows the path of every pair
inline constexpr std::uint32_t kFairNodesOfWaypoints = 128;  // the path over every waypoint, too
inline constexpr std::int64_t kPairNodes = 1024;             // the table has a row per pair
inline constexpr double kPairRows = 5e6;  // of pair-series: 160 MB, and the same again as text

}  // namespace headway::limits
