// SPDX-License-Identifier: Apache-2.0
// All programs, in the order in which they are listed. One line per file.
#include "headway/programs/kind.h"

namespace headway {

double ProgramKind::bus_bytes(std::uint32_t) const { return 0; }
bool ProgramKind::take_parts(std::span<const Choice<ProgramKind>>) { return false; }

Entry<ProgramKind> all_reduce();
Entry<ProgramKind> reduce_scatter();
Entry<ProgramKind> all_gather();
Entry<ProgramKind> all_to_all();
Entry<ProgramKind> broadcast();
Entry<ProgramKind> reduce();
Entry<ProgramKind> scatter();
Entry<ProgramKind> gather();
Entry<ProgramKind> barrier();
Entry<ProgramKind> ping_pong();
Entry<ProgramKind> halo();
Entry<ProgramKind> sweep();
Entry<ProgramKind> fft();
Entry<ProgramKind> incast();
Entry<ProgramKind> request_reply();
Entry<ProgramKind> shuffle();
Entry<ProgramKind> training_step();
Entry<ProgramKind> sequence();
Entry<ProgramKind> goal();
Entry<ProgramKind> operations_csv();
Entry<ProgramKind> htsim();
Entry<ProgramKind> hpcc();
Entry<ProgramKind> astra_sim();
Entry<ProgramKind> chakra();

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
