// SPDX-License-Identifier: Apache-2.0
// The network of a spec, for every kernel.
#pragma once

#include "headway/config/registry.h"
#include "headway/topology/link_faults.h"
#include "headway/topology/topology.h"

namespace headway {

struct NetworkSpec {
  Choice<Topology> topology = choose(topologies(), "k-ary-n-tree");
  Link link;  // { rate = "1 GB/s", delay = "4 ns" }
  LinkFaults faults;
};

}  // namespace headway
