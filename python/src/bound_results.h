// SPDX-License-Identifier: Apache-2.0
// Points of results, as held by Python objects.
#pragma once

#include <memory>
#include <vector>

#include "headway/run/results.h"

namespace headway::python {

using SharedPoint = std::shared_ptr<PointResult>;

std::vector<SharedPoint> shared(std::vector<PointResult> points);

}  // namespace headway::python
