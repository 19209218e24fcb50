// SPDX-License-Identifier: Apache-2.0
// The format that the writer and the reader of snapshots share.
//
// The file begins with the text "headway snapshots 1" and a line feed, followed by a zlib stream (RFC 1950).
// The number is the version of the format; files of other versions are rejected. The uncompressed stream is a
// sequence of non-negative integers in LEB128: seven bits per byte, the lowest first, with the highest bit
// set in all bytes but the last. A change is a signed integer c: 2c if c is not negative, otherwise -2c - 1.
//
// Header:
//   the bits of a 64-bit floating-point number: the length of a tick in ns
//   bytes of a full packet; number of nodes; number of ports of the graph; total number of ports P (those of
//   the graph, then those of the output units of CIOQ switches)
//   P numbers: the number of queues at the input side of every port
//   P numbers: the number of packets that fit into each of these queues (with a pooled memory: into all of
//   them together)
// Each snapshot:
//   ticks since the previous snapshot (for the first snapshot: since 0)
//   the number of new roots; for each of them, its kind (0 link, 1 crossbar, 2 input, 3 window, 4 cycle,
//   5 receiver, 6 limiter, 7 outage) and its port, as in the table roots. Roots are numbered from 1 in this
//   order the tracks, one after the other the contents of queues
//
// A track has a value for every port of the graph, every queue or every node. All values are 0 before the
// first snapshot. The file contains only the values that differ from the previous snapshot: first their
// number, then two numbers for each: the number of indices skipped since the previous changed value, and the
// change.
//
//   link      port   class of the link that leaves it: 0 busy, 1 feedback, 2 unwanted, 3 starved, 4 lost_hol,
//                    5 lost_input, 6 lost_room, 7 throttled, 8 down
//   lines     port   lines of isolation (CFQs or SAQs) in use
//   packets   queue  packets in it
//   waiting   queue  class of its head: 2 room, 3 output, 4 serial, 5 input, 8 paused; 0 if it is empty
//   root      queue  number of the root because of which its head lacks room; 0: none
//   next      queue  number of the queue in which its head needs room, plus 1; 0: none
//   hol       queue  packets in head-of-line blocking
//   victims   queue  packets that wait for a root that they do not cross
//   backlog   node   packets that are generated and not yet in an injection queue
//   sent      node   bytes that the node has sent since the previous snapshot
//   received  node   bytes that the node has received since the previous snapshot
//
// Contents are the numbers of packets by destination, for queues whose heads lack room: the number of queues
// whose contents differ from the previous snapshot; for each of these queues, the number of queues skipped
// since the previous changed queue, and the number of destinations whose packets have changed (0: the
// contents of the queue are no longer stored); directly behind them, for each of these destinations, the
// number of destinations skipped since the previous one, and the change.
//
// Ports and queues are numbered as in the table per_link: first the ports of the switches, then those of the
// nodes. The queues of a port follow those of the previous port.
#pragma once

#include <cstdint>
#include <numeric>
#include <string_view>

#include "headway/observe/snapshots.h"

namespace headway::snapshot_format {

inline constexpr std::string_view kAnyVersion = "headway snapshots ";
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
