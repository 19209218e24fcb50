// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "headway/observe/snapshot_format.h"
#include "headway/observe/snapshots.h"

namespace headway {

using namespace snapshot_format;

namespace {

SnapshotHeader header_of(const Network& network) {
  SnapshotHeader header{.tick_ns = network.tick.ns.to_double(),
                        .packet_bytes = network.packet_bytes,
                        .nodes = network.nodes(),
                        .graph_ports = network.layout.graph_ports,
                        .queues = {},
                        .capacity = {}};
  for (const Port& port : network.ports) {
    header.queues.push_back(port.queues);
    header.capacity.push_back(port.capacity);
  }
  return header;
}

}  // namespace

SnapshotEncoder::SnapshotEncoder(const SnapshotHeader& header)
    : out_(kMagic), before_(empty_snapshot(header)) {
  put(std::bit_cast<std::uint64_t>(header.tick_ns));
  put(header.packet_bytes);
  put(header.nodes);
  put(header.graph_ports);
  put(header.queues.size());
  for (const std::uint32_t queues : header.queues) put(queues);
  for (const std::uint32_t capacity : header.capacity) put(capacity);
}

void SnapshotEncoder::add(const Snapshot& now, std::span<const Root> roots) {
  put(static_cast<std::uint64_t>(now.tick - before_.tick));
  put(roots.size() - roots_);
  for (; roots_ < roots.size(); ++roots_) {
    put(static_cast<std::uint64_t>(roots[roots_].kind));
    put(roots[roots_].port);
  }
  for (std::size_t track = 0; track < kTracks; ++track)
    write_changes(before_.tracks[track], now.tracks[track]);
  write_contents(now);
  before_ = now;
}

std::string SnapshotEncoder::finish() {
  stream_.add(pending_, out_);
  stream_.finish(out_);
  return std::move(out_);
}

void SnapshotEncoder::put(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) pending_.push_back(static_cast<char>(value | 0x80));
  pending_.push_back(static_cast<char>(value));
  if (pending_.size() <= kChunk) return;
  stream_.add(pending_, out_);
  pending_.clear();
}

// Writes the number of changed values; then, for each, the number of unchanged values before it and its
// difference.
void SnapshotEncoder::write_changes(const std::vector<std::uint64_t>& before,
                                    const std::vector<std::uint64_t>& now) {
  std::uint64_t changes = 0;
  for (std::size_t i = 0; i < now.size(); ++i) changes += now[i] != before[i] ? 1 : 0;
  put(changes);
  std::size_t next = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (now[i] == before[i]) continue;
    put(i - next);
    put(zigzag(static_cast<std::int64_t>(now[i] - before[i])));
    next = i + 1;
  }
}

// Writes the queues whose contents have changed, with the changes by destination. A queue without changes is
// no longer kept.
void SnapshotEncoder::write_contents(const Snapshot& now) {
  static const Contents kNothing;
  std::map<std::uint32_t, Contents> changed;
  for (const auto& [queue, contents] : before_.contents)
    if (!now.contents.contains(queue)) changed[queue];
  for (const auto& [queue, contents] : now.contents) {
    const auto before = before_.contents.find(queue);
    const Contents& then = before == before_.contents.end() ? kNothing : before->second;
    if (then != contents) changed[queue] = contents;
  }
  put(changed.size());
  std::uint32_t next = 0;
  for (const auto& [queue, contents] : changed) {
    put(queue - next);
    next = queue + 1;
    const auto before = before_.contents.find(queue);
    write_changes(before == before_.contents.end() ? kNothing : before->second, contents);
  }
}

void SnapshotEncoder::write_changes(const Contents& before, const Contents& now) {
  if (now.empty()) return put(0);
  std::map<NodeId, std::int64_t> changes;
  for (const auto& [destination, packets] : before) changes[destination] -= packets;
  for (const auto& [destination, packets] : now) changes[destination] += packets;
  std::erase_if(changes, [](const auto& change) { return change.second == 0; });
  put(changes.size());
  NodeId next = 0;
  for (const auto& [destination, change] : changes) {
    put(destination - next);
    put(zigzag(change));
    next = destination + 1;
  }
}

