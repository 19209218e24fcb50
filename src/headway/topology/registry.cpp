// SPDX-License-Identifier: Apache-2.0
// The topologies that exist, in the order they are shown. One line here per file in this folder.
#include "headway/topology/topology.h"

namespace headway {

Entry<Topology> k_ary_n_tree(), single_switch();
Entry<Topology> omega(), delta(), generalised_cube(), indirect_cube(), baseline();  // multistage.cpp

Registry<Topology> topologies() {
  static const Entry<Topology> entries[] = {k_ary_n_tree(),     single_switch(), omega(),   delta(),
                                            generalised_cube(), indirect_cube(), baseline()};
  return entries;
}

}  // namespace headway
