// SPDX-License-Identifier: Apache-2.0
#include "headway/selection/mc.h"

#include "headway/config/names.h"
#include "headway/config/parameters.h"

namespace headway {

constexpr auto names_in_specs(MostCredits::Ties) { return name_list("rotate", "random"); }

void MostCredits::describe(Parameters& parameters) {
  parameters.field({.name = "ties", .help = "choice among ports with equally many credits"}, ties);
}

}  // namespace headway
