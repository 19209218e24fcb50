// SPDX-License-Identifier: Apache-2.0
// headway import: specs of other simulators' configurations run, agree with BookSim, and leave out nothing in
// silence.
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "tests/cli/repository.h"
#include "tests/cli/shell.h"

namespace headway::test {
namespace {

std::string path_of(const std::string& name) { return std::string(kSourceDir) + "/tests/imports/" + name; }

class ImportTest : public ShellTest {};

// What BookSim 2 (28f4329) prints for these configurations, with sample_period = 20000, of the dragonfly
// 4000: accepted flits per node and cycle, and the mean latency in cycles. `differs` is the part of the
// latency that the specs name: in the mesh, nodes of the diagonal send to themselves in BookSim; links to
// nodes are longer in the torus; in the dragonfly, links between groups are 90 cycles longer in BookSim, and
// links to nodes 9 cycles shorter. At load 0.1, packets of 20 flits also block each other more in BookSim's
// buffers of 8 flits.
struct Reference {
  const char* name;
  double load, accepted, latency, differs, tolerance;

  friend void PrintTo(const Reference& of, std::ostream* out) { *out << of.name << " at " << of.load; }
};
constexpr Reference kBooksim[] = {
    {"booksim-mesh.cfg", 0.02, 0.02005, 47.70, 3.1, 0.07},
    {"booksim-mesh.cfg", 0.1, 0.10064, 64.14, 3.1, 0.15},
    {"booksim-torus.cfg", 0.01, 0.01000, 30.98, 2, 0.07},
    {"booksim-torus.cfg", 0.15, 0.15016, 33.60, 2, 0.07},
    {"booksim-flattened-butterfly.cfg", 0.01, 0.01000, 12.02, 0, 0.07},
    {"booksim-flattened-butterfly.cfg", 0.3, 0.30013, 12.72, 0, 0.07},
    {"booksim-dragonfly.cfg", 0.01, 0.01005, 133.97, -69.3, 0.07},
    {"booksim-dragonfly.cfg", 0.4, 0.40096, 149.40, -69.3, 0.07},
    {"booksim-fat-tree.cfg", 0.01, 0.01000, 19.51, 0, 0.07},
    {"booksim-fat-tree.cfg", 0.5, 0.50032, 23.29, 0, 0.07},
};

class AgreesWithBooksim : public ShellTest, public testing::WithParamInterface<Reference> {};

TEST_P(AgreesWithBooksim, InLoadAndLatency) {
  const Reference& reference = GetParam();
  ASSERT_EQ(shell("headway import '" + path_of(reference.name) + "' --out my.toml").code, 0);
  const Outcome run =
      shell("headway run my.toml --json --set 'measure.duration=\"20000 cycles\"' --set traffic.flow.load=" +
            std::to_string(reference.load));
  ASSERT_EQ(run.code, 0) << run.err;
  const auto metrics = nlohmann::json::parse(run.out)["points"][0]["metrics"];
  EXPECT_NEAR(metrics["accepted_load"].get<double>(), reference.accepted, 0.025 * reference.accepted);
  EXPECT_NEAR(metrics["latency_mean_ns"].get<double>(), reference.latency + reference.differs,
              reference.tolerance * reference.latency);
}

// The same at the edge of the memory: buffers of less than two packets, and of a few flits. Accepted flits of
// BookSim at load 0.95, with credit_delay = 2; the nearest model that holds whole packets is within a third,
// but where even one packet is more than the flits of the buffer.
struct Edge {
  const char* topology;
  int packet, buffer;
  double accepted;

