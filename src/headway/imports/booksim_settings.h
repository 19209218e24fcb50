// SPDX-License-Identifier: Apache-2.0
// The settings of BookSim 2: "name = value;" with // comments.
#pragma once

#include <span>
#include <vector>

#include "headway/imports/import.h"
#include "headway/imports/settings.h"

namespace headway::imports {

std::vector<Setting> settings_of_booksim(const Source& source, Mistakes& mistakes);

// The settings without counterpart.
std::span<const Without> without_in_booksim();

}  // namespace headway::imports
