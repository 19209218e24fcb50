// SPDX-License-Identifier: Apache-2.0
// An anchor is a number that a closed form, the literature or another simulator gives. A test states it once:
// here, beside the number of Headway. The test fails if the two differ by more than the tolerance, or if
// docs/validation.md does not have this row. `./dev docs validation` writes the rows (tools/validation.py).
#pragma once

#include <string>

namespace headway::test {

struct Anchor {
  std::string group;   // the table of the page: <!-- anchors GROUP -->
  std::string what;    // the quantity, with its unit
  std::string source;  // where the expected number is from
  double expected = 0;
  double tolerance = 0;  // of the difference
};

void expect_anchor(const Anchor& anchor, double ours);

}  // namespace headway::test
