// SPDX-License-Identifier: Apache-2.0
// Values given in addition to the file (--set, the settings of a figure). They replace values of the file,
// and a key that is set is no longer swept. A list or a range for a key that holds a single value sweeps the
// key over it. An override without effect is a mistake.
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

// Returns true if the override of the document sweeps its key. A list for a key that takes a list, such as
// measure.tables, is a single value; a list of lists sweeps such a key.
bool is_sweep(const Override& change, const Document& document);

// Sets the values in the document. If a key has several, the last one is used.
void apply(const std::vector<Override>& overrides, Document& document, Mistakes& mistakes);

// Removes the keys that an override sets from the axes, independent of their spelling. It is a mistake if a
// sweep would set a key again that an override has set.
void replace_swept(const std::vector<Override>& overrides, const Document& document, SweepAxes& axes,
                   Mistakes& mistakes);

}  // namespace headway
