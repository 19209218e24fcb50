// SPDX-License-Identifier: Apache-2.0
// The picture of a timeline of a job (run/timeline.h).
#pragma once

#include <string>
#include <string_view>

#include "headway/run/timeline.h"

namespace headway {

// The timeline of a job of at most 64 ranks. Throws SpecError (key "--timeline") if the results lack it, or
// its operations.
Timeline chosen_timeline(const PointResult& point, std::string_view job);

std::string timeline_data(const Timeline& timeline);  // of all rows, as CSV
// The gnuplot script. `title` can be empty; the picture has a title all the same if rows are missing.
std::string timeline_script(const Timeline& timeline, std::string_view title, std::string_view x_label);

}  // namespace headway
