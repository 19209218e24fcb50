// SPDX-License-Identifier: Apache-2.0
// What is said beside the file (--set, the settings of a figure): it takes the place of what the file says,
// and a key that is set is no longer swept. What would have no effect is refused.
#pragma once

#include <string>
#include <vector>

#include "headway/base/error.h"
#include "headway/config/document.h"
#include "headway/spec/sweep_axes.h"

namespace headway {

struct Override {
  std::string key;  // dotted
  Document value;
};

// Puts the values into the document; of several for one key the last one holds.
void apply(const std::vector<Override>& overrides, Document& document, Mistakes& mistakes);

// Takes the keys out of the axes that an override sets, however they are spelled. A sweep that would set
// again what an override has set is a mistake.
void replace_swept(const std::vector<Override>& overrides, const Document& document, SweepAxes& axes,
                   Mistakes& mistakes);

}  // namespace headway
