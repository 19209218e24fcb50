// SPDX-License-Identifier: Apache-2.0
// The format that the writer and the reader of snapshots share (docs/snapshots.md).
#pragma once

#include <cstdint>
#include <numeric>
#include <string_view>

#include "headway/observe/snapshots.h"

namespace headway::snapshot_format {

inline constexpr std::string_view kName = "headway snapshots ";
inline constexpr std::string_view kMagic = "headway snapshots 1\n";
inline constexpr std::size_t kChunk = 1 << 16;

// Maps numbers of small absolute value to small unsigned numbers.
constexpr std::uint64_t zigzag(std::int64_t value) {
  return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

inline Snapshot empty_snapshot(const SnapshotHeader& header) {
  const std::uint32_t queues = std::accumulate(header.queues.begin(), header.queues.end(), 0U);
  Snapshot snapshot;
  for (const Track track : {Track::link, Track::lines}) snapshot[track].resize(header.graph_ports);
  for (const Track track :
       {Track::packets, Track::waiting, Track::root, Track::next, Track::hol, Track::victims})
    snapshot[track].resize(queues);
  for (const Track track : {Track::backlog, Track::sent, Track::received})
    snapshot[track].resize(header.nodes);
  return snapshot;
}

}  // namespace headway::snapshot_format
