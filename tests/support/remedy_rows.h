// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "headway/metrics/rows.h"

namespace headway {

// A change that was run with one seed, in a search whose base ends.
inline RemedyRow remedy_row(std::string_view change, std::string_view kind, std::string_view group,
                            double gain) {
  return {.change = change,
          .kind = kind,
          .group = group,
          .settings = "--set a.b=1",
          .metric = "train.completion_ns",
          .value = 1000 / gain,
          .base = 1000,
          .effect = 0.05,
          .gain = gain,
          .gain_low = gain,
          .gain_high = gain,
          .seeds = 1,
          .status = "ok"};
}

inline Result with_remedies(const std::vector<RemedyRow>& rows) {
  Result result;
  result.tables.emplace(RemedyRow::kTable, remedies_of_rows(rows));
  return result;
}

}  // namespace headway