  friend void PrintTo(const Edge& of, std::ostream* out) {
    *out << of.topology << " with packets of " << of.packet << " in " << of.buffer;
  }
};
constexpr Edge kEdges[] = {
    {"torus", 4, 4, 0.170},   {"torus", 4, 6, 0.261},   {"torus", 4, 8, 0.313},   {"torus", 8, 8, 0.300},
    {"torus", 8, 12, 0.363},  {"torus", 20, 8, 0.283},  {"torus", 20, 20, 0.371}, {"mesh", 4, 4, 0.281},
    {"mesh", 4, 6, 0.336},    {"mesh", 4, 8, 0.356},    {"mesh", 8, 8, 0.351},    {"mesh", 8, 12, 0.373},
    {"mesh", 20, 8, 0.331},   {"mesh", 20, 20, 0.368},  {"flatfly", 4, 4, 0.492}, {"flatfly", 4, 6, 0.513},
    {"flatfly", 4, 8, 0.553}, {"flatfly", 8, 8, 0.552}, {"flatfly", 8, 12, 0.574}};

class AgreesAtTheEdgeOfMemory : public ShellTest, public testing::WithParamInterface<Edge> {};

TEST_P(AgreesAtTheEdgeOfMemory, InTheLoadThatItAccepts) {
  const Edge& edge = GetParam();
  const std::string topology = edge.topology;
  write(
      "a.cfg",
      "topology = " + topology +
          (topology == "flatfly" ? "; k = 4; n = 2; c = 4; x = 4; y = 4; xr = 2; yr = 2; routing_function = "
                                   "ran_min; use_noc_latency = 0;"
           : topology == "mesh"  ? "; k = 8; n = 2; routing_function = dor;"
                                 : "; k = 8; n = 2; routing_function = dim_order;") +
          " num_vcs = 2; credit_delay = 2; injection_rate_uses_flits = 1; injection_rate = 0.95; traffic = "
          "uniform; packet_size = " +
          std::to_string(edge.packet) + "; vc_buf_size = " + std::to_string(edge.buffer) + ";\n");
  const Outcome run = shell(
      "headway import a.cfg --out my.toml && headway run my.toml --json --set "
      "'measure.warmup=\"3000 cycles\"' --set 'measure.duration=\"6000 cycles\"'");
  ASSERT_EQ(run.code, 0) << run.err;
  const auto metrics = nlohmann::json::parse(run.out)["points"][0]["metrics"];
  EXPECT_NEAR(metrics["accepted_load"].get<double>() / edge.accepted, 1, 0.3);
}

INSTANTIATE_TEST_SUITE_P(Import, AgreesAtTheEdgeOfMemory, testing::ValuesIn(kEdges), [](const auto& info) {
  return info.param.topology + std::string("_") + std::to_string(info.param.packet) + "_" +
         std::to_string(info.param.buffer);
});

// A buffer of 8 flits for packets of 5: BookSim delivers 0.40 of the links' rate and saturates at 0.42, with
// latencies of 37.9 cycles at 0.15 and 52.2 at 0.4; links to nodes take two cycles more here.
TEST_F(ImportTest, AgreesWithBooksimInABufferOfLessThanTwoPackets) {
  ASSERT_EQ(shell("headway import '" + std::string(kSourceDir) +
                  "/tests/findings/booksim-small-buffer.cfg' --out my.toml")
                .code,
            0);
  const Outcome run = shell(
      "headway run my.toml --json --set 'traffic.flow.load=[0.15,0.4,0.6]' --set 'measure.duration=\"8000 "
      "cycles\"'");
  ASSERT_EQ(run.code, 0) << run.err;
  const auto points = nlohmann::json::parse(run.out)["points"];
  const auto metric = [&](int point, const char* name) {
    return points[point]["metrics"][name].get<double>();
  };
  EXPECT_NEAR(metric(0, "latency_mean_ns"), 37.9 + 2, 1.5);
  EXPECT_NEAR(metric(1, "accepted_load"), 0.4, 0.01);
  EXPECT_NEAR(metric(1, "latency_mean_ns"), 52.2 + 2, 5);
  EXPECT_NEAR(metric(2, "accepted_load"), 0.42, 0.06);
  EXPECT_THAT(read("my.toml"), AllOf(HasSubstr("queue_memory = \"10 flits\""),
                                     HasSubstr("virtual_channels = 2"), HasSubstr("for 2 packets")));
  EXPECT_THAT(read("my.toml"), HasSubstr("a VC of 10 flits alone passes 0.83 of a link's rate here"));
}

INSTANTIATE_TEST_SUITE_P(Import, AgreesWithBooksim, testing::ValuesIn(kBooksim), [](const auto& info) {
  std::string name = std::string(info.param.name) + "_" + std::to_string(info.index);
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
});

TEST_F(ImportTest, NamesEverySetting) {
  for (const char* const name : {"booksim-mesh.cfg", "booksim-torus.cfg", "booksim-flattened-butterfly.cfg",
                                 "booksim-dragonfly.cfg", "booksim-fat-tree.cfg"}) {
    const std::string text = repository_file(std::string("tests/imports/") + name);
    const Outcome outcome = shell("headway import '" + path_of(name) + "'");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const std::regex setting(R"((\w+) *= *[^;]+;)");
    for (std::sregex_iterator found(text.begin(), text.end(), setting), end; found != end; ++found)
      EXPECT_THAT(outcome.out, ContainsRegex("\\b" + std::string((*found)[1]) + "\\b")) << name;
  }
}

TEST_F(ImportTest, ReportsMistakesWithTheirPlaceAndTheNearestName) {
  write("my.cfg", "topology = mesh;\nnum_vc = 4;\nrouting_function = dorr;\n");
  const Outcome outcome = shell("headway import my.cfg");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("my.cfg:2: num_vc: unknown key; did you mean \"num_vcs\"?"));
  EXPECT_THAT(outcome.err,
              HasSubstr("my.cfg:3: routing_function: dorr has no counterpart; did you mean \"dor\"?"));
  write("other.cfg", "topology = qtree;\n");
  EXPECT_THAT(shell("headway import other.cfg").err, HasSubstr("topology: qtree has no counterpart"));
  write("batch.cfg", "topology = mesh; routing_function = dor; sim_type = batch;\n");
  EXPECT_THAT(shell("headway import batch.cfg").err, HasSubstr("sim_type: batch has no counterpart"));
  write("text.txt", "hello\n");
  EXPECT_THAT(
      shell("headway import text.txt").err,
      HasSubstr("text.txt: FILE: is of no format that is known; --from names one: \"adjacency-list\""));
}

TEST_F(ImportTest, ReadsATopologyAndAMatrixOfHtsim) {
  write("tree.topo",
        "# leaf and spine\nNodes 32\nTiers 2\nPodsize 32\nTier 0\nDownlink_speed_Gbps 100\nRadix_Down "
        "8\nRadix_Up 4\n"
        "Downlink_Latency_ns 500\nSwitch_Latency_ns 10\nTier 1\nDownlink_speed_Gbps 100\nRadix_Down "
        "8\nBundle 2\n"
        "Downlink_Latency_ns 500\nSwitch_Latency_ns 10\n");
  write("two.cm", "Nodes 32\nConnections 2\n0->1 start 0 size 4096\n2->9 start 0 size 4096\n");
  const Outcome outcome = shell("headway import tree.topo two.cm --out my.toml && headway run my.toml");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(read("my.toml"), AllOf(HasSubstr("children = [8, 4]"), HasSubstr("parents = [1, 2]"),
                                     HasSubstr("links = [1, 2]"), HasSubstr("program = \"htsim\"")));
  shell("sed -i 's/Nodes 32/Nodes 33/; s/Radix_Up/Radix_Upp/' tree.topo");
  EXPECT_THAT(
      shell("headway import tree.topo").err,
      AllOf(HasSubstr("tree.topo:2: nodes: the tiers have 32 nodes, not 33"),
            HasSubstr("tree.topo:8: tier 0 radix_upp: unknown key; did you mean \"tier 0 radix_up\"?")));
}

TEST_F(ImportTest, ReadsAConfigurationOfHpccWithItsFiles) {
  write("config.txt",
        "ENABLE_QCN 1\nTOPOLOGY_FILE star.txt\nFLOW_FILE flows.txt\nCC_MODE 1 {DCQCN}\nRP_TIMER 900\nRATE_AI "
        "50Mb/s\n"
        "KMAX_MAP 1 100000000000 1600\nKMIN_MAP 1 100000000000 400\nPMAX_MAP 1 100000000000 0.2\nBUFFER_SIZE "
        "32\nU_TARGET 0.95\n");
  write("star.txt", "4 1 3\n0\n0 1 100Gbps 0.001ms 0\n0 2 100Gbps 0.001ms 0\n0 3 100Gbps 0.001ms 0\n");
  write("flows.txt", "2\n1 3 3 100 20000 2\n2 3 3 100 20000 2\n");
  const Outcome outcome = shell("headway import config.txt --out my.toml && headway run my.toml");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(read("my.toml"), AllOf(HasSubstr("reaction = \"dcqcn-nic\""), HasSubstr("k_max = \"1600 kB\""),
                                     HasSubstr("U_TARGET = 0.95"), HasSubstr("rate_timer = \"900 us\"")));
  EXPECT_THAT(read("my.flows.txt"), StartsWith("2\n0 2 3"));
  write("flows.txt", "2\n1 3 3 100 20000 2\n1 0 3 100 20000 2\n");
  EXPECT_THAT(shell("headway import config.txt --out other.toml").err,
              HasSubstr("flow 1 of 2 is not between two hosts"));
  EXPECT_THAT(shell("headway import config.txt").err, HasSubstr("is not between two hosts"));
}

// Nothing is written if the spec would be refused.
TEST_F(ImportTest, WritesNothingThatTheCheckRefuses) {
  write("my.cfg", "topology = mesh; k = 5; n = 2; routing_function = dor; traffic = transpose;\n");
  const Outcome outcome = shell("headway import my.cfg --out out/my.toml");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("my.cfg: "), HasSubstr("(from traffic = transpose)")));
  EXPECT_FALSE(std::filesystem::exists(directory_ / "out"));
}

