// SPDX-License-Identifier: Apache-2.0
// All programs, in the order in which they are listed. One line per file.
#include "headway/programs/kind.h"

namespace headway {

Entry<ProgramKind> barrier();

Registry<ProgramKind> programs() {
  static const Entry<ProgramKind> entries[] = {barrier()};
  return entries;
}

}  // namespace headway
