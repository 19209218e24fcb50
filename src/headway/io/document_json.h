// SPDX-License-Identifier: Apache-2.0
// A spec's document as JSON, for the member "spec" of results.
#pragma once

#include <string>

#include "headway/config/document.h"

namespace headway {

std::string to_json(const Document& document);  // on one line

}  // namespace headway
