// SPDX-License-Identifier: Apache-2.0
// A program outside the tree that builds a network, runs it and prints a number (README.md, "As a library").
#include <headway/headway.h>

#include <cstdio>

int main() {
  headway::EventSpec spec;
  spec.network.topology = headway::choose(headway::topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 2}});
  spec.switches.scheme = headway::choose(headway::schemes(), "obqa", {{"queues", 4}});
  spec.traffic.flows[0].load.points[0].load = 0.5;
  spec.measure.warmup = headway::Duration{20'000};  // ns
  spec.measure.duration = headway::Duration{100'000};
  const headway::Result result = headway::run(spec);
  std::printf("accepted load %.3f\n", result.metric("accepted_load"));
}
