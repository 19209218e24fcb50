// SPDX-License-Identifier: Apache-2.0
// All programs, in the order in which they are listed. One line per file.
#include "headway/programs/kind.h"

namespace headway {

Entry<ProgramKind> barrier();
Entry<ProgramKind> goal();
Entry<ProgramKind> operations_csv();
Entry<ProgramKind> htsim();
Entry<ProgramKind> hpcc();

Registry<ProgramKind> programs() {
  static const Entry<ProgramKind> entries[] = {barrier(), goal(), operations_csv(), htsim(), hpcc()};
  return entries;
}

}  // namespace headway
