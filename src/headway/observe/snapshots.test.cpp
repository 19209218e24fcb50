// SPDX-License-Identifier: Apache-2.0
#include "headway/observe/snapshots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <numeric>

#include "headway/config/assign.h"
#include "headway/observe/camera.h"
#include "headway/observe/snapshot_format.h"
#include "tests/support/dice.h"
#include "tests/support/hand_made.h"

namespace headway {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr std::uint32_t kPacket = 8;

Network tree_with(const char* scheme, std::uint32_t output_capacity) {
  NetworkOptions options;
  options.packet_bytes = kPacket;
  options.capacity = options.injection_capacity = 6;
  options.output_capacity = output_capacity;
  return test::network_of(choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 3}}), "det",
                          choose(schemes(), scheme), options);
}

Workload hot_spot(std::uint32_t nodes) {
  Workload workload = test::saturated(test::first_nodes(nodes), test::anywhere(nodes), kPacket, 5);
  workload.flows.push_back(workload.flows.front());
  workload.flows.back().destinations = test::always(3);
  for (NodeId node = 0; node < nodes; node += 2) workload.sources.push_back({node, 1});
  return workload;
}

// What the writer was given for one photograph.
struct Seen {
  Tick tick;
  Photograph photograph;
  std::map<std::uint32_t, Contents> contents;
};

struct Kept {
  std::string file;
  std::vector<Seen> seen;
};

Kept keep(const Network& network, Tick end = 600) {
  const Workload workload = hot_spot(network.nodes());
  const auto simulation = make_simulation(network, workload, {.seed = 1});
  Camera camera(network, 1);
  SnapshotWriter writer(network);
  Kept kept;
  for (Tick tick = 10; tick < end; tick += 31) {
    simulation->run_until(tick);
    const Photograph& photograph = camera.take(simulation->view());
    writer.add(photograph, *simulation, tick);
    kept.seen.push_back({tick, photograph, {}});
    for (const QueueSeen& queue : photograph.queues) {
      if (!is_for_room(queue.waiting)) continue;
      std::map<NodeId, std::uint32_t> counts;
      for (const PacketView& packet : simulation->view().packets(queue.queue)) ++counts[packet.destination];
      kept.seen.back().contents[queue.queue].assign(counts.begin(), counts.end());
    }
  }
  kept.file = writer.finish();
  return kept;
}

void expect_same(const Snapshot& now, const std::vector<Root>& roots, const Seen& seen) {
  EXPECT_EQ(now.tick, seen.tick);
  for (PortId port = 0; port < seen.photograph.links.size(); ++port)
    EXPECT_EQ(now[Track::link][port], static_cast<std::uint32_t>(seen.photograph.links[port]));
  std::uint64_t packets = 0, hol = 0, victims = 0;
  for (const QueueSeen& queue : seen.photograph.queues) {
    EXPECT_EQ(now[Track::packets][queue.queue], queue.packets);
    EXPECT_EQ(now[Track::waiting][queue.queue], static_cast<std::uint32_t>(queue.waiting));
    EXPECT_EQ(now[Track::next][queue.queue], queue.next == kNone ? 0 : queue.next + 1);
    EXPECT_EQ(now[Track::hol][queue.queue], queue.hol);
    EXPECT_EQ(now[Track::victims][queue.queue], queue.victims);
    const std::uint32_t root = now[Track::root][queue.queue];
    ASSERT_EQ(root > 0, is_for_room(queue.waiting));
    if (root > 0) EXPECT_EQ(roots.at(root - 1), seen.photograph.roots[queue.root].root);
    packets += queue.packets;
    hol += queue.hol;
    victims += queue.victims;
  }
  const auto sum = [&](Track track) {
    return std::accumulate(now[track].begin(), now[track].end(), std::uint64_t{0});
  };
  EXPECT_EQ(sum(Track::packets), packets);
  EXPECT_EQ(hol, seen.photograph.of(Waiting::hol));
  EXPECT_EQ(sum(Track::hol), hol);
  EXPECT_EQ(sum(Track::victims), victims);
  EXPECT_EQ(sum(Track::backlog), seen.photograph.of(Waiting::admittance));
  EXPECT_EQ(now.contents, seen.contents);
}

TEST(Snapshots, AreReadAsTheyWereTaken) {
  for (const char* scheme : {"1q", "obqa", "fbicm", "dbbm-unshared"})
    for (const std::uint32_t output_capacity : {0U, 4U}) {
      if (output_capacity > 0 && std::string(scheme) != "1q" && std::string(scheme) != "obqa") continue;
      SCOPED_TRACE(scheme);
      const Network network = tree_with(scheme, output_capacity);
      const Kept kept = keep(network);
      SnapshotReader reader(kept.file);
      EXPECT_EQ(reader.header().nodes, network.nodes());
      EXPECT_EQ(reader.now()[Track::packets].size(), network.queues);
      EXPECT_EQ(reader.header().queues.size(), network.ports.size());
      EXPECT_EQ(reader.header().capacity[0], network.ports[0].capacity);
      for (const Seen& seen : kept.seen) {
        ASSERT_TRUE(reader.next());
        expect_same(reader.now(), reader.roots(), seen);
      }
      EXPECT_FALSE(reader.next());
      EXPECT_FALSE(reader.roots().empty());
    }
}

