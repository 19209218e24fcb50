// SPDX-License-Identifier: Apache-2.0
#include "headway/catalogue/starters.h"

namespace headway::catalogue {
namespace {

constexpr std::string_view kTree = R"(
[network]
topology = "pgft"
radix = 16
levels = 2
nodes = 64
oversubscription = 1
link.rate = "12.5 GB/s"
link.delay = "20 ns"

[routing]
algorithm = "det"

[switch]
scheme = "obqa"
queues = 4
input_memory = "64 KiB"

[traffic]
packet = "2 KiB"

[[traffic.flow]]
pattern = "uniform"
arrivals = "poisson"
load = 0.5

[measure]
warmup = "50 us"
duration = "200 us"

# Values of keys to compare, in quotes: every combination is a point.
[sweep]
"traffic.flow.load" = [0.3, 0.6, 0.9]
)";

constexpr std::string_view kDragonfly = R"(
[network]
topology = "dragonfly"
p = 2
a = 4
h = 2
link.rate = "12.5 GB/s"
link.delay = "20 ns"

[routing]
algorithm = "ugal"

[switch]
scheme = "1q"
input_memory = "64 KiB"

[traffic]
packet = "512 B"

[[traffic.flow]]
# all nodes of a group (a x p of them) send to the next group, which has one link to it
pattern = "next-group"
size = 8
load = 0.2

[measure]
warmup = "20 us"
duration = "50 us"

# Values of keys to compare, in quotes: every combination is a point.
[sweep]
"routing.algorithm" = ["minimal", "valiant", "ugal"]
)";

constexpr std::string_view kGrid = R"(
[network]
# a mesh has the same keys
topology = "torus"
sides = [4, 4, 4]
link.rate = "12.5 GB/s"
link.delay = "10 ns"

[routing]
algorithm = "dor"
rings = "dateline"

[switch]
scheme = "1q"
input_memory = "32 KiB"

[traffic]
packet = "512 B"

[[traffic.flow]]
pattern = "uniform"
load = 0.4

[measure]
warmup = "20 us"
duration = "50 us"

# Values of keys to compare, in quotes: every combination is a point.
[sweep]
"traffic.flow.pattern" = ["uniform", "tornado"]
)";

constexpr std::string_view kHyperx = R"(
[network]
topology = "hyperx"
sides = [4, 4]
nodes_per_switch = 4
link.rate = "12.5 GB/s"
link.delay = "10 ns"

[routing]
algorithm = "dor"

[switch]
scheme = "1q"
input_memory = "64 KiB"

[traffic]
packet = "512 B"

[[traffic.flow]]
pattern = "uniform"
load = 0.5

[measure]
warmup = "20 us"
duration = "50 us"

# Values of keys to compare, in quotes: every combination is a point.
[sweep]
"routing.algorithm" = ["dor", "valiant", "ugal"]
)";

constexpr std::string_view kFabric = R"(
[network]
topology = "file"
# the file of 'headway new fabric --out FILE', one of your own, or what ibnetdiscover printed (docs/files.md)
file = "headway.network.toml"
link.rate = "12.5 GB/s"
link.delay = "20 ns"

[routing]
algorithm = "up-down"

[switch]
scheme = "1q"
input_memory = "64 KiB"

[traffic]
packet = "2 KiB"

[[traffic.flow]]
pattern = "uniform"
load = 0.4

[measure]
warmup = "50 us"
duration = "200 us"

# Values of keys to compare, in quotes: every combination is a point. Here a link fails.
[sweep]
"network.failures.at" = [[], ["leaf0:4"]]
)";

constexpr std::string_view kFabricFile = R"(# A network: switches, nodes and links (docs/files.md).
[[switch]]
name = "leaf0"
[[switch]]
name = "leaf1"
[[switch]]
name = "spine0"
[[switch]]
name = "spine1"

[[node]]
at = "leaf0"                  # switch, or "SWITCH:PORT"
count = 4                     # nodes like this one
[[node]]
at = "leaf1"
count = 4

[[link]]
ends = ["leaf0:4", "spine0"]  # "rate" and "delay" of a link replace those of the spec
[[link]]
ends = ["leaf0:5", "spine1"]
[[link]]
ends = ["leaf1:4", "spine0"]
[[link]]
ends = ["leaf1:5", "spine1"]
)";

constexpr std::string_view kIncast = R"(
[network]
topology = "k-ary-n-tree"
k = 4
n = 3
link.rate = "12.5 GB/s"
link.delay = "10 ns"

[switch]
scheme = "1q"
input_memory = "64 KiB"

[traffic]
packet = "1 KiB"

# Three quarters of the nodes send to all nodes ...
[[traffic.flow]]
name = "background"
sources = { fraction = 0.75 }
pattern = "uniform"
load = 0.4

# ... and the others to one node, more than its link can carry.
[[traffic.flow]]
name = "storage"
sources = { rest = true }
pattern = "hotspot"
destination = 11
load = 0.4
start = "20 us"

[measure]
warmup = "50 us"
duration = "200 us"

[observe]
waiting = true

# Values that advance together: a scheme with its parameters.
[[sweep.zip]]
"switch.scheme" = ["1q", "dbbm", "obqa", "voqsw", "fbicm"]
"switch.queues" = [1, 4, 4, 1, 1]
)";

constexpr std::string_view kJob = R"(
[network]
topology = "k-ary-n-tree"
k = 4
n = 3
link.rate = "12.5 GB/s"
link.delay = "10 ns"

[switch]
scheme = "1q"
input_memory = "64 KiB"

[traffic]
packet = "1 KiB"

# Half of the nodes run a collective ...
[[traffic.job]]
name = "training"
program = "all-reduce"
algorithm = "ring"
size = "64 KiB"
nodes = { random = 0.5 }

# ... and others write to storage nodes until it is done.
[[traffic.job]]
name = "storage"
program = "incast"
senders = 24
receivers = 2
size = "64 KiB"
nodes = { rest = true }
background = true

# Values of keys to compare, in quotes: every combination is a point.
[sweep]
"switch.scheme" = ["1q", "voqsw"]
)";

}  // namespace

std::span<const Starter> starters() {
  static constexpr Starter kList[] = {
      {"tree", "a fat-tree of switches with a given number of ports, at three loads", kTree},
      {"dragonfly", "a dragonfly whose groups send to the next group, with three routings", kDragonfly},
      {"grid", "a torus or mesh of any dimension, with two patterns", kGrid},
      {"hyperx", "a HyperX or flattened butterfly, with three routings", kHyperx},
      {"fabric", "a network from a file or from the output of ibnetdiscover, with and without a failed link",
       kFabric, "headway.network.toml", kFabricFile},
      {"incast", "many nodes send to one while others exchange traffic, with five queueing schemes", kIncast},
      {"job", "an all-reduce beside writes to storage, with two queueing schemes", kJob},
  };
  return kList;
}

}  // namespace headway::catalogue
