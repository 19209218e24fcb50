// SPDX-License-Identifier: Apache-2.0
// headway import of networks: the spec passes headway check, runs with uniform traffic, and has the latency
// of the closed form.
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tests/cli/repository.h"
#include "tests/cli/shell.h"
#include "tests/support/network_samples.h"

namespace headway::test {
namespace {

class ImportedNetwork : public ShellTest, public testing::WithParamInterface<NetworkSample> {};

TEST_P(ImportedNetwork, RunsAndHasItsZeroLoadLatency) {
  const NetworkSample& sample = GetParam();
  write("network.txt", std::string(sample.text));
  const Outcome run =
      shell("headway import network.txt -o my.toml && headway check my.toml && headway run my.toml --json");
  ASSERT_EQ(run.code, 0) << run.err;
  const std::size_t json = run.out.find('{');
  ASSERT_NE(json, std::string::npos);
  const auto uniform = nlohmann::json::parse(run.out.substr(json))["points"][0];
  EXPECT_NEAR(uniform["metrics"]["accepted_load"].get<double>(), 0.2, 0.03);
  // Every node sends to one of the other switch; packets hardly ever meet.
  const Outcome alone = shell(
      "headway run my.toml --json --set 'traffic.flow.pattern=\"complement\"' --set traffic.flow.load=0.002");
  ASSERT_EQ(alone.code, 0) << alone.err;
  const auto metrics = nlohmann::json::parse(alone.out)["points"][0]["metrics"];
  EXPECT_NEAR(metrics["latency_p50_ns"].get<double>(), sample.latency_ns, 0.005 * sample.latency_ns);
}

INSTANTIATE_TEST_SUITE_P(Import, ImportedNetwork, testing::ValuesIn(kNetworkSamples), [](const auto& info) {
  std::string name = std::string(info.param.format) + "_" + std::to_string(info.index);
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
});

class ImportNetworks : public ShellTest {};

// The dump, the ports report and the table of links of one fabric, each with its forwarding tables.
TEST_F(ImportNetworks, OfAFabricWithItsForwardingTables) {
  const std::string fabric = std::string(kSourceDir) + "/examples/fabric/";
  const Outcome outcome = shell("headway import '" + fabric + "topology.ibnetdiscover' '" + fabric +
                                "routes.lfts' -o my.toml && headway run my.toml");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(read("my.toml"), HasSubstr("algorithm = \"table\""));
  write("routes.lfts",
        "Unicast lids [0x0-0x6] of switch Lid 1 guid 0x0000000000000010 (s):\n0x0003 001\n0x0004 002\n0x0005 "
        "003\n0x0006 003\n"
        "Unicast lids [0x0-0x6] of switch Lid 2 guid 0x0000000000000020 (t):\n0x0003 003\n0x0004 003\n0x0005 "
        "001\n0x0006 002\n");
  std::set<std::string> hashes;
  for (const NetworkSample& sample : kNetworkSamples) {
    if (sample.format != "ibnetdiscover-ports" && sample.format != "iblinkinfo") continue;
    write("network.txt", std::string(sample.text));
    const Outcome with_tables =
        shell("rm -f t.toml; headway import routes.lfts network.txt -o t.toml && headway run t.toml --json");
    ASSERT_EQ(with_tables.code, 0) << with_tables.err;
    EXPECT_THAT(read("t.toml"), HasSubstr("file = \"routes.lfts\""));
    hashes.insert(nlohmann::json::parse(with_tables.out)["points"][0]["trace_hash"].get<std::string>());
  }
  EXPECT_EQ(hashes.size(), 1U) << "the reports describe one fabric";
}

TEST_F(ImportNetworks, OfAstraSimWithItsSystemAndItsWorkload) {
  write("ring.yml", "topology: [ Ring ]\nnpus_count: [ 4 ]\nbandwidth: [ 50.0 ]\nlatency: [ 500.0 ]\n");
  write("system.json",
        "{ \"scheduling-policy\": \"LIFO\", \"preferred-dataset-splits\": 4,\n  "
        "\"all-reduce-implementation\": [\"doubleBinaryTree\"] }\n");
  write("workload.txt", "DATA\n1\nlayer -1 100 NONE 0 100 NONE 0 100 ALLREDUCE 65536 10\n");
  const Outcome outcome =
      shell("headway import ring.yml system.json workload.txt -o my.toml && headway run my.toml");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(read("my.toml"),
              AllOf(HasSubstr("program = \"astra-sim\""), HasSubstr("algorithm = \"double-tree\""),
                    HasSubstr("chunks = 4"), HasSubstr("scheduling-policy = LIFO")));
  EXPECT_THAT(shell("headway import ring.yml system.json").err, HasSubstr("there is no workload"));
  EXPECT_THAT(shell("headway import workload.txt").err, HasSubstr("is a program (astra-sim)"));
  shell("sed -i 's/doubleBinary/doubleBinaryy/' system.json");
  EXPECT_THAT(shell("headway import ring.yml system.json workload.txt").err,
              HasSubstr("system.json:2: all-reduce-implementation: doubleBinaryyTree has no counterpart; did "
                        "you mean \"doubleBinaryTree\"?"));
}

// As SimAI is called: a configuration without the names of a topology and of flows.
TEST_F(ImportNetworks, OfSimAiWithItsConfigurationAndWorkload) {
  write("SimAI.conf",
        "ENABLE_QCN 1\nFLOW_FILE /nowhere/flow.txt\nCC_MODE 1\nKMAX_MAP 1 400000000000 1600\nKMIN_MAP 1 "
        "400000000000 400\nPMAX_MAP 1 400000000000 0.2\n"
        "BUFFER_SIZE 32\nSIMULATOR_STOP_TIME 40000000000000.00\nBW_MON_FILE b.txt\n");
  write("topology",
        "5 2 1 1 4 H100\n3 4\n0 3 1600Gbps 25ns 0\n1 3 1600Gbps 25ns 0\n0 4 400Gbps 500ns 0\n1 4 400Gbps "
        "500ns 0\n");
  shell(
      "sed -i 's/^5 2 1 1 4 H100/4 2 1 1 4 H100/; s/^3 4$/2 3/; s/ 3 1600/ 2 1600/; s/ 4 400/ 3 400/' "
      "topology");
  write("workload.txt", "DATA\n1\nlayer -1 100 NONE 0 100 NONE 0 100 ALLREDUCE 65536 10\n");
  const Outcome outcome =
      shell("headway import SimAI.conf topology workload.txt -o my.toml && headway run my.toml");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(read("my.toml"), AllOf(HasSubstr("program = \"astra-sim\""), HasSubstr("k_min = \"400 kB\"")));
  EXPECT_THAT(shell("headway import SimAI.conf").err, HasSubstr("SimAI.conf: TOPOLOGY_FILE: is missing"));
}

TEST_F(ImportNetworks, OfABooksimConfigurationWithItsAnynetFile) {
  write("net.txt", "router 0 node 0 node 1 router 1 3\nrouter 1 node 2 node 3\n");
  write("my.cfg",
        "topology = anynet; network_file = net.txt; routing_function = min; injection_rate = 0.1; traffic = "
        "uniform;\n");
  const Outcome outcome = shell("headway import my.cfg -o my.toml && headway run my.toml");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(read("my.network.toml"), HasSubstr("delay = \"3 ns\""));
  EXPECT_THAT(outcome.err, HasSubstr("1 link: the larger number of cycles"));
}

TEST_F(ImportNetworks, GoOnWithoutUnknownKeysAndListThem) {
  write("my.cfg", "topology = mesh; routing_function = dor;\nmy_key = 4;\n");
  EXPECT_EQ(shell("headway import my.cfg").code, 2);
  const Outcome outcome = shell("headway import my.cfg --unknown=warn -o my.toml && headway check my.toml");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("left out, because no reader knows it: my_key at my.cfg:2"));
  EXPECT_THAT(shell("headway import my.cfg --unknown=warm").err, HasSubstr("did you mean 'warn'?"));
  EXPECT_THAT(shell("headway import my.cfg --from booksin").err, HasSubstr("did you mean 'booksim'?"));
}

}  // namespace
}  // namespace headway::test
