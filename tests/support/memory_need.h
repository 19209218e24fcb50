// SPDX-License-Identifier: Apache-2.0
// The memory that a run of a spec needs, as the check of the spec estimates it.
#pragma once

#include "headway/compile/check.h"
#include "headway/spec/write_spec.h"

namespace headway::test {

inline MemoryNeed memory_need(const EventSpec& spec) {
  SeenNetworks networks;
  SpecChecks checks(networks);
  Mistakes mistakes;
  checks.check(spec, resolved(spec), mistakes);
  return checks.need();
}

}  // namespace headway::test
