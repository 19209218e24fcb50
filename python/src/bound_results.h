// SPDX-License-Identifier: Apache-2.0
// Points of specs and of results, as Python objects hold them.
#pragma once

#include <memory>
#include <vector>

#include "headway/compile/experiment.h"
#include "headway/run/results.h"

namespace headway::python {

using SharedPoint = std::shared_ptr<PointResult>;

std::vector<SharedPoint> shared(std::vector<PointResult> points);

// Throws SpecError if the spec has several points.
void expect_single(const Experiment& experiment);

}  // namespace headway::python
