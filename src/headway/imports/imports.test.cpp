// SPDX-License-Identifier: Apache-2.0
// Damaged configurations are imported or reported; they never do anything else.
#include "headway/imports/import.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "headway/base/error.h"

namespace headway::imports {
namespace {

const Source kBooksim{
    "a.cfg",
    "// a mesh\ntopology = mesh; k = 4; n = 2;\nrouting_function = dor; num_vcs = 4;\ntraffic = "
    "transpose; packet_size = 8; injection_rate = 0.01;\nsw_allocator = islip;\n"};
const Source kTopology{
    "a.topo",
    "Nodes 16\nTiers 2\nPodsize 16\nTier 0\nDownlink_speed_Gbps 100\nRadix_Down 4\nRadix_Up "
    "4\nDownlink_Latency_ns 5\nTier 1\nDownlink_speed_Gbps 100\nRadix_Down 4\nDownlink_Latency_ns 5\n"};
const Source kCaminos{
    "main.cfg",
    "Configuration { random_seed: ![1, 2], warmup: 10, measured: 90,\n topology: Torus { sides: [4, 4], "
    "servers_per_router: 1 },\n traffic: HomogeneousTraffic { pattern: Uniform, servers: 16, load: ![0.1, "
    "0.2], message_size: 4 },\n maximum_packet_size: 4, router: Basic { virtual_channels: 2, buffer_size: 16 "
    "},\n routing: DOR { order: [0, 1] }, link_classes: [LinkClass { delay: 1 }] }\n"};

// Cuts, doubles or replaces a piece of the text.
Source damaged(const Source& source, std::mt19937& random) {
  Source result = source;
  std::string& text = result.text;
  for (int changes = 1 + static_cast<int>(random() % 3); changes > 0 && !text.empty(); --changes) {
    const std::size_t at = random() % text.size(), length = random() % 12;
    const std::string piece = text.substr(at, length);
    switch (random() % 4) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(random() % text.size(), piece);
        break;
      case 2:
        text[at] = "0-9{}[]();=!,/*\"\n\xff"[random() % 18];
        break;
      default:
        text.replace(at, length, "99999999999999999999");
    }
  }
  return result;
}

TEST(Imports, OfDamagedFilesAreReported) {
  std::mt19937 random(1);
  int imported = 0, reported = 0;
  for (int round = 0; round < 1000; ++round)
    for (const auto& [simulator, source] : {std::pair{Simulator::booksim, kBooksim},
                                            {Simulator::htsim, kTopology},
                                            {Simulator::caminos, kCaminos}}) {
      const Source file = round == 0 ? source : damaged(source, random);
      try {
        EXPECT_FALSE(import_from(simulator, {file}, "a").spec.empty()) << file.text;
        ++imported;
      } catch (const SpecError& error) {
        EXPECT_NE(std::string(error.what()), "") << file.text;
        EXPECT_GT(round, 0) << error.what();
        ++reported;
      }
    }
  EXPECT_GT(imported, 30);
  EXPECT_GT(reported, 1000);
}

TEST(Imports, KnowTheSimulatorByTheFile) {
  EXPECT_EQ(simulator_of({kBooksim}), Simulator::booksim);
  EXPECT_EQ(simulator_of({kTopology}), Simulator::htsim);
  EXPECT_EQ(simulator_of({kCaminos}), Simulator::caminos);
  EXPECT_EQ(simulator_of({Source{"c.txt", "TOPOLOGY_FILE mix/topology.txt\n"}}), Simulator::hpcc);
  EXPECT_EQ(simulator_of({Source{"c.txt", "hello\n"}}), std::nullopt);
}

}  // namespace
}  // namespace headway::imports
