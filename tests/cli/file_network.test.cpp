// SPDX-License-Identifier: Apache-2.0
// Messages and results name the switches and nodes of a network from a file.
#include <nlohmann/json.hpp>

#include "tests/cli/shell.h"

namespace headway::test {
namespace {

class FileNetwork : public ShellTest {
 protected:
  // Four switches in a ring; all packets travel in the same direction.
  FileNetwork() {
    write("ring.toml", R"([[switch]]
name = "north"
[[switch]]
name = "east"
[[switch]]
name = "south"
[[switch]]
name = "west"
[[node]]
at = "north:0"
name = "oslo"
[[node]]
at = "east:0"
name = "kyiv"
[[node]]
at = "south:0"
name = "rome"
[[node]]
at = "west:0"
name = "cork"
[[link]]
ends = ["north:1", "east:2"]
[[link]]
ends = ["east:1", "south:2"]
[[link]]
ends = ["south:1", "west:2"]
[[link]]
ends = ["west:1", "north:2"]
)");
    write("round.txt",
          "switch north\noslo 0\n* 1\nswitch east\nkyiv 0\n* 1\nswitch south\nrome 0\n* 1\n"
          "switch west\ncork 0\n* 1\n");
    write("spec.toml", R"([network]
topology = "file"
file = "ring.toml"
[routing]
algorithm = "table"
file = "round.txt"
cycles = "allow"
[switch]
input_memory = "128 B"
[measure]
warmup = "1 us"
duration = "100 us"
)");
  }
};

TEST_F(FileNetwork, ADeadlockIsToldByTheNamesOfItsSwitches) {
  const Outcome outcome = shell("headway run spec.toml");
  EXPECT_THAT(
      outcome.out,
      AllOf(HasSubstr("deadlock"),
            ContainsRegex("switch north port 2 queue 0 \\(node [a-z]+ -> node [a-z]+\\) -> switch east"),
            Not(HasSubstr("switch 0 port"))));
}

TEST_F(FileNetwork, WhyTellsADeadlockWithThePacketsAtTheHeadsOfItsCycle) {
  const Outcome outcome = shell("headway why spec.toml --set observe.interval='\"1 us\"' --out out");
  EXPECT_THAT(outcome.out,
              AllOf(ContainsRegex("Deadlock: [0-9]+ packets can never move: switch [a-z]+ port 2 queue 0 "
                                  "\\(node [a-z]+ -> node [a-z]+\\) -> switch\\s"),
                    Not(HasSubstr("Starvation"))));
  EXPECT_THAT(read("out/stalls.csv"), ContainsRegex("\n1,deadlock,[0-3],(north|east|south|west),,,2,0,0,"));
}

TEST_F(FileNetwork, ALinkThatIsAskedForTooMuchIsToldByItsNames) {
  const std::string hotspot = " --set traffic.flow.pattern=hotspot --set traffic.flow.destination=2";
  EXPECT_THAT(
      shell("headway run spec.toml --set 'traffic.flow.sources=\"all\"' --set traffic.flow.load=0.4 " +
            hotspot)
          .out,
      HasSubstr("the link to node rome"));
}

TEST_F(FileNetwork, ResultsHaveItsNamesBesideItsNumbers) {
  const Outcome outcome = shell(
      "headway run spec.toml --set traffic.flow.load=0.05 "
      "--set 'measure.tables=[\"per-pair\", \"per-link\", \"fairness\"]' --out out");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(
      read("out/per_destination.csv"),
      AllOf(StartsWith("seed,destination,destination_name,accepted_load,"), HasSubstr("\n1,2,rome,")));
  EXPECT_THAT(read("out/per_pair.csv"), HasSubstr("\n1,7,1,kyiv,3,cork,"));
  EXPECT_THAT(read("out/per_link.csv"),
              AllOf(StartsWith("seed,port,from_switch,from_switch_name,from_node,from_node_name,"),
                    HasSubstr(",0,north,,,1,"), HasSubstr(",,,3,cork,0,")));
  const auto json = nlohmann::json::parse(read("out/results.json"));
  EXPECT_EQ(json["points"][0]["names"]["switches"],
            (std::vector<std::string>{"north", "east", "south", "west"}));
  EXPECT_EQ(json["points"][0]["names"]["nodes"][1], "kyiv");
}

TEST_F(FileNetwork, VictimsAreToldByTheirNames) {
  EXPECT_THAT(
      shell("headway run spec.toml --set 'measure.tables=[\"fairness\"]' --set measure.victims_below=1.0")
          .out,
      AllOf(HasSubstr("victims (destinations that received too little"),
            HasSubstr("oslo, kyiv, rome, cork")));
}

TEST_F(FileNetwork, RoutingsThatCannotRouteItAdviseThoseThatCan) {
  for (const std::string routing : {"adaptive", "dor", "random-up", "turnaround"}) {
    const Outcome outcome = shell(
        "sed -i 's/^file = \"round.txt\"//; s/^cycles.*//' spec.toml; "
        "headway check spec.toml --set routing.algorithm=" +
        routing);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err,
                HasSubstr("\"" + routing + "\" cannot route a network from a file; \"det\", \"table\", "));
    EXPECT_THAT(outcome.err, Not(HasSubstr("routing.selection"))) << "there is nothing to choose from";
  }
  EXPECT_THAT(shell("headway check spec.toml --set routing.algorithm=det").err,
              HasSubstr("the links of this network do not form a tree: switches north and east are linked"));
}

}  // namespace
}  // namespace headway::test
