// SPDX-License-Identifier: Apache-2.0
// The [units] table of a spec file defines cycle and flit, so that quantities can be written as in papers:
// "20 cycles", "1024 flits", "1 flit/cycle". They are replaced by exact times, sizes and rates before
// anything else is read.
#pragma once

#include <optional>
#include <string>

#include "headway/base/error.h"
#include "headway/base/units.h"
#include "headway/config/document.h"
#include "headway/config/parameters.h"

namespace headway {

struct UnitsTable {
  Duration cycle{1};
  Bytes flit{1};

  void describe(Parameters& parameters);
};

// Removes [units] from the document, replaces every quantity in cycles and flits, and returns the table. A
// document without [units] is unchanged.
std::optional<UnitsTable> replace_units(Document& document, Mistakes& mistakes);
// Replaces the quantities in the value of a key.
void replace_units(Document& value, const std::string& key, const UnitsTable& units, Mistakes& mistakes);

}  // namespace headway
