// SPDX-License-Identifier: Apache-2.0
// The queueing schemes that exist, in the order they are shown. One line here per file in this folder.
#include "headway/queueing/scheme.h"

namespace headway {

Entry<Scheme> one_queue(), voqsw(), voqnet(), dbbm(), obqa(), emptiest(), fbicm(), recn_iq();

Registry<Scheme> schemes() {
  static const Entry<Scheme> entries[] = {one_queue(), voqsw(),    voqnet(), dbbm(),
                                          obqa(),      emptiest(), fbicm(),  recn_iq()};
  return entries;
}

}  // namespace headway
