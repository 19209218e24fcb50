// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "headway/run/hooks.h"

namespace headway::test {

// A run uses all its threads and processes, even if they make it slower.
inline const RunHooks kAlwaysCut{.always_cut = true};

}  // namespace headway::test