SnapshotWriter::SnapshotWriter(const Network& network)
    : network_(network),
      out_(header_of(network)),
      now_(empty_snapshot(header_of(network))),
      bytes_from_(network.nodes()),
      bytes_to_(network.nodes()) {}

void SnapshotWriter::add(const Photograph& photograph, const Simulation& simulation, Tick now) {
  const StateView view = simulation.view();
  now_.tick = now;
  for (std::vector<std::uint64_t>& track : now_.tracks) std::ranges::fill(track, 0);
  crowded_.clear();
  for (PortId port = 0; port < network_.layout.graph_ports; ++port) {
    now_[Track::link][port] = static_cast<std::uint64_t>(photograph.links[port]);
    if (view.isolation() != nullptr && !network_.graph.is_node_port(port))
      now_[Track::lines][port] = view.isolation()->active_lines(port);
  }
  for (const QueueSeen& seen : photograph.queues) {
    now_[Track::packets][seen.queue] = seen.packets;
    now_[Track::waiting][seen.queue] = static_cast<std::uint64_t>(seen.waiting);
    const bool room = is_for_room(seen.waiting);
    if (room && seen.root != kNone)
      now_[Track::root][seen.queue] = number_of(photograph.roots[seen.root].root);
    now_[Track::next][seen.queue] = seen.next == kNone ? 0 : seen.next + 1;
    now_[Track::hol][seen.queue] = seen.hol;
    now_[Track::victims][seen.queue] = seen.victims;
    if (room) crowded_.push_back(seen.queue);
  }
  for (NodeId node = 0; node < network_.nodes(); ++node) {
    const std::uint64_t from = view.bytes_sent(network_.adapter_port(node));
    const std::uint64_t to = simulation.record().bytes_to[node];
    now_[Track::backlog][node] = photograph.admittance_at[node];
    now_[Track::sent][node] = from - bytes_from_[node];
    now_[Track::received][node] = to - bytes_to_[node];
    bytes_from_[node] = from;
    bytes_to_[node] = to;
  }
  now_.contents.clear();
  const std::span<const std::uint32_t> crowded(crowded_);
  for (std::size_t first = 0; first < crowded.size(); first += packets_.size()) {
    const auto together = crowded.subspan(first, std::min(packets_.size(), crowded.size() - first));
    view.packets(together, packets_);
    for (std::size_t i = 0; i < together.size(); ++i) {
      std::map<NodeId, std::uint32_t> counts;
      for (const WaitingPacket& packet : packets_[i]) ++counts[packet.destination];
      now_.contents.emplace(together[i], Contents(counts.begin(), counts.end()));
    }
  }
  out_.add(now_, roots_);
}

std::uint32_t SnapshotWriter::number_of(const Root& root) {
  const auto [found, fresh] = numbers_.try_emplace(root, static_cast<std::uint32_t>(roots_.size() + 1));
  if (fresh) roots_.push_back(root);
  return found->second;
}

std::string every_kth(std::string_view file, std::size_t k) {
  SnapshotReader reader(file);
  SnapshotEncoder out(reader.header());
  constexpr Track kSums[] = {Track::sent, Track::received};
  Snapshot kept;
  for (std::size_t i = 0; reader.next(); ++i) {
    const Snapshot& now = reader.now();
    Snapshot sums = std::exchange(kept, now);
    for (const Track track : kSums)
      for (std::size_t node = 0; node < sums[track].size(); ++node) kept[track][node] += sums[track][node];
    if (i % k != 0) continue;
    out.add(kept, reader.roots());
    for (const Track track : kSums) std::ranges::fill(kept[track], 0);
  }
  return out.finish();
}

}  // namespace headway
