// SPDX-License-Identifier: Apache-2.0
// All programs, in the order in which they are listed. One line per file.
#include "headway/programs/kind.h"

namespace headway {

Entry<ProgramKind> all_reduce(), reduce_scatter(), all_gather(), all_to_all(), broadcast(), reduce(),
    scatter(), gather(), barrier(), ping_pong(), halo(), sweep(), fft(), incast(), request_reply(), shuffle(),
    training_step(), sequence(), goal(), operations_csv(), htsim(), hpcc(), astra_sim(), chakra();

Registry<ProgramKind> programs() {
  static const Entry<ProgramKind> entries[] = {
      all_reduce(), reduce_scatter(), all_gather(),    all_to_all(), broadcast(),     reduce(),
      scatter(),    gather(),         barrier(),       ping_pong(),  halo(),          sweep(),
      fft(),        incast(),         request_reply(), shuffle(),    training_step(), sequence(),
      goal(),       operations_csv(), htsim(),         hpcc(),       astra_sim(),     chakra(),
  };
  return entries;
}

}  // namespace headway
