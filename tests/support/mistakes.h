// SPDX-License-Identifier: Apache-2.0
// The mistakes of a spec that is not part of a sweep.
#pragma once

#include "headway/compile/plan.h"
#include "headway/spec/write_spec.h"

namespace headway::test {

inline Mistakes mistakes_of(const Spec& spec) {
  Memo memo;
  return plan(spec, resolved(spec), {.memo = memo}).mistakes;
}

}  // namespace headway::test
