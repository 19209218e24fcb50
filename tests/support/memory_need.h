// SPDX-License-Identifier: Apache-2.0
// The memory that a run of a spec needs, as the check of the spec estimates it.
#pragma once

#include "headway/compile/plan.h"
#include "headway/spec/write_spec.h"

namespace headway::test {

inline MemoryNeed memory_need(const EventSpec& spec) {
  Memo memo;
  return plan(spec, resolved(spec), {.memo = memo}).need;
}

}  // namespace headway::test
