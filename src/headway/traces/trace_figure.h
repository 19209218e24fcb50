// SPDX-License-Identifier: Apache-2.0
// The load of a trace over time as a figure: all nodes, and the busiest link.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "headway/base/units.h"
#include "headway/pictures/figure.h"
#include "headway/traces/summary.h"

namespace headway {

// For links of this rate, before compression. The summary has messages.
std::vector<Curve> trace_curves(const TraceSummary& summary, const Rate& link);

// Creates the directory and writes the figure (write_figure). `name` is that of the trace.
FigureFiles write_trace_figure(const std::filesystem::path& directory, const TraceSummary& summary,
                               const Rate& link, const std::string& name, Titles titles);

}  // namespace headway
