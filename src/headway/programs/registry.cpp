// SPDX-License-Identifier: Apache-2.0
// All programs, in the order in which they are listed: the built-in ones, one line per file, then those of
// files.
#include "headway/programs/kind.h"

namespace headway {

Entry<ProgramKind> all_reduce(), reduce_scatter(), all_gather(), all_to_all(), broadcast(), reduce(),
    scatter(), gather(), barrier(), ping_pong(), halo(), sweep(), fft(), incast(), request_reply(), shuffle(),
    training_step(), sequence();
#define HEADWAY_ENTRY(format) Entry<ProgramKind> format();
#include "program_files.inc"
#undef HEADWAY_ENTRY

Registry<ProgramKind> programs() {
  static const Entry<ProgramKind> entries[] = {
      all_reduce(), reduce_scatter(), all_gather(),    all_to_all(), broadcast(),     reduce(),
      scatter(),    gather(),         barrier(),       ping_pong(),  halo(),          sweep(),
      fft(),        incast(),         request_reply(), shuffle(),    training_step(), sequence(),
#define HEADWAY_ENTRY(format) format(),
#include "program_files.inc"
#undef HEADWAY_ENTRY
  };
  return entries;
}

}  // namespace headway
