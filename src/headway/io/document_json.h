// SPDX-License-Identifier: Apache-2.0
// A value of a spec's document as JSON, as in the member "spec" of results.
#pragma once

#include "headway/config/document.h"
#include "headway/io/json.h"

namespace headway {

Json json_of(const Document& document);

}  // namespace headway
