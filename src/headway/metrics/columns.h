// SPDX-License-Identifier: Apache-2.0
// Shared by the files that compute metrics: units, missing values, and making a table row by row.
#pragma once

#include <initializer_list>
#include <limits>
#include <span>
#include <string_view>

#include "headway/metrics/metric.h"
#include "headway/metrics/result.h"

namespace headway {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();  // a missing value

// Units.
inline constexpr std::string_view kNumber = "–";
inline constexpr std::string_view kLoad = "fraction of link rate";
inline constexpr std::string_view kTime = "fraction of time";

// A table with these columns and no rows.
Table table_of(std::initializer_list<std::span<const Metric>> parts);
// Likewise, with the columns of this table that all_metrics() has under this condition.
Table registered_table(std::string_view table, Needs needs = Needs::nothing);
// Adds a value to each of its columns, from the first.
void add_row(Table& table, std::initializer_list<double> values);

}  // namespace headway
