// SPDX-License-Identifier: Apache-2.0
#include "headway/kernel/kernel.h"

namespace headway {

#define HEADWAY_ENTRY(name) Entry<Kernel> name##_kernel();
#include "kernels.inc"
#undef HEADWAY_ENTRY

Registry<Kernel> kernels() {
  static const Entry<Kernel> entries[] = {
#define HEADWAY_ENTRY(name) name##_kernel(),
#include "kernels.inc"
#undef HEADWAY_ENTRY
  };
  return entries;
}

}  // namespace headway
