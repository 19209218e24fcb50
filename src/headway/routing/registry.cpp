// SPDX-License-Identifier: Apache-2.0
// The routing functions that exist, in the order they are shown. One line here per file in this folder.
#include "headway/routing/routing.h"

namespace headway {

Entry<Routing> det(), random_up(), turnaround(), dor(), table(), adaptive();

Registry<Routing> routings() {
  static const Entry<Routing> entries[] = {det(), random_up(), turnaround(), dor(), table(), adaptive()};
  return entries;
}

}  // namespace headway