TEST_F(ImportTest, ReadsAConfigurationOfCaminos) {
  const Outcome outcome =
      shell("headway import '" + path_of("caminos-torus.cfg") + "' --out my.toml && headway run my.toml");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(read("my.toml"), AllOf(HasSubstr("sides = [8, 8]"), HasSubstr("rings = \"bubble\""),
                                     HasSubstr("seeds = 2"), HasSubstr("\"traffic.flow.load\" = [0.1, 0.3]"),
                                     HasSubstr("allow_request_busy_port = true")));
  write("bad.cfg",
        "Configuration {\n random_seed: 1, warmup: 1, measured: 9, maximum_packet_size: 8,\n topology: Mesh "
        "{ sids: [4, 4], "
        "sides: [4, 4] },\n router: Basic { virtual_channels: 1, buffer_size: 16 },\n routing: Polarized,\n "
        "traffic: Burst,\n "
        "link_classes: [],\n}\n");
  const std::string mistakes = shell("headway import bad.cfg").err;
  EXPECT_THAT(mistakes, HasSubstr("bad.cfg:3: Mesh.sids: unknown key; did you mean \"sides\"?"));
  EXPECT_THAT(mistakes, HasSubstr("bad.cfg:5: Configuration.routing: Polarized has no counterpart"));
  EXPECT_THAT(mistakes, HasSubstr("bad.cfg:6: Configuration.traffic: Burst has no counterpart"));
  write("open.cfg", "Configuration {\n warmup: 1\n");
  EXPECT_THAT(shell("headway import open.cfg").err, HasSubstr("open.cfg:3: FILE: a comma or } is missing"));
}

}  // namespace
}  // namespace headway::test
