// SPDX-License-Identifier: Apache-2.0
// The data rates of InfiniBand links by their width and speed, such as 4xEDR.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "headway/base/units.h"

namespace headway {

// The data rate of "4xEDR", without coding overhead; nullopt if the word is not a width and a speed.
std::optional<Rate> infiniband_rate(std::string_view word);

// A width and speed with exactly this rate; nullopt if there is none. Several can have it: 4 lanes come
// first.
std::optional<std::string> infiniband_speed(const Rate& rate);

// "SDR, DDR, ...", for hints
std::string infiniband_speed_names();

}  // namespace headway
