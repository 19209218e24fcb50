// SPDX-License-Identifier: Apache-2.0
// A user's figure of the rows of a table of results.
#pragma once

#include <string>
#include <vector>

#include "headway/papers/plot.h"

namespace headway {

// Needs axes.table.
Plot make_table_plot(const std::vector<PointResult>& results, const PlotAxes& axes, const std::string& title);

}  // namespace headway
