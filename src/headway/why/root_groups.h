// SPDX-License-Identifier: Apache-2.0
// The roots of a result, with the flows and the destinations that cross them, and in groups of roots that
// tell the same story: the same kind at the same place, crossed by the same flow, of similar size.
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "headway/metrics/rows.h"
#include "headway/observe/photograph.h"
#include "headway/topology/topology.h"

namespace headway {

// What roots have in common that tell the same story.
struct RootClass {
  static constexpr int kNoStage = -2;  // the network has no stages; -1 is a node

  RootKind kind = RootKind::link;
  bool from_node = false, to_node = false;  // the device of the port, and the other end of its link
  int from_stage = kNoStage, to_stage = kNoStage;
  // The flow that causes them: it has at least half of the packets that wait and cross the root. Empty if
  // there is none, or if the results do not tell flows apart.
  std::string flow;

  friend auto operator<=>(const RootClass&, const RootClass&) = default;
};

// Packets that wait for a root; mean numbers, in the network and at nodes.
struct AtRoot {
  std::string flow;
  double packets = 0, victims = 0;
};
struct WaitedRoot {
  RootRow row;  // its names are those of the result
  RootClass of;
  double packets = 0, victims = 0;
  std::vector<AtRoot> flows;                            // the table flow_roots
  std::vector<std::pair<double, double>> destinations;  // of the packets that cross it, with their number
};

// The roots that packets wait for, largest first.
std::vector<WaitedRoot> waited_roots(const Result& result);

// The waiting for each root, divided among the destinations of the packets that cross it.
std::map<double, double> waiting_by_destination(const std::vector<WaitedRoot>& roots);

struct RootGroup {
  RootClass of;
  std::vector<std::size_t> roots;  // places in the list of waited_roots, largest first
  double packets = 0, victims = 0;
};

// All groups, largest first. The smallest root of a group has at least a tenth of the packets of the largest
// one: a few large roots are another story than many small ones beside them.
std::vector<RootGroup> root_groups(const std::vector<WaitedRoot>& roots);
// The groups without regard to size, largest first.
std::vector<RootGroup> root_classes(const std::vector<WaitedRoot>& roots);

// "30 links from stage 1 to stage 0"; without the number, "links from stage 1 to stage 0"
std::string class_text(const RootClass& of, std::size_t count);
std::string class_text(const RootClass& of);
// Like class_text, but a single root has its own name: "the link from switch 30 port 3 to node 123".
std::string group_text(const RootGroup& group, const std::vector<WaitedRoot>& roots,
                       const NetworkNames& names);

}  // namespace headway
