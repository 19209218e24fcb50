// SPDX-License-Identifier: Apache-2.0
// Throughput of dragonflies and HyperX under worst-case traffic. Minimal routing has only the links between
// two groups or switches. Valiant spreads the traffic over all others and carries it twice. UGAL achieves the
// better of both (Kim et al., ISCA 2008, section 4.2; Ahn et al., SC 2009, section 4).
#include <gtest/gtest.h>

#include <string>

#include "headway/config/toml.h"
#include "headway/run/run.h"
#include "headway/spec/read_spec.h"

namespace headway {
namespace {

double accepted(const std::string& network, const std::string& routing, const std::string& pattern,
                const std::string& load = "1.0") {
  Mistakes mistakes;
  const std::string text = "[network]\n" + network + "\n[routing]\n" + routing + R"(
[switch]
architecture = "cioq"
crossbar_speedup = 2
output_memory = "4 KiB"
input_memory = "48 KiB"
[measure]
warmup = "40 us"
duration = "40 us"
[[traffic.flow]]
load = )" + load +
                           "\npattern = " + pattern;
  const EventSpec spec = std::get<EventSpec>(read_spec(parse_toml(text, "x"), mistakes).spec);
  mistakes.throw_if_any();
  return run(spec).metric("accepted_load");
}

const std::string kDragonfly = "topology = \"dragonfly\"\np = 2\na = 4\nh = 2";
const std::string kNextGroup = "\"next-group\"\nsize = 8";

TEST(WorstCase, MinimalRoutingInADragonflyHasOneLinkForAGroup) {
  EXPECT_NEAR(accepted(kDragonfly, "algorithm = \"minimal\"", kNextGroup), 1.0 / 8, 0.002);
}

TEST(WorstCase, DetoursInADragonflyCarryNearlyHalf) {
  for (const char* routing : {"algorithm = \"valiant\"", "algorithm = \"ugal\"",
                              "algorithm = \"ugal\"\nknowledge = \"global\"", "algorithm = \"par\""}) {
    const double carried = accepted(kDragonfly, routing, kNextGroup);
    EXPECT_GT(carried, 0.4) << routing;
    EXPECT_LT(carried, 0.56) << routing;  // a few packets go directly
  }
}

TEST(UniformTraffic, TakesDetoursOnlyWithValiant) {
  const double minimal = accepted(kDragonfly, "algorithm = \"minimal\"", "\"uniform\"");
  EXPECT_GT(minimal, 0.8);
  EXPECT_LT(accepted(kDragonfly, "algorithm = \"valiant\"", "\"uniform\""), 0.56);
  for (const char* routing : {"algorithm = \"ugal\"", "algorithm = \"par\""})
    EXPECT_GT(accepted(kDragonfly, routing, "\"uniform\""), 0.95 * minimal) << routing;
}

// 8 switches, fully connected, with 8 nodes each; balanced under uniform traffic. The 8 nodes of a switch
// share one link to the next switch.
TEST(WorstCase, OfAHyperX) {
  const std::string hyperx = "topology = \"hyperx\"\nsides = [8]\nnodes_per_switch = 8";
  const std::string next = "\"next-group\"\nsize = 8";
  EXPECT_NEAR(accepted(hyperx, "algorithm = \"dor\"", next), 1.0 / 8, 0.002);
  // 6 of a switch's 7 links lead to waypoints. Each carries a sixth of the first halves of its own switch's
  // paths and a sixth of the second halves of another switch's: 2 * 8 / 6 of a node's load
  const double valiant = accepted(hyperx, "algorithm = \"valiant\"", next);
  EXPECT_LT(valiant, 6.0 / 16);
  EXPECT_GT(valiant, 0.95 * 6.0 / 16);
  // direct packets use the seventh link, too
  const double ugal = accepted(hyperx, "algorithm = \"ugal\"", next);
  EXPECT_GT(ugal, valiant);
  EXPECT_LT(ugal, 6.0 / 16 + 1.0 / 8);
}

// Under dimension-order routing, transposition sends all packets of a row around one corner; adaptive routing
// avoids this. Uniform traffic is balanced by dimension order already (Dally and Towles, "Principles and
// practices of interconnection networks", 2004, sections 10.1 and 25.2).
TEST(MinimalAdaptive, SpreadsTransposition) {
  for (const std::string network :
       {"topology = \"mesh\"\nsides = [8, 8]", "topology = \"torus\"\nsides = [8, 8]"}) {
    const auto carried = [&](const char* routing, const char* pattern) {
      return accepted(network, routing, pattern, "0.9");
    };
    const char* const kAdaptive = "algorithm = \"adaptive\"\nselection = \"mc\"";
    EXPECT_GT(carried(kAdaptive, "\"transpose\""), 1.5 * carried("algorithm = \"dor\"", "\"transpose\""))
        << network;
    EXPECT_GT(carried(kAdaptive, "\"uniform\""), 0.85 * carried("algorithm = \"dor\"", "\"uniform\""))
        << network;
  }
}

}  // namespace
}  // namespace headway
