// SPDX-License-Identifier: Apache-2.0
// Simulated times, as people read them.
#pragma once

#include <cmath>
#include <string>

namespace headway {

// "12.3 us"; with the half width of an interval, if there is one, "12.3 ± 0.4 us".
std::string time_text(double ns, double half_width = std::nan(""));

}  // namespace headway
