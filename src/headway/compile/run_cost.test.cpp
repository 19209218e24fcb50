// SPDX-License-Identifier: Apache-2.0
// The expected packet-hops of a run against those that a run counts. All runs measure from the start.
#include "headway/compile/run_cost.h"

#include <gtest/gtest.h>

#include <string>

#include "headway/config/toml.h"
#include "headway/run/run.h"
#include "headway/run/saturation.h"

namespace headway {
namespace {

struct Case {
  std::string name;
  std::string text;
  double tolerance = 0.03;
};

std::string with_load(double load, const std::string& more = "") {
  return "[[traffic.flow]]\nload = " + std::to_string(load) + "\n" + more +
         "[measure]\nwarmup = \"0 us\"\nduration = \"100 us\"\n";
}

Experiment experiment_in(const std::string& text) { return load_experiment(parse_toml(text, "x")); }

TEST(RunCost, ExpectsTheHopsThatRunsCount) {
  const std::string jobs = "[measure]\nuntil = \"done\"\n[[traffic.job]]\nprogram = \"all-reduce\"\n";
  const Case cases[] = {
      {"tree", "network = { k = 4, n = 3 }\n" + with_load(0.3)},
      {"any up port",
       "network = { k = 4, n = 2 }\nrouting = { algorithm = \"adaptive\" }\n" + with_load(0.3)},
      {"permutation", "network = { k = 4, n = 3 }\n" + with_load(0.3, "pattern = \"complement\"\n")},
      {"torus",
       "network = { topology = \"torus\", sides = [4, 4] }\nrouting = { algorithm = \"dor\", rings = "
       "\"bubble\" }\n" +
           with_load(0.2)},
      {"valiant",
       "network = { topology = \"dragonfly\", p = 2, a = 4, h = 2 }\nrouting = { algorithm = "
       "\"valiant\" }\n" +
           with_load(0.1)},
      {"minimal choices",
       "network = { topology = \"hyperx\", sides = [4, 4], nodes_per_switch = 2 }\n"
       "routing = { algorithm = \"adaptive\" }\n" +
           with_load(0.2)},
      {"sizes",
       "network = { k = 4, n = 2 }\n" +
           with_load(0.3, "sizes = \"uniform\"\nsmallest = \"10 B\"\nlargest = \"1000 B\"\n"),
       0.1},
      {"ramp",
       "network = { k = 4, n = 2 }\n[[traffic.flow]]\nload = [[\"0 us\", 0.1], [\"50 us\", 0.4]]\n"
       "load_change = \"ramp\"\nstart = \"10 us\"\nstop = \"80 us\"\n[measure]\nwarmup = \"0 us\"\n"
       "duration = \"100 us\"\n"},
      {"one destination", "network = { topology = \"single-switch\", nodes = 16 }\n" +
                              with_load(0.5, "pattern = \"hotspot\"\ndestination = 3\n")},
      {"jobs", "network = { k = 4, n = 2 }\n" + jobs + "size = \"10 KiB\"\niterations = 3\n", 1e-9},
      {"jobs alone", "network = { k = 4, n = 2 }\n" + jobs + "size = \"10 KiB\"\nrendezvous = \"100 B\"\n",
       1e-9},
      {"trace",
       "network = { k = 4, n = 2, link = { rate = \"1 GB/s\" } }\n[traffic.trace]\n"
       "format = \"synthetic\"\nlength = \"10 ms\"\nrate = \"0.4 GB/s\"\nrequest = \"1 KiB\"\n"
       "[measure]\nwarmup = \"0 us\"\nduration = \"2 ms\"\n",
       0.3}};
  for (const auto& [name, text, tolerance] : cases) {
    SCOPED_TRACE(name);
    const Experiment experiment = experiment_in(text);
    const Result result = run(experiment.points.front().spec());
    const double counted = result.metric("packet_hops");
    EXPECT_NEAR(experiment.points.front().work.hops / counted, 1, tolerance);
  }
}

// The estimate is that of large switches; with 8 ports, less waits.
TEST(RunCost, ExpectsThePacketsInTheNetwork) {
  const Case cases[] = {
      {"one queue", "network = { k = 16, n = 2 }\n" + with_load(0.4), 0.2},
      {"more load", "network = { k = 16, n = 2 }\n" + with_load(0.5), 0.2},
      {"several queues",
       "network = { k = 16, n = 2 }\nswitch = { scheme = \"obqa\", queues = 8 }\n" + with_load(0.5), 0.2},
      {"few ports", "network = { k = 4, n = 4 }\n" + with_load(0.2), 0.25},
      {"long links",
       "network = { k = 16, n = 2, link = { delay = \"500 ns\" } }\nswitch = { routing_delay = \"100 ns\", "
       "input_memory = \"64 KiB\" }\n" +
           with_load(0.3),
       0.1},
      {"part of the time",
       "network = { k = 16, n = 2 }\n" + with_load(0.4, "start = \"20 us\"\nstop = \"40 us\"\n"), 0.2}};
  for (const auto& [name, text, tolerance] : cases) {
    SCOPED_TRACE(name);
    const Experiment experiment = experiment_in(text);
    const Result result = run(experiment.points.front().spec());
    const double share = name == "part of the time" ? 0.2 : 1;
    EXPECT_NEAR(experiment.points.front().work.packets * share / result.metric("packets_in_network_mean"), 1,
                tolerance);
  }
  const std::string job =
      "network = { k = 4, n = 2 }\n[measure]\nuntil = \"done\"\n[[traffic.job]]\nprogram = "
      "\"all-reduce\"\nsize = \"10 KiB\"\n";
  EXPECT_EQ(experiment_in(job).points.front().work.packets, 0);  // not known
}

}  // namespace
}  // namespace headway
