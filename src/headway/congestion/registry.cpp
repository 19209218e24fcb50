// SPDX-License-Identifier: Apache-2.0
// All markings and reactions, in the order in which they are listed. One line per file; "none" is the base
// class.
#include "headway/congestion/marking.h"
#include "headway/congestion/reaction.h"

namespace headway {

Entry<Marking> red_marking(), infiniband_marking(), isolation_marking();

Registry<Marking> markings() {
  static const Entry<Marking> entries[] = {
      {"none", "no packet is marked", "Headway", make_entry<Marking, Marking>},
      red_marking(),
      infiniband_marking(),
      isolation_marking()};
  return entries;
}

Entry<Reaction> dcqcn_reaction(), dcqcn_nic_reaction(), infiniband_reaction(), timely_reaction(),
    window_reaction();

Registry<Reaction> reactions() {
  static const Entry<Reaction> entries[] = {
      {"none", "sources do not react to congestion", "Headway", make_entry<Reaction, Reaction>},
      dcqcn_reaction(),
      dcqcn_nic_reaction(),
      infiniband_reaction(),
      timely_reaction(),
      window_reaction()};
  return entries;
}

}  // namespace headway
