// SPDX-License-Identifier: Apache-2.0
// The mistakes of a spec that is not part of a sweep.
#pragma once

#include "headway/compile/check.h"
#include "headway/spec/write_spec.h"

namespace headway::test {

inline Mistakes mistakes_of(const Spec& spec) {
  SeenNetworks networks;
  Mistakes mistakes;
  SpecChecks(networks).check(spec, resolved(spec), mistakes);
  return mistakes;
}

}  // namespace headway::test
