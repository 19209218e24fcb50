// SPDX-License-Identifier: Apache-2.0
// Photographs kept for pictures of a run (observe.keep): the state of every link, queue and node in each, as
// a compact file. snapshot_format.h describes the format.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/base/deflate.h"
#include "headway/engine/simulation.h"
#include "headway/observe/photograph.h"

namespace headway {

// Numbers in a snapshot for every port of the graph, every queue, or every node; the order is that of the
// file.
enum class Track : std::uint8_t {
  link,      // [port] LinkTime
  lines,     // [port] lines of isolation in use
  packets,   // [queue]
  waiting,   // [queue] Waiting of the head; 0 if it is empty
  root,      // [queue] number, from 1, of the root for which it lacks room; 0: none
  next,      // [queue] 1 + the queue in which the head needs room; 0: none
  hol,       // [queue] packets in head-of-line blocking
  victims,   // [queue] packets
  backlog,   // [node] generated packets that are not yet in an injection queue
  sent,      // [node] bytes since the snapshot before
  received,  // [node] bytes since the snapshot before
};
inline constexpr std::size_t kTracks = 11;

// Packets of a queue by destination, in the order of destinations.
using Contents = std::vector<std::pair<NodeId, std::uint32_t>>;

struct Snapshot {
  Tick tick = 0;
  std::array<std::vector<std::uint64_t>, kTracks> tracks;
  // [queue] packets by destination, of queues whose heads lack room.
  std::map<std::uint32_t, Contents> contents;

  std::vector<std::uint64_t>& operator[](Track track) { return tracks[static_cast<std::size_t>(track)]; }
  const std::vector<std::uint64_t>& operator[](Track track) const {
    return tracks[static_cast<std::size_t>(track)];
  }
};

// The network as snapshots number it.
struct SnapshotHeader {
  double tick_ns = 0;
  std::uint32_t packet_bytes = 0;
  std::uint32_t nodes = 0;
  std::uint32_t graph_ports = 0;
  // [port] of the graph, then of output units: queues of its input side, and packets that fit in each.
  std::vector<std::uint32_t> queues;
  std::vector<std::uint32_t> capacity;
};

// Writes snapshots to a file.
class SnapshotEncoder {
 public:
  explicit SnapshotEncoder(const SnapshotHeader& header);

  // `roots`: all roots so far, those of earlier snapshots first.
  void add(const Snapshot& now, std::span<const Root> roots);
  std::string finish();  // returns the file; nothing can be added afterwards

 private:
  void put(std::uint64_t value);  // in a variable number of bytes (LEB128)
  void write_changes(const std::vector<std::uint64_t>& before, const std::vector<std::uint64_t>& now);
  void write_contents(const Snapshot& now);
  void write_changes(const Contents& before, const Contents& now);

  Deflate stream_;
  std::string pending_, out_;  // before and after compression
  Snapshot before_;
  std::size_t roots_ = 0;  // roots written
};

// Makes snapshots of photographs, and writes them.
class SnapshotWriter {
 public:
  explicit SnapshotWriter(const Network& network);

  void add(const Photograph& photograph, const Simulation& simulation, Tick now);
  std::string finish() { return out_.finish(); }

 private:
  std::uint32_t number_of(const Root& root);

  const Network& network_;
  SnapshotEncoder out_;
  Snapshot now_;
  std::map<Root, std::uint32_t> numbers_;             // of roots, from 1
  std::vector<Root> roots_;                           // [number - 1]
  std::vector<std::uint64_t> bytes_from_, bytes_to_;  // [node] until the snapshot before
  std::vector<std::uint32_t> crowded_;                // queues whose heads lack room
  std::array<std::vector<WaitingPacket>, StateView::kQueuesAtOnce> packets_;
};

// Thrown if the bytes are not a file of snapshots, are damaged, or have another version.
class BadSnapshots : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Reads snapshots in their order.
class SnapshotReader {
 public:
  explicit SnapshotReader(std::string_view file);  // throws BadSnapshots

  const SnapshotHeader& header() const { return header_; }
  bool next();  // false at the end; throws BadSnapshots
  const Snapshot& now() const { return now_; }
  const std::vector<Root>& roots() const { return roots_; }  // [number - 1] so far

 private:
  std::uint64_t number();
  std::uint32_t number_below(std::uint64_t limit);
  std::uint32_t place(std::uint64_t& next, std::uint64_t limit);
  void read_changes(std::vector<std::uint64_t>& track);
  void read_contents();
  void read_contents(std::uint32_t queue);
  void change(std::uint64_t& value, std::uint64_t most);

  std::string bytes_;
  std::size_t at_ = 0;
  SnapshotHeader header_;
  Snapshot now_;
  std::vector<Root> roots_;
};

// Returns the file with only every k-th snapshot, from the first on. The bytes that nodes sent and received
// in between are added up. Throws BadSnapshots.
std::string every_kth(std::string_view file, std::size_t k);

}  // namespace headway
