// SPDX-License-Identifier: Apache-2.0
// The parts of a network's and a simulation's memory add up to what was allocated for them.
#include "headway/engine/state_memory.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "headway/compile/build.h"
#include "headway/compile/load.h"
#include "headway/config/toml.h"
#include "headway/engine/packet.h"
#include "headway/engine/simulation.h"
#include "headway/engine/state.h"

namespace headway {
namespace {

// Bytes that the program has allocated; none if the allocator does not say so, as under sanitizers.
std::optional<double> allocated() {
#ifdef __GLIBC__
  const struct mallinfo2 info = mallinfo2();
  if (info.uordblks + info.hblkhd > 0) return static_cast<double>(info.uordblks + info.hblkhd);
#endif
  return std::nullopt;
}

EventSpec spec_in(const std::string& text) {
  return std::get<EventSpec>(load_experiment(parse_toml(text, "x")).points.front().spec());
}

// Small: large tables have addresses that they do not use, because large pages are aligned.
const std::string kTree = "network = { k = 4, n = 3 }\n";
const std::string kMemory = "[switch]\ninput_memory = \"512 B\"\n";
const std::string kCases[] = {
    kTree + kMemory,
    kTree + kMemory + "scheme = \"obqa\"\nqueues = 4\narchitecture = \"cioq\"\noutput_memory = \"512 B\"\n",
    kTree + "routing = { algorithm = \"adaptive\" }\n" + kMemory,
    "network = { topology = \"dragonfly\", p = 2, a = 4, h = 2 }\nrouting = { algorithm = \"minimal\" }\n" +
        kMemory,
};
// At load 1, messages wait. Their list has room that it does not use yet, which is not counted.
struct Load {
  std::string text;
  double tolerance;
};
const Load kLoads[] = {{"[[traffic.flow]]\nload = 0.3\n", 0.15}, {"[[traffic.flow]]\nload = 1.0\n", 0.2}};

TEST(StateMemory, IsWhatWasAllocated) {
  if (!allocated()) GTEST_SKIP();
  for (const std::string& network : kCases)
    for (const auto& [load, tolerance] : kLoads) {
      SCOPED_TRACE(network + load);
      const EventSpec spec = spec_in(network + load);
      const double before = *allocated();
      const Model model = build(spec);
      const auto simulation = make_simulation(model.network, model.workload, {});
      simulation->run_until(static_cast<Tick>(5000 / model.network.ns(1)));
      MemoryParts parts = model.network.memory();
      parts.add(simulation->memory());
      // packets have addresses from the system itself
      const auto said = static_cast<double>(parts.total() - parts.of(kPacketsPart));
      EXPECT_NEAR(said / (*allocated() - before), 1, tolerance);
    }
}

// The tables are shared, and each part of a run has its own events and sources.
TEST(StateMemory, CountsWhatThreadsShareOnce) {
  const EventSpec spec = spec_in("network = { k = 4, n = 4 }\n" + kLoads[0].text);
  const Model model = build(spec);
  const auto parts_of = [&](std::uint32_t threads) {
    const auto simulation =
        make_simulation(model.network, model.workload, {.threads = threads, .always_cut = true});
    EXPECT_EQ(simulation->threads(), threads);
    simulation->run_until(static_cast<Tick>(1000 / model.network.ns(1)));
    return simulation->memory();
  };
  const MemoryParts one = parts_of(1), two = parts_of(2);
  for (const char* shared : {"queues", "request lists"}) EXPECT_EQ(one.of(shared), two.of(shared));
  EXPECT_GT(two.of("sources"), one.of("sources"));
  EXPECT_NEAR(static_cast<double>(two.of(kPacketsPart)), static_cast<double>(one.of(kPacketsPart)),
              kBytesPerPacket * 4 * PacketMemory::kRange);
}

// Before there is traffic, the parts are those that a check expects.
TEST(StateMemory, IsWhatACheckExpects) {
  for (const std::string& network : kCases) {
    SCOPED_TRACE(network);
    const EventSpec spec = spec_in(network + "[[traffic.flow]]\nload = 0.3\n");
    const Model model = build(spec);
    for (const std::uint32_t threads : {1, 2, 8}) {
      const auto simulation =
          make_simulation(model.network, model.workload, {.threads = threads, .always_cut = true});
      EXPECT_EQ(simulation->threads(), threads);
      MemoryParts parts = model.network.memory();
      parts.add(simulation->memory());
      const auto taken = static_cast<double>(parts.total() - parts.of(kEventsPart));
      const Layout& layout = model.network.layout;
      const std::uint64_t events =
          layout.state_parts().of(kEventsPart) + (threads - 1) * layout.parts_of_thread().of(kEventsPart);
      const std::uint64_t expected = model.need.network + (threads - 1) * model.need.thread - events;
      EXPECT_NEAR(static_cast<double>(expected) / taken, 1, 0.05);
    }
  }
}

}  // namespace
}  // namespace headway
