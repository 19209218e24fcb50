// SPDX-License-Identifier: Apache-2.0
// A spec's document as JSON, for the member "spec" of results.
#pragma once

#include "headway/config/document.h"
#include "headway/io/json.h"

namespace headway {

Json json_of(const Document& document);

}  // namespace headway
