// SPDX-License-Identifier: Apache-2.0
// All topologies, in the order in which they are listed. One line per file in this directory.
#include "headway/topology/topology.h"

namespace headway {

Entry<Topology> k_ary_n_tree(), pgft(), bmin();
Entry<Topology> mesh(), torus();  // grid.cpp
Entry<Topology> hyperx(), dragonfly(), dragonfly_plus(), slim_fly();
Entry<Topology> single_switch();
Entry<Topology> rails();
Entry<Topology> topology_file();                                                    // file.cpp
Entry<Topology> omega(), delta(), generalised_cube(), indirect_cube(), baseline();  // multistage.cpp

Registry<Topology> topologies() {
  static const Entry<Topology> entries[] = {
      k_ary_n_tree(),     pgft(),          bmin(),    mesh(),          torus(),         hyperx(), dragonfly(),
      dragonfly_plus(),   slim_fly(),      rails(),   single_switch(), topology_file(), omega(),  delta(),
      generalised_cube(), indirect_cube(), baseline()};
  return entries;
}

}  // namespace headway