// Links of 125 GB/s carry more than 2^32 bytes in 40 ms, and snapshots that are left out add up to more.
TEST(Snapshots, HoldMoreThan32Bits) {
  const SnapshotHeader header{
      .tick_ns = 1, .packet_bytes = 8, .nodes = 2, .graph_ports = 2, .queues = {0, 0}, .capacity = {0, 0}};
  constexpr std::uint64_t kMany = 5'000'000'000;
  SnapshotEncoder encoder(header);
  for (Tick tick = 1; tick <= 4; ++tick) {
    Snapshot snapshot = snapshot_format::empty_snapshot(header);
    snapshot.tick = tick;
    snapshot[Track::backlog] = {static_cast<std::uint64_t>(tick) * kMany, 0};
    snapshot[Track::sent] = {kMany, 1};
    snapshot[Track::received] = {tick % 2 == 0 ? 0 : kMany, 3};
    encoder.add(snapshot, {});
  }
  const std::string file = encoder.finish();
  SnapshotReader reader(file);
  for (std::uint64_t tick = 1; tick <= 4; ++tick) {
    ASSERT_TRUE(reader.next());
    EXPECT_EQ(reader.now()[Track::backlog], (std::vector<std::uint64_t>{tick * kMany, 0}));
    EXPECT_EQ(reader.now()[Track::sent], (std::vector<std::uint64_t>{kMany, 1}));
    EXPECT_EQ(reader.now()[Track::received], (std::vector<std::uint64_t>{tick % 2 == 0 ? 0 : kMany, 3}));
  }
  const std::string third = every_kth(file, 3);
  SnapshotReader fewer(third);
  ASSERT_TRUE(fewer.next() && fewer.next());
  EXPECT_EQ(fewer.now()[Track::sent], (std::vector<std::uint64_t>{3 * kMany, 3}));
  EXPECT_EQ(fewer.now()[Track::received], (std::vector<std::uint64_t>{kMany, 9}));
}

// The bytes that nodes receive add up to the counted bytes.
TEST(Snapshots, CountBytesBetweenThem) {
  const Network network = tree_with("1q", 0);
  const Workload workload = hot_spot(network.nodes());
  const auto simulation = make_simulation(network, workload, {.seed = 1});
  Camera camera(network, 1);
  SnapshotWriter writer(network);
  for (Tick tick = 50; tick <= 400; tick += 50) {
    simulation->run_until(tick);
    writer.add(camera.take(simulation->view()), *simulation, tick);
  }
  const std::string file = writer.finish();
  SnapshotReader reader(file);
  std::vector<std::uint64_t> received(network.nodes());
  while (reader.next())
    for (NodeId node = 0; node < network.nodes(); ++node)
      received[node] += reader.now()[Track::received][node];
  EXPECT_EQ(received, simulation->record().bytes_to);
}

std::size_t count_snapshots(std::string_view file) {
  SnapshotReader reader(file);
  std::size_t count = 0;
  while (reader.next()) ++count;
  return count;
}

TEST(Snapshots, SayWhatIsWrongWithAFile) {
  const std::string file = keep(tree_with("1q", 0)).file;
  EXPECT_GT(count_snapshots(file), 10U);
  const auto reading = [](std::string bytes) { return [bytes] { count_snapshots(bytes); }; };
  EXPECT_THAT(reading("PNG"), ThrowsMessage<BadSnapshots>(HasSubstr("not a file of snapshots")));
  EXPECT_THAT(reading(""), ThrowsMessage<BadSnapshots>(HasSubstr("not a file of snapshots")));
  std::string future = file;
  future.replace(future.find("1\n"), 1, "2");
  EXPECT_THAT(reading(future), ThrowsMessage<BadSnapshots>(HasSubstr("another version")));
  for (std::size_t size = 20; size < file.size(); size += 7)
    EXPECT_THAT(reading(file.substr(0, size)), ThrowsMessage<BadSnapshots>(HasSubstr("cut off"))) << size;
}

// A changed byte breaks the checksum, unless nothing depends on it.
TEST(Snapshots, RefuseAChangedByte) {
  const std::string file = keep(tree_with("1q", 0), 200).file;
  const std::size_t snapshots = count_snapshots(file);
  test::Dice dice(1);
  std::size_t refused = 0;
  for (int i = 0; i < 500; ++i) {
    std::string bytes = file;
    bytes[dice.from(20, static_cast<std::uint32_t>(bytes.size() - 1))] ^=
        static_cast<char>(1U << dice.from(0, 7));
    try {
      EXPECT_EQ(count_snapshots(bytes), snapshots);
    } catch (const BadSnapshots&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 490U);
}

// Meaningless numbers with a correct checksum are read or refused.
TEST(Snapshots, SurviveAnyNumbers) {
  constexpr std::size_t kMagic = 20;
  const std::string file = keep(tree_with("fbicm", 0), 200).file;
  std::string numbers(1 << 20, 0);
  uLongf size = numbers.size();
  ASSERT_EQ(uncompress(reinterpret_cast<Bytef*>(numbers.data()), &size,
                       reinterpret_cast<const Bytef*>(file.data() + kMagic), file.size() - kMagic),
            Z_OK);
  numbers.resize(size);
  test::Dice dice(2);
  std::size_t refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string changed = numbers;
    for (std::uint32_t left = dice.from(1, 3); left > 0; --left)
      changed[dice.from(0, static_cast<std::uint32_t>(size - 1))] = static_cast<char>(dice.from(0, 255));
    std::string bytes(compressBound(size), 0);
    uLongf length = bytes.size();
    ASSERT_EQ(compress(reinterpret_cast<Bytef*>(bytes.data()), &length,
                       reinterpret_cast<const Bytef*>(changed.data()), size),
              Z_OK);
    try {
      count_snapshots(file.substr(0, kMagic) + bytes.substr(0, length));
    } catch (const BadSnapshots&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000U);
}

}  // namespace
}  // namespace headway
