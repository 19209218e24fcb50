// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <bit>
#include <limits>
#include <span>

#include "headway/base/deflate.h"
#include "headway/observe/snapshot_format.h"
#include "headway/observe/snapshots.h"

namespace headway {

using namespace snapshot_format;

namespace {

constexpr std::uint64_t kMostUncompressed = 1ULL << 30;  // bytes
constexpr std::uint64_t kMostOfATrack = 1ULL << 53;      // the script of the page reads doubles

[[noreturn]] void damaged() { throw BadSnapshots("the file of snapshots is damaged"); }

std::string inflated(std::string_view file) {
  if (!file.starts_with(kMagic)) {
    if (file.starts_with(kAnyVersion))
      throw BadSnapshots("snapshots of another version of Headway; this one reads version 1");
    throw BadSnapshots("not a file of snapshots");
  }
  file.remove_prefix(kMagic.size());
  Inflate stream(Wrapper::zlib);
  std::span<const char> left(file);
  std::string bytes;
  std::array<char, kChunk> room;
  while (stream.state() == Inflate::State::within && bytes.size() <= kMostUncompressed) {
    const std::size_t count = stream.read(left, room);
    bytes.append(room.data(), count);
    if (count == 0 && left.empty()) break;
  }
  if (bytes.size() > kMostUncompressed) throw BadSnapshots("snapshots of more than 1 GiB");
  if (stream.state() == Inflate::State::within) throw BadSnapshots("the file of snapshots is cut off");
  if (stream.state() == Inflate::State::damaged) damaged();
  return bytes;
}

}  // namespace

SnapshotReader::SnapshotReader(std::string_view file) : bytes_(inflated(file)) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  header_.tick_ns = std::bit_cast<double>(number());
  header_.packet_bytes = number_below(kMost);
  header_.nodes = number_below(kMost);
  header_.graph_ports = number_below(kMost);
  // every port takes at least one byte of the file
  const std::uint32_t ports = number_below(bytes_.size());
  if (header_.graph_ports > ports || header_.nodes > ports) damaged();
  std::uint64_t queues = 0;
  for (std::uint32_t port = 0; port < ports; ++port) {
    header_.queues.push_back(number_below(1U << 16));
    queues += header_.queues.back();
  }
  for (std::uint32_t port = 0; port < ports; ++port) header_.capacity.push_back(number_below(1U << 16));
  if (queues >= kNone) damaged();
  now_ = empty_snapshot(header_);
}

bool SnapshotReader::next() {
  if (at_ == bytes_.size()) return false;
  now_.tick += static_cast<Tick>(number() & static_cast<std::uint64_t>(INT64_MAX) >> 1);
  for (std::uint64_t fresh = number(); fresh > 0; --fresh) {
    const auto kind = static_cast<RootKind>(number_below(kRootKinds));
    roots_.push_back({kind, number_below(header_.graph_ports)});
  }
  for (std::vector<std::uint64_t>& track : now_.tracks) read_changes(track);
  read_contents();
  return true;
}

void SnapshotReader::read_changes(std::vector<std::uint64_t>& track) {
  std::uint64_t next = 0;
  for (std::uint64_t left = number(); left > 0; --left)
    change(track[place(next, track.size())], kMostOfATrack);
}

void SnapshotReader::read_contents() {
  const std::uint64_t queues = now_[Track::packets].size();
  std::uint64_t next = 0;
  for (std::uint64_t changes = number(); changes > 0; --changes) read_contents(place(next, queues));
}

void SnapshotReader::read_contents(std::uint32_t queue) {
  const std::uint32_t changes = number_below(header_.nodes + 1ULL);
  if (changes == 0) {
    now_.contents.erase(queue);
    return;
  }
  Contents& contents = now_.contents[queue];
  std::map<NodeId, std::uint64_t> counts(contents.begin(), contents.end());
  std::uint64_t next = 0;
  for (std::uint32_t left = changes; left > 0; --left) change(counts[place(next, header_.nodes)], UINT32_MAX);
  std::erase_if(counts, [](const auto& count) { return count.second == 0; });
  contents.clear();
  for (const auto& [destination, packets] : counts)
    contents.emplace_back(destination, static_cast<std::uint32_t>(packets));
}

// Reads how many places are left out before the next one that is below the limit.
std::uint32_t SnapshotReader::place(std::uint64_t& next, std::uint64_t limit) {
  const std::uint64_t place = next + number_below(limit);
  if (place >= limit) damaged();
  next = place + 1;
  return static_cast<std::uint32_t>(place);
}

// Reads a difference and adds it to a value.
void SnapshotReader::change(std::uint64_t& value, std::uint64_t most) {
  const std::int64_t difference = unzigzag(number());
  if (difference < -static_cast<std::int64_t>(value)) damaged();
  if (difference > static_cast<std::int64_t>(most - value)) damaged();
  value += static_cast<std::uint64_t>(difference);
}

std::uint64_t SnapshotReader::number() {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (at_ == bytes_.size()) throw BadSnapshots("the file of snapshots is cut off");
    const auto byte = static_cast<unsigned char>(bytes_[at_++]);
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) return value;
  }
  damaged();
}

std::uint32_t SnapshotReader::number_below(std::uint64_t limit) {
  const std::uint64_t value = number();
  if (value >= limit) damaged();
  return static_cast<std::uint32_t>(value);
}

}  // namespace headway
