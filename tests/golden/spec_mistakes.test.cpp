// SPDX-License-Identifier: Apache-2.0
// A spec with ten different mistakes: all ten are reported at once, in the order of the file, with line and
// column and the valid values.
#include <gtest/gtest.h>

#include "headway/base/error.h"
#include "headway/compile/load.h"
#include "headway/config/toml.h"
#include "tests/support/names.h"

namespace headway {
namespace {

constexpr std::string_view kSpec = R"(seeds = 0

[network]
topology = "k-ary-n-tree"
k = 4
n = 3
link = { rate = "1 GB/s", delay = "4 parsec" }

[routing]
algorithm = "dett"

[switch]
scheme = "1q"
queues = 4
arbitre = "random"
input_memory = "32 B"

[node]
admittance = "lifo"

[traffic]
packet = 64

[[traffic.flow]]
pattern = "hotspot"
load = "high"

[[traffic.flow]]
sources = "most"

[measre]
duration = "1 ms"
)";

constexpr std::string_view kMistakes =
    R"(my.toml:1:9: seeds: 0 is out of range; at least 1, at most 1000000
my.toml:7:35: network.link.delay: "4 parsec" is not a time; write a number and one of ps, ns, us, ms, s, for example "4 ns"
my.toml:10:13: routing.algorithm: "dett" is not a valid value; did you mean "det"? valid: ROUTINGS
my.toml:14:1: switch.queues: scheme "1q" has no such parameter; OWNERS have it
my.toml:15:1: switch.arbitre: unknown key; did you mean "arbiter"?
my.toml:19:14: node.admittance: "lifo" is not a valid value; did you mean "fifo"? valid: "per-destination" or "fifo"
my.toml:22:10: traffic.packet: 64 has no unit; write a unit, for example "4 KiB"
my.toml:26:8: traffic.flow[0].load: must be a number, not "high"; at least 0
my.toml:29:11: traffic.flow[1].sources: "most" is not a valid choice of nodes; "all", or a table with one of fraction, first, nodes, random, rest, such as { first = 8 }
my.toml:31:2: measre: unknown key; did you mean "measure"?)";

constexpr std::string_view kPhysics = R"(
[network]
link = { rate = "1 GB/s", delay = "0 ns" }
[switch]
scheme = "obqa"
queues = 4
input_memory = "128 B"
[node]
admittance_limit = "32 B"
injection_memory = "63 B"
[[traffic.flow]]
sources = { nodes = [0, 256] }
pattern = "hotspot"
destination = 256
load = 1.5
[[traffic.flow]]
sources = { first = 300 }
start = "2 us"
stop = "1 us"
[[traffic.flow]]
start = "1 ms"
[measure]
warmup = "0 us"
duration = "100 us"
)";

constexpr std::string_view kImpossible =
    R"(my.toml:3:35: network.link.delay: a hop takes no time, because link delay and routing delay are both 0; one of them must be above 0
my.toml:7:16: switch.input_memory: 128 B over 4 queues is 32 B each, less than a packet of 64 B; at least 256 B
my.toml:9:20: node.admittance_limit: 32 B cannot hold a message of 64 B; at least 64 B
my.toml:10:20: node.injection_memory: 63 B over 4 queues is 15 B each, less than a packet of 64 B; at least 256 B
my.toml:12:11: traffic.flow[0].sources: node 256 is outside the network; nodes are 0 to 255
my.toml:14:15: traffic.flow[0].destination: node 256 is outside the network; nodes are 0 to 255
my.toml:15:8: traffic.flow[0].load: 1.5 is more than "poisson" arrivals can generate; at most 1: the load cannot exceed the rate of the link
my.toml:17:11: traffic.flow[1].sources: the first 300 nodes do not exist; the network has 256 nodes
my.toml:19:8: traffic.flow[1].stop: 1 us is not after the start, 2 us
my.toml:21:9: traffic.flow[2].start: 1 ms is after the end of the run; the run ends at 100 us, warmup + duration)";

std::string mistakes_of(std::string_view text) {
  try {
    load_experiment(parse_toml(text, "my.toml"));
  } catch (const SpecError& error) {
    return error.what();
  }
  return "";
}

TEST(SpecMistakes, AreReportedAllAtOnce) {
  std::string mistakes(kMistakes);
  mistakes.replace(mistakes.find("ROUTINGS"), 8, test::names_of(routings()));
  mistakes.replace(mistakes.find("OWNERS"), 6, test::owners_of("queues", schemes()));
  EXPECT_EQ(mistakes_of(kSpec), mistakes);
  EXPECT_EQ(mistakes_of(kPhysics), kImpossible);
}

}  // namespace
}  // namespace headway
