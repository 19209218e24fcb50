// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace headway {

// Is there a metric of that name, of whatever kind of run?
bool is_metric(std::string_view name);

}  // namespace headway
