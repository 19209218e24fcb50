// SPDX-License-Identifier: Apache-2.0
// Configurations, whole or damaged, are imported or reported, and what is imported passes `headway check`.
#include "headway/imports/import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "headway/base/error.h"
#include "headway/compile/load.h"
#include "headway/config/toml.h"
#include "headway/imports/booksim_channel.h"

namespace headway::imports {
namespace {

using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

const Source kBooksim{
    "a.cfg",
    "// a mesh\ntopology = mesh; k = 4; n = 2;\nrouting_function = dor; num_vcs = 4;\ntraffic = "
    "transpose; packet_size = 8; injection_rate = 0.01;\nsw_allocator = islip; vc_buf_size = 12;\n"};
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
const std::string kMatrix = "Nodes 16\nConnections 2\n0->1 start 0 size 4096\n2->9 start 1000 size 4096\n";
const std::string kHpcc =
    "ENABLE_QCN 1\nTOPOLOGY_FILE star.txt\nFLOW_FILE flows.txt\nCC_MODE 1 {DCQCN}\nRP_TIMER 900\nKMAX_MAP 1 "
    "100000000000 1600\nKMIN_MAP 1 100000000000 400\nPMAX_MAP 1 100000000000 0.2\nBUFFER_SIZE 32\n"
    "PACKET_PAYLOAD_SIZE 1000\nHAS_WIN 1\n";
const std::string kStar =
    "6 2 6\n0 5\n1 0 100Gbps 0.001ms 0\n2 0 100Gbps 0.001ms 0\n3 0 100Gbps 0.001ms 0\n4 5 100Gbps 0.001ms "
    "0\n0 5 200Gbps 0.001ms 0\n0 5 200Gbps 0.001ms 0\n";
const std::string kFlows = "3\n1 3 3 100 20000 2\n2 3 3 100 20000 2\n4 1 3 100 5000 2.00001\n";

std::string name_of_format(const std::vector<Source>& sources) {
  try {
    return std::string(format_of(sources).name);
  } catch (const SpecError&) {
    return "";
  }
}

// Cuts, doubles or replaces a piece of the text, or changes a digit of a number.
std::string damaged(std::string text, std::mt19937& random) {
  for (int changes = 1 + static_cast<int>(random() % 3); changes > 0 && !text.empty(); --changes) {
    const std::size_t at = random() % text.size(), length = random() % 12;
    const std::string piece = text.substr(at, length);
    switch (random() % 10) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(random() % text.size(), piece);
        break;
      case 2:
        text[at] = "0-9{}[]();=!,/*\"\n\xff"[random() % 18];
        break;
      case 3:
        text.replace(at, length, "99999999999999999999");
        break;
      case 4:
        text.replace(at, length, std::to_string(random() % 100'000));
        break;
      default:
        if (const std::size_t digit = text.find_first_of("0123456789", at); digit != std::string::npos)
          text[digit] = static_cast<char>('0' + random() % 10);
    }
  }
  return text;
}

class Imports : public testing::Test {
 protected:
  Imports() : folder_(fs::temp_directory_path() / ("headway-imports-" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~Imports() override { fs::remove_all(folder_); }
  Imports(const Imports&) = delete;
  Imports& operator=(const Imports&) = delete;

  Source written(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return {(folder_ / name).string(), text, name};
  }
  Source hpcc(const std::string& configuration, const std::string& topology, const std::string& flows) const {
    written("star.txt", topology);
    written("flows.txt", flows);
    return written("config.txt", configuration);
  }
  std::string spec_path() const { return (folder_ / "my.toml").string(); }

  Import import(std::string_view format, const std::vector<Source>& sources) const {
    return import_from(*find_format(format), {sources, spec_path()});
  }
  std::string refusal(std::string_view format, const std::vector<Source>& sources) const {
    try {
      import(format, sources);
    } catch (const SpecError& error) {
      return error.what();
    }
    return "";
  }
  // What `headway check` says about the written files.
  std::string check(const Import& made) const {
    for (const ImportedFile& file : made.files) written(file.name, file.content);
    try {
      check_experiment(parse_toml(made.spec, spec_path()));
      return "";
    } catch (const SpecError& error) {
      return error.what();
    }
  }

  fs::path folder_;
};

TEST_F(Imports, PassTheCheckOrAreReported) {
  std::mt19937 random(1);
  int imported = 0, reported = 0;
  const auto attempt = [&](std::string_view format, const std::vector<Source>& sources, bool is_whole) {
    try {
      const Import made = import(format, sources);
      EXPECT_EQ(check(made), "") << made.spec << sources.back().text;
      ++imported;
    } catch (const SpecError& error) {
      EXPECT_NE(std::string(error.what()), "");
      EXPECT_EQ(std::string(error.what()).find("my.toml"), std::string::npos) << error.what();
      EXPECT_FALSE(is_whole) << error.what();
      ++reported;
    }
  };
  for (int round = 0; round < 250; ++round) {
    const auto text = [&](const std::string& whole) { return round == 0 ? whole : damaged(whole, random); };
    const auto source = [&](const Source& whole) { return Source{whole.path, text(whole.text)}; };
    attempt("booksim", {source(kBooksim)}, round == 0);
    attempt("caminos", {source(kCaminos)}, round == 0);
    attempt("htsim", {source(kTopology)}, round == 0);
    attempt("htsim", {kTopology, written("a.cm", text(kMatrix))}, round == 0);
    attempt("hpcc", {hpcc(text(kHpcc), kStar, kFlows)}, round == 0);
    attempt("hpcc", {hpcc(kHpcc, text(kStar), kFlows)}, round == 0);
    attempt("hpcc", {hpcc(kHpcc, kStar, text(kFlows))}, round == 0);
  }
  EXPECT_GT(imported, 100);
  EXPECT_GT(reported, 500);
}

TEST_F(Imports, KnowTheSimulatorByTheFile) {
  EXPECT_EQ(name_of_format({kBooksim}), "booksim");
  EXPECT_EQ(name_of_format({kTopology}), "htsim");
  EXPECT_EQ(name_of_format({kCaminos}), "caminos");
  EXPECT_EQ(name_of_format({Source{"c.txt", kHpcc}}), "hpcc");
  EXPECT_EQ(name_of_format({Source{"a.cm", kMatrix}}), "htsim");
  EXPECT_EQ(name_of_format({Source{"c.txt", "hello\n"}}), "");
}

// Whatever comments say.
TEST_F(Imports, KnowTheSimulatorByItsSettings) {
  const std::string words = " Tiers of switches, Connections 3, Configuration { TOPOLOGY_FILE a = b; }\n";
  EXPECT_EQ(name_of_format({Source{"a.cfg", "//" + words + kBooksim.text}}), "booksim");
  EXPECT_EQ(name_of_format({Source{"a.cfg", kBooksim.text + "// the\n//" + words}}), "booksim");
  EXPECT_EQ(name_of_format({Source{"a.topo", "#" + words + kTopology.text}}), "htsim");
  EXPECT_EQ(name_of_format({Source{"a.topo", kTopology.text + "#" + words}}), "htsim");
  EXPECT_EQ(name_of_format({Source{"main.cfg", "/*" + words + "*/" + kCaminos.text}}), "caminos");
  EXPECT_EQ(name_of_format({Source{"main.cfg", "//" + words + kCaminos.text}}), "caminos");
  EXPECT_EQ(name_of_format({Source{"config.txt", kHpcc + "#" + words}}), "hpcc");
}

TEST_F(Imports, OfMemoryBeyondTheLargestIsCappedAndTold) {
  const Import made = import("hpcc", {hpcc(kHpcc + "BUFFER_SIZE 90000\n", kStar, kFlows)});
  EXPECT_THAT(made.spec, HasSubstr("input_memory = \"68680680 B\""));
  EXPECT_THAT(made.spec, HasSubstr("here a port has at most 65535 packets, 68680680 B"));
}

TEST_F(Imports, OfHpccHaveItsPausesAndReactions) {
  const auto of_mode = [&](const std::string& mode) {
    return import("hpcc", {hpcc(kHpcc + mode, kStar, kFlows)}).spec;
  };
  const std::string dcqcn = of_mode("");
  EXPECT_THAT(dcqcn, HasSubstr("flow_control = \"pfc-shared\""));
  EXPECT_THAT(dcqcn, HasSubstr("alpha = 0.125"));
  EXPECT_THAT(dcqcn, HasSubstr("architecture = \"oq\""));
  EXPECT_THAT(dcqcn, HasSubstr("reaction = \"dcqcn-nic\""));
  EXPECT_THAT(of_mode("CC_MODE 7\nRATE_HAI 100Mb/s\n"), HasSubstr("reaction = \"timely\""));
  EXPECT_THAT(of_mode("HAS_WIN 0\nVAR_WIN 1\n"), HasSubstr("VAR_WIN = 1"));
  EXPECT_THAT(of_mode("CC_MODE 7\n"), HasSubstr("# - RP_TIMER = 900, KMIN_MAP"));
  for (const char* const mode : {"3", "8", "10"}) {
    const std::string windows = of_mode(std::string("CC_MODE ") + mode + "\n");
    EXPECT_THAT(windows, HasSubstr("reaction = \"window\""));
    EXPECT_THAT(windows, HasSubstr("the reactions that node.reaction has are \"dcqcn\""));
    EXPECT_THAT(of_mode(std::string("HAS_WIN 0\nCC_MODE ") + mode + "\n"), Not(HasSubstr("reaction = ")));
  }
}

// The headers of HPCC's simulator, of which INT is the longest.
TEST_F(Imports, HaveTheHeadersOfTheirPackets) {
  const auto header = [&](const std::string& mode) {
    const std::string spec = import("hpcc", {hpcc(kHpcc + mode, kStar, kFlows)}).spec;
    const std::size_t at = spec.find("header = \"");
    return at == std::string::npos ? "" : spec.substr(at + 10, 4);
  };
  EXPECT_EQ(header(""), "48 B");
  EXPECT_EQ(header("CC_MODE 3\n"), "90 B");
  EXPECT_EQ(header("CC_MODE 7\n"), "56 B");
  EXPECT_EQ(header("CC_MODE 10\n"), "50 B");
  EXPECT_THAT(import("htsim", {kTopology}).spec, HasSubstr("header = \"64 B\""));
}

// The links between the tiers are twice as fast as those of nodes: a file with every link.
TEST_F(Imports, OfHtsimTakeTiersOfDifferentRates) {
  std::string text = kTopology.text;
  const std::size_t second = text.rfind("100");
  text.replace(second, 3, "200");
  const Import made = import("htsim", {Source{"a.topo", text}});
  EXPECT_THAT(made.spec, HasSubstr("topology = \"file\""));
  EXPECT_THAT(made.spec, HasSubstr("algorithm = \"spray\""));
  ASSERT_EQ(made.files.size(), 1U);
  const auto count = [&](const std::string& part) {
    std::size_t times = 0;
    for (std::size_t at = 0; (at = made.files[0].content.find(part, at)) != std::string::npos; ++at) ++times;
    return times;
  };
  EXPECT_EQ(count("[[node]]"), 16U);
  EXPECT_EQ(count("[[link]]"), 16U);
  EXPECT_EQ(count("rate = \"100 Gbit/s\""), 16U);
  EXPECT_EQ(count("rate = \"200 Gbit/s\""), 16U);
}

// LINK_DOWN counts from 2 s on, and jobs from their first flow.
TEST_F(Imports, OfHpccTakeItsLinkDown) {
  const auto of = [&](const std::string& down) {
    return import("hpcc", {hpcc(kHpcc + down, kStar, kFlows)}).spec;
  };
  EXPECT_THAT(of("LINK_DOWN 0 0 0\n"), Not(HasSubstr("[[event]]")));
  const std::string down = of("LINK_DOWN 7 0 2\n");
  EXPECT_THAT(down, HasSubstr("[[event]]\nlink = \"0 -- node h2\""));
  EXPECT_THAT(down, HasSubstr("at = \"7000000 ps\""));
  EXPECT_THAT(down, HasSubstr("reroute_after = \"0 ns\""));
  EXPECT_THAT(refusal("hpcc", {hpcc(kHpcc + "LINK_DOWN 7 0 4\n", kStar, kFlows)}),
              HasSubstr("no link joins 0 and 4"));
  EXPECT_THAT(refusal("hpcc", {hpcc(kHpcc + "LINK_DOWN 7 5 0\n", kStar, kFlows)}),
              HasSubstr("2 links join 5 and 0"));
  EXPECT_THAT(refusal("hpcc", {hpcc(kHpcc + "LINK_DOWN 7 0\n", kStar, kFlows)}),
              HasSubstr("is not a time in us and two nodes"));
}

// A mistake is told at the file from which the wrong part was made.
TEST_F(Imports, ThatAreRefusedNameTheSource) {
  EXPECT_THAT(refusal("hpcc", {hpcc(kHpcc, kStar, "2\n1 3 3 100 20000 2\n2 3 3 100 x 2\n")}),
              HasSubstr("flows.txt:3: "));
  EXPECT_THAT(refusal("htsim", {kTopology, written("a.cm", kMatrix + "1->2 start x size 3\n")}),
              HasSubstr("a.cm:"));
  EXPECT_THAT(refusal("booksim", {Source{"a.cfg", kBooksim.text + "k = 5;\n"}}), HasSubstr("a.cfg: "))
      << "no transpose of 25 nodes";
}

TEST_F(Imports, OfBooksimRefuseWhatTheyUseAndDoNotHave) {
  for (const char* const setting :
       {"link_failures = 1;", "subnets = 2;", "use_read_write = 1;", "classes = 2;"})
    EXPECT_THAT(refusal("booksim", {Source{"a.cfg", kBooksim.text + setting}}),
                HasSubstr("has no counterpart"))
        << setting;
  for (const char* const setting : {"link_failures = 0;", "subnets = 1;", "use_read_write = 0;"})
    EXPECT_EQ(refusal("booksim", {Source{"a.cfg", kBooksim.text + setting}}), "") << setting;
}

// BookSim 2 (28f4329), two routers (mesh, k = 2, n = 1, one VC, bitcomp), accepted flits per cycle at load 1.
TEST(BooksimChannel, HasTheRatesOfBooksim) {
  struct Measured {
    std::int64_t routing, credit, packet, buffer;
    double rate;
  };
  constexpr Measured kMeasured[] = {
      {0, 1, 1, 2, 0.286}, {0, 1, 1, 4, 0.5},   {0, 1, 4, 2, 0.308}, {0, 1, 4, 4, 0.572},
      {0, 1, 4, 8, 0.8},   {0, 1, 8, 4, 0.615}, {0, 1, 8, 8, 0.889}, {1, 1, 1, 2, 0.249},
      {1, 1, 1, 8, 0.333}, {1, 1, 4, 2, 0.286}, {1, 1, 4, 4, 0.499}, {1, 1, 4, 12, 0.667},
      {1, 1, 8, 2, 0.308}, {1, 1, 8, 4, 0.572}, {1, 1, 8, 16, 0.8},  {0, 2, 1, 2, 0.25},
      {0, 2, 4, 2, 0.267}, {0, 2, 4, 4, 0.5},   {0, 2, 8, 2, 0.276}, {0, 2, 8, 4, 0.533},
      {1, 2, 1, 2, 0.223}, {1, 2, 4, 2, 0.25},  {1, 2, 4, 4, 0.445}, {1, 2, 8, 4, 0.5},
      {1, 2, 8, 32, 0.8}};
  for (const Measured& of : kMeasured) {
    const BooksimChannel channel{.packet = of.packet,
                                 .delay = 1,
                                 .head = of.routing + 3,
                                 .serial = of.routing + 1,
                                 .credit_loop = 2 + 1 + 1 + of.credit + 1};
    EXPECT_NEAR(channel.rate_in_booksim(of.buffer), of.rate, 0.0015)
        << of.routing << ' ' << of.credit << ' ' << of.packet << ' ' << of.buffer;
  }
}

TEST(BooksimChannel, HasRoomForTheRateOfTheFlits) {
  // the round trip of a packet takes 2 x 2 + 3 + 5 cycles
  const BooksimChannel channel{.packet = 5, .delay = 2, .head = 3, .serial = 1, .credit_loop = 9};
  EXPECT_DOUBLE_EQ(channel.rate_here(1), 5.0 / 12);
  EXPECT_EQ(channel.packets_for(8), 2) << "one packet passes 0.42, and 8 flits in BookSim 0.8";
  EXPECT_EQ(channel.packets_for(2), 1);
  EXPECT_EQ(channel.packets_for(40), 8) << "never less than the configuration has";
}

}  // namespace
}  // namespace headway::imports
