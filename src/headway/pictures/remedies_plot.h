// SPDX-License-Identifier: Apache-2.0
// The picture of measured causes and remedies: a bar for each change of a spec (remedies/chart.h).
#pragma once

#include <string>
#include <string_view>

#include "headway/metrics/result.h"
#include "headway/remedies/chart.h"

namespace headway {

std::string remedies_data(const RemedyChart& chart);  // of the main bars, as CSV
// The gnuplot script. `title` and `x_label` can be empty.
std::string remedies_script(const RemedyChart& chart, std::string_view title, std::string_view x_label);

}  // namespace headway
