// SPDX-License-Identifier: Apache-2.0
// All markings and reactions, in the order in which they are listed. One line per file.
#include "headway/congestion/marking.h"
#include "headway/congestion/reaction.h"

namespace headway {

Entry<Marking> no_marking(), red_marking(), infiniband_marking(), isolation_marking();

Registry<Marking> markings() {
  static const Entry<Marking> entries[] = {no_marking(), red_marking(), infiniband_marking(),
                                           isolation_marking()};
  return entries;
}

Entry<Reaction> no_reaction(), dcqcn_reaction(), dcqcn_nic_reaction(), infiniband_reaction(),
    timely_reaction(), window_reaction();

Registry<Reaction> reactions() {
  static const Entry<Reaction> entries[] = {no_reaction(),         dcqcn_reaction(),  dcqcn_nic_reaction(),
                                            infiniband_reaction(), timely_reaction(), window_reaction()};
  return entries;
}

}  // namespace headway
