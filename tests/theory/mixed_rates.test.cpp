// SPDX-License-Identifier: Apache-2.0
// Links of different rates: packets from slow links together fill a fast link, a fast link feeds slow ones at
// its own rate, and there are no victims (docs/modelling.md, "Devices" and "Grant").
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "headway/arbitration/arbiters.h"
#include "headway/compile/load.h"
#include "headway/config/assign.h"
#include "headway/config/toml.h"
#include "headway/run/run.h"
#include "test_paths.h"
#include "tests/support/columns.h"
#include "tests/support/dice.h"
#include "tests/support/sanitizer.h"

namespace headway {
namespace {

constexpr NodeId kSink = 3;

// Saturated sources of 0.5, 1 and 4 GB/s that send to a node of 2 GB/s.
EventSpec three_sources() {
  const std::string path = testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name();
  std::ofstream(path + ".txt") << "switch 0\n0 0\n1 1\n2 2\n3 3\n";
  std::ofstream(path + ".toml") << R"(
[[switch]]
[[node]]
at = "0"
rate = "0.5 GB/s"
[[node]]
at = "0"
[[node]]
at = "0"
rate = "4 GB/s"
[[node]]
at = "0"
rate = "2 GB/s"
)";
  EventSpec spec;
  spec.network.topology = choose(topologies(), "file", {{"file", path + ".toml"}});
  spec.routing.algorithm = choose(routings(), "table", {{"file", path + ".txt"}});
  spec.network.link = {Rate{1}, Duration{4}};
  spec.traffic.packet = Bytes{64};
  FlowSpec flow;
  flow.sources = {.kind = NodeSet::Kind::first, .first = 3};
  flow.pattern = choose(patterns(), "hotspot", {{"destination", std::int64_t{kSink}}});
  flow.arrivals = choose(arrival_processes(), "saturated");
  spec.traffic.flows = {flow};
  spec.measure.warmup = Duration{10'000};
  spec.measure.duration = Duration{100'000};
  spec.measure.tables.insert("fairness");
  return spec;
}

double at_sink(const Result& result, std::string_view name) {
  return test::column(result.table("per_destination"), name)[kSink];
}

TEST(MixedRates, SlowLinksFillAFastOne) {
  for (const ArbiterKind arbiter : {ArbiterKind::round_robin, ArbiterKind::oldest_first,
                                    ArbiterKind::oldest_injected, ArbiterKind::random})
    for (const Architecture architecture : {Architecture::iq, Architecture::cioq})
      for (const char* scheme : {"1q", "voqsw", "fbicm"}) {
        EventSpec spec = three_sources();
        spec.switches.arbiter = arbiter;
        spec.switches.architecture = architecture;
        spec.switches.scheme = choose(schemes(), scheme);
        if (spec.switches.scheme->isolation() && has_output_units(spec.switches)) continue;
        SCOPED_TRACE(testing::Message()
                     << name_of(arbiter) << ", " << name_of(architecture) << ", " << scheme);
        const Result result = run(spec);
        EXPECT_NEAR(at_sink(result, "accepted_load") / at_sink(result, "fair_share"), 1.0, 0.01);
        EXPECT_EQ(result.metric("victims"), 0);
      }
}

// With cut-through, packets from slow links hold the sink's link while they arrive.
TEST(MixedRates, SlowPacketsThatAreLetThroughHoldTheFastLink) {
  EventSpec spec = three_sources();
  spec.switches.slow_to_fast = Switching::cut_through;
  const Result result = run(spec);
  EXPECT_NEAR(at_sink(result, "accepted_load") / at_sink(result, "fair_share"), 0.75, 0.01);
  EXPECT_EQ(result.metric("victims"), 1);
}

constexpr Architecture kArchitectures[] = {Architecture::iq, Architecture::cioq};

EventSpec spec_of(Document document) {
  return std::get<EventSpec>(load_experiment(std::move(document)).points.front().spec());
}

// Two switches with four nodes of 1 GB/s each, and one link of 4 GB/s between them.
TEST(MixedRates, AFastLinkFeedsFourSlowNodes) {
  for (const Architecture architecture : kArchitectures) {
    EventSpec spec = spec_of(read_toml(kSourceDir + std::string("/tests/findings/mixed-rates.toml")));
    spec.switches.architecture = architecture;
    spec.switches.output_memory = Bytes{1 << 20};
    const Result result = run(spec, {.check = true});
    EXPECT_NEAR(result.metric("accepted_load"), result.metric("offered_load"), 0.01) << name_of(architecture);
    EXPECT_GT(result.metric("offered_load"), 0.89);
  }
}

// Writes a network file for the current test, and returns a spec over it: a queue per destination, so that no
// packet waits behind others for another node.
EventSpec over(const std::string& network, std::string_view pattern, Architecture architecture, double load) {
  const std::string path =
      testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + ".toml";
  std::ofstream(path) << network;
  return spec_of(parse_toml(fmt::format(R"([network]
topology = "file"
file = "{}"
link = {{ rate = "1 GB/s", delay = "10 ns" }}
[routing]
algorithm = "up-down"
[switch]
architecture = "{}"
output_memory = "1 MiB"
scheme = "voqnet"
input_memory = "1 MiB"
[traffic]
packet = "1 KiB"
[[traffic.flow]]
pattern = "{}"
load = {:.6f}
[measure]
warmup = "200 us"
duration = "1 ms"
tables = ["per-link"]
)",
                                        path, name_of(architecture), pattern, load),
                            "spec.toml"));
}

// Four leaves with four nodes of 1 GB/s each, and one link to each of two spines.
std::string leaves_and_spines(int rate_between_switches) {
  std::string text;
  for (const char* const name : {"l0", "l1", "l2", "l3", "s0", "s1"})
    text += fmt::format("[[switch]]\nname = \"{}\"\n", name);
  for (int leaf = 0; leaf < 4; ++leaf) {
    text += fmt::format("[[node]]\nat = \"l{}\"\ncount = 4\n", leaf);
    for (int spine = 0; spine < 2; ++spine)
      text += fmt::format("[[link]]\nends = [\"l{}\", \"s{}\"]\nrate = \"{} GB/s\"\n", leaf, spine,
                          rate_between_switches);
  }
  return text;
}

TEST(MixedRates, LinksBetweenSwitchesTwiceAsFastCarryTwiceAsMuch) {
  for (const Architecture architecture : kArchitectures) {
    const double once =
        run(over(leaves_and_spines(1), "complement", architecture, 1)).metric("accepted_load");
    const double twice =
        run(over(leaves_and_spines(2), "complement", architecture, 1)).metric("accepted_load");
    EXPECT_NEAR(once, 0.5, 0.01) << name_of(architecture);
    EXPECT_NEAR(twice, 1.0, 0.02) << name_of(architecture);
  }
}

// Two to six switches in any connected graph, with one to four nodes each. Every link has one of the rates.
std::string any_network(test::Dice& dice, const std::vector<const char*>& rates) {
  const std::uint32_t switches = dice.from(2, 6);
  const auto rate = [&] {
    return fmt::format("rate = \"{}\"\n", rates[dice.from(0, static_cast<std::uint32_t>(rates.size()) - 1)]);
  };
  std::string text;
  for (std::uint32_t sw = 0; sw < switches; ++sw) text += fmt::format("[[switch]]\nname = \"s{}\"\n", sw);
  for (std::uint32_t sw = 0; sw < switches; ++sw)
    for (std::uint32_t node = dice.from(1, 4); node > 0; --node)
      text += fmt::format("[[node]]\nat = \"s{}\"\n{}", sw, rate());
  const auto link = [&](std::uint32_t a, std::uint32_t b) {
    text += fmt::format("[[link]]\nends = [\"s{}\", \"s{}\"]\n{}", a, b, rate());
  };
  for (std::uint32_t sw = 1; sw < switches; ++sw) link(sw, dice.from(0, sw - 1));
  for (std::uint32_t more = dice.from(0, switches); more > 0; --more) {
    const std::uint32_t a = dice.from(0, switches - 1);
    link(a, (a + dice.from(1, switches - 1)) % switches);
  }
  return text;
}

// The load at which the traffic takes all of some link of its routes, at most 1.
double most_of_routes(const EventSpec& spec) {
  const Result result = run(spec);
  double largest = 0;
  for (const double demand : test::column(result.table("per_link"), "demand"))
    if (!std::isnan(demand)) largest = std::max(largest, demand);
  return std::min(1.0, spec.traffic.flows.front().load.points.front().load / largest);
}

// At 95 % of what the routes carry, at least 93 % of what is offered arrives, also in networks of one rate,
// whose input-queued switches lose up to 5 %. When inputs were read at the rates of outputs, it was 75 % in
// some networks of two and three rates.
TEST(MixedRates, NetworksCarryWhatTheirRoutesDo) {
  constexpr double kPart = 0.95, kLeast = 0.93;
  const std::vector<const char*> rates[] = {
      {"1 GB/s"}, {"1 GB/s", "2 GB/s"}, {"1 GB/s", "4 GB/s"}, {"1 GB/s", "2 GB/s", "4 GB/s"}};
  for (std::uint64_t number = 0; number < 48 / test::kOneIn; ++number) {
    test::Dice dice(number);
    const std::string network = any_network(dice, rates[number % 4]);
    const char* const pattern = dice.one_in(2) ? "uniform" : "complement";
    const Architecture architecture = kArchitectures[number / 4 % 2];
    const double load = kPart * most_of_routes(over(network, pattern, architecture, 0.01));
    const Result result = run(over(network, pattern, architecture, load));
    EXPECT_GE(result.metric("accepted_load") / result.metric("offered_load"), kLeast)
        << number << ": " << pattern << ", " << name_of(architecture) << ", load " << load << '\n'
        << network;
  }
}

}  // namespace
}  // namespace headway
