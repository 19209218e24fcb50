// SPDX-License-Identifier: Apache-2.0
// A JSON Schema of spec files, from the same description that the parser uses. Editors with a TOML language
// server complete keys with it, show their help and mark mistakes. `headway check` finds more: what depends
// on the network, and bounds of quantities with a unit.
#pragma once

#include <string>

namespace headway::catalogue {

std::string spec_schema();

}  // namespace headway::catalogue
