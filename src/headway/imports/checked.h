// SPDX-License-Identifier: Apache-2.0
// Checks the spec of an import before anything is written.
#pragma once

#include <string>
#include <vector>

#include "headway/base/error.h"
#include "headway/imports/import.h"

namespace headway::imports {

// What `headway check` refuses in the spec, which will be the file `path`. The place of a mistake is that in
// the file from which the wrong part was made, and `source` if the spec itself is wrong.
std::vector<Mistake> refused(const Import& made, const std::string& path, const std::string& source);

}  // namespace headway::imports
