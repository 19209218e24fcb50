// SPDX-License-Identifier: Apache-2.0
// All queueing schemes, in the order in which they are listed. One line per file in this directory.
#include "headway/queueing/scheme.h"

namespace headway {

Entry<Scheme> one_queue(), voqsw(), voqnet(), dbbm(), obqa(), emptiest(), dbbm_unshared(), fbicm(), recn_iq(),
    vftree(), table_scheme();

Registry<Scheme> schemes() {
  static const Entry<Scheme> entries[] = {one_queue(), voqsw(),    voqnet(),        dbbm(),
                                          obqa(),      emptiest(), dbbm_unshared(), fbicm(),
                                          recn_iq(),   vftree(),   table_scheme()};
  return entries;
}

}  // namespace headway
