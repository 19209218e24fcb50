// SPDX-License-Identifier: Apache-2.0
// Meshes, tori, HyperX, dragonflies and slim flies accept the load that the busiest link of their routing
// permits. A link that carries g times the load of a node limits the load to 1 / g (Dally and Towles,
// "Principles and practices of interconnection networks", 2004, sections 3.3.1 and 3.3.2). The switches have
// a queue per output, a crossbar at twice the rate of the links and deep queues, so that links are the
// bottleneck.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "headway/config/registry.h"
#include "headway/config/toml.h"
#include "headway/run/run.h"
#include "headway/spec/read_spec.h"
#include "tests/support/anchor.h"

namespace headway {
namespace {

struct Carried {
  std::string network;
  std::string routing;
  std::string pattern;
  double load;  // of a node, at which the busiest link is busy all the time
};

EventSpec spec_of(const Carried& of, double load) {
  // a detour is decided on arrival, which a queue per output does not permit
  const bool decides = of.routing.starts_with("\"ugal") || of.routing.starts_with("\"par");
  const std::string text =
      "[network]\n" + of.network +
      "\nlink = { rate = \"64 GB/s\", delay = \"1 ns\" }\n[routing]\nalgorithm = " + of.routing +
      "\n[switch]\n" + (decides ? "scheme = \"dbbm\"\nqueues = 16\n" : "scheme = \"voqsw\"\n") + R"(
architecture = "cioq"
crossbar_speedup = 2
queue_memory = "4 KiB"
output_memory = "256 KiB"
[traffic]
packet = "64 B"
[measure]
warmup = "3000 ns"
duration = "5000 ns"
[[traffic.flow]]
load = )" +
      std::to_string(load) + "\npattern = " + of.pattern;
  Mistakes mistakes;
  const EventSpec spec = std::get<EventSpec>(read_spec(parse_toml(text, "x"), mistakes).spec);
  mistakes.throw_if_any();
  return spec;
}

// Such as: torus, sides = [8, 8], dor, rings = dateline, tornado.
std::string in_words(const Carried& of) {
  std::string words = of.network + "\n" + of.routing + "\n" + of.pattern;
  words.erase(0, words.find('"'));  // the key of the topology
  std::erase(words, '"');
  for (std::size_t at = 0; (at = words.find('\n', at)) != std::string::npos;) words.replace(at, 1, ", ");
  return words;
}

// At the load of the theory the network accepts this load, within 2 %.
void expect_accepted(const std::vector<Carried>& cases,
                     const std::string& source = "load of the busiest link") {
  for (const Carried& of : cases) {
    const Result at = run(Spec(spec_of(of, of.load)));
    test::expect_anchor({"links", "accepted load: " + in_words(of), source, of.load, 0.02 * of.load},
                        at.metric("accepted_load"));
  }
}

// A tenth above it, the run is saturated; a tenth below, it is steady.
void expect_verdicts(const std::vector<Carried>& cases) {
  for (const Carried& of : cases) {
    const std::string name = of.network + ' ' + of.routing + ' ' + of.pattern + ": ";
    if (of.load < 0.9) {
      const Result above = run(Spec(spec_of(of, 1.1 * of.load)));
      EXPECT_EQ(above.status, Status::saturated) << name << above.detail;
    }
    const Result below = run(Spec(spec_of(of, 0.85 * of.load)));
    EXPECT_EQ(below.status, Status::ok) << name << below.detail;
    EXPECT_NEAR(below.metric("accepted_load"), below.metric("offered_load"),
                0.02 * below.metric("offered_load"))
        << name;
  }
}

const std::string kMesh = "topology = \"mesh\"\nsides = [8, 8]",
                  kTorus = "topology = \"torus\"\nsides = [8, 8]",
                  kHyperX = "topology = \"hyperx\"\nsides = [4, 4]\nnodes_per_switch = 4",
                  kButterfly = "topology = \"hyperx\"\nsides = [8]\nnodes_per_switch = 8",
                  kDragonflyOf72 = "topology = \"dragonfly\"\np = 2\na = 4\nh = 2",
                  kSlimFly = "topology = \"slim-fly\"\nq = 5\nnodes_per_switch = 4";
const std::string kDor = "\"dor\"", kDatelines = "\"dor\"\nrings = \"dateline\"", kMinimal = "\"minimal\"",
                  kValiant = "\"valiant\"", kUgal = "\"ugal\"", kPar = "\"par\"";
const std::string kUniform = "\"uniform\"", kTranspose = "\"transpose\"", kTornado = "\"tornado\"",
                  kComplement = "\"complement\"";
std::string next_group(int size) { return "\"next-group\"\nsize = " + std::to_string(size); }

// Nodes do not send to themselves: of N nodes, uniform traffic has N / (N - 1) of the load that it would have
// with all N destinations.
constexpr double kToOthers = 63.0 / 64;

// Dimension order, k = 8. Mesh: half of the packets of four columns cross each of the eight links in the
// middle (k / 4); transposition sends k - 1 packets of the last row over the link to its last switch; the
// tornado has three packets on a link, the complement k / 2. Torus: k / 8 for uniform traffic; the tornado
// goes three links in one direction, the complement's largest load is 2, that of transposition k / 2.
const std::vector<Carried> kDimensionOrder = {
    {kMesh, kDor, kUniform, 4.0 / 8 * kToOthers},
    {kMesh, kDor, kTranspose, 1.0 / 7},
    {kMesh, kDor, kTornado, 1.0 / 3},
    {kMesh, kDor, kComplement, 2.0 / 8},
    {kTorus, kDatelines, kUniform, kToOthers},
    {kTorus, kDatelines, kTornado, 1.0 / 3},
    {kTorus, kDatelines, kComplement, 1.0 / 2},
    {kTorus, kDatelines, kTranspose, 2.0 / 8},
};

TEST(DirectNetworks, DimensionOrderAcceptsTheLoadOfItsBusiestLink) {
  expect_accepted(kDimensionOrder);
  expect_verdicts(kDimensionOrder);
}

// In a HyperX the p nodes of a switch send p / k of their load to each other switch of a line, with the same
// correction, and all of it to the next switch. In a dragonfly with a p nodes and one link to each other
// group, a link to another group has (a p)^2 / (N - 1) of uniform traffic and a p of that to the next group.
// In a slim fly with q = 5, the Hoffman-Singleton graph, 7 of 49 switches are one link away and 42 are two
// links away over one path (Besta and Hoefler, SC 2014): a link carries p^2 (7 + 2 * 42) / 7 / (N - 1).
const std::vector<Carried> kMinimalRouting = {
    {kHyperX, kDor, kUniform, kToOthers},      {kHyperX, kDor, next_group(4), 1.0 / 4},
    {kButterfly, kDor, kUniform, kToOthers},   {kButterfly, kDor, next_group(8), 1.0 / 8},
    {kDragonflyOf72, kMinimal, kUniform, 1.0}, {kDragonflyOf72, kMinimal, next_group(8), 1.0 / 8},
};

TEST(DirectNetworks, MinimalRoutingAcceptsTheLoadOfItsBusiestLink) {
  expect_accepted(kMinimalRouting);
  expect_verdicts(kMinimalRouting);
  expect_accepted({{kSlimFly, kMinimal, kUniform, 199.0 / 208}});
}

// Valiant's routing carries uniform traffic twice, so it accepts half of what dimension order or minimal
// routing does, whatever the pattern (Dally and Towles, section 9.1), apart from two differences that are
// exact here: the waypoint is neither the source nor the destination, and packets that would not leave their
// group go directly. Of the 8 switches of the flattened butterfly, 6 are waypoints on the way to the next
// one, so a link carries 2 * 8 / 6; a group of 8 nodes of the dragonfly has 7 other groups, so a global link
// carries 2 * 8 / 7. The loads of the other cases come from an enumeration of all paths over all waypoints.
const std::vector<Carried> kOverWaypoints = {
    {kMesh, kValiant, kUniform, 2.0 / 8 * kToOthers},
    {kMesh, kValiant, kTranspose, 0.2672},
    {kMesh, kValiant, kTornado, 0.2480},
    {kMesh, kValiant, kComplement, 2.0 / 8},
    {kTorus, kValiant, kUniform, 1.0 / 2 * kToOthers},
    {kTorus, kValiant, kTranspose, 0.5167},
    {kTorus, kValiant, kTornado, 0.4844},
    {kTorus, kValiant, kComplement, 0.4844},
    {kHyperX, kValiant, kUniform, 1.0 / 2 * kToOthers},
    {kHyperX, kValiant, next_group(4), 7.0 / 16},
    {kButterfly, kValiant, kUniform, 1.0 / 2 * kToOthers},
    {kButterfly, kValiant, next_group(8), 6.0 / 16},
    {kDragonflyOf72, kValiant, kUniform, 71.0 / 128},
    {kDragonflyOf72, kValiant, next_group(8), 7.0 / 16},
    {kSlimFly, kValiant, kUniform, 199.0 / 416},
};

TEST(DirectNetworks, ValiantsRoutingAcceptsTheLoadOfItsBusiestLink) { expect_accepted(kOverWaypoints); }

// Routing that decides between the two accepts what minimal routing does of uniform traffic, and no less than
// Valiant's of the worst case (Kim et al., ISCA 2008, section 4.2).
TEST(DirectNetworks, DecidedDetoursAcceptTheBetterOfBoth) {
  expect_accepted({{kHyperX, kUgal, kUniform, 0.95 * kToOthers},
                   {kHyperX, kUgal, next_group(4), 7.0 / 16},
                   {kButterfly, kUgal, kUniform, 0.95 * kToOthers},
                   {kButterfly, kUgal, next_group(8), 6.0 / 16},
                   {kDragonflyOf72, kUgal, kUniform, 0.95},
                   {kDragonflyOf72, kUgal, next_group(8), 7.0 / 16},
                   {kDragonflyOf72, kPar, kUniform, 0.95},
                   {kDragonflyOf72, kPar, next_group(8), 7.0 / 16}},
                  "the better of both routes (Kim et al., ISCA 2008, section 4.2)");
}

// A tenth below the load of Valiant's routing, no run of a routing with waypoints is saturated. Near this
// load the window is too short for a steady state.
TEST(DirectNetworks, DetoursAreNotSaturatedBelowTheLoadOfValiantsRouting) {
  std::vector<Carried> cases = kOverWaypoints;
  std::erase_if(cases, [](const Carried& of) { return of.network == kSlimFly; });
  cases.insert(cases.end(), {{kHyperX, kUgal, next_group(4), 7.0 / 16},
                             {kButterfly, kUgal, next_group(8), 6.0 / 16},
                             {kDragonflyOf72, kUgal, next_group(8), 7.0 / 16},
                             {kDragonflyOf72, kPar, next_group(8), 7.0 / 16}});
  for (const Carried& of : cases) {
    const Result below = run(Spec(spec_of(of, 0.9 * of.load)));
    EXPECT_NE(below.status, Status::saturated)
        << of.network << ' ' << of.routing << ' ' << of.pattern << ": " << below.detail;
  }
}

// Adaptive lanes that nodes may fill leave packets only the escape, so that the accepted load falls far below
// its maximum when nodes offer more (Baydal, López and Duato, IPDPS 2000). The switches have one queue per
// lane.
double accepted_by_adaptive(const std::string& network, const std::string& pattern, double load) {
  EventSpec spec = spec_of({network, "\"adaptive\"", pattern, load}, load);
  spec.switches.scheme = choose(schemes(), "1q");
  spec.switches.architecture = Architecture::iq;
  spec.switches.queue_memory = Bytes{8 * 64};
  return run(Spec(spec)).metric("accepted_load");
}

TEST(DirectNetworks, AdaptiveRoutingDoesNotCollapseBeyondSaturation) {
  EXPECT_NEAR(accepted_by_adaptive(kTorus, kTornado, 0.25), 0.25, 0.005);
  EXPECT_GT(accepted_by_adaptive(kTorus, kTornado, 0.3), 0.25);
  EXPECT_GT(accepted_by_adaptive(kTorus, kTornado, 1.0), 0.17);
  EXPECT_GT(accepted_by_adaptive(kTorus, kUniform, 1.0), 0.695);
  EXPECT_GT(accepted_by_adaptive(kMesh, kTornado, 1.0), 0.22);
  EXPECT_GT(accepted_by_adaptive(kMesh, kComplement, 1.0), 0.18);
}

}  // namespace
}  // namespace headway
