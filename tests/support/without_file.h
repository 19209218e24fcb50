// SPDX-License-Identifier: Apache-2.0
// The schemes that are valid with default parameters. The others need a file.
#pragma once

#include <vector>

#include "headway/queueing/scheme.h"

namespace headway::test {

inline std::vector<Entry<Scheme>> schemes_without_file() {
  std::vector<Entry<Scheme>> result;
  for (const Entry<Scheme>& entry : schemes()) {
    Mistakes mistakes;
    entry.make()->check(mistakes);
    if (mistakes.empty()) result.push_back(entry);
  }
  return result;
}

}  // namespace headway::test
