// SPDX-License-Identifier: Apache-2.0
// Tables and numbers of runs with several seeds. How a column is combined is part of its definition
// (OverSeeds in metrics/metric.h); here is what the words mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "headway/metrics/metric.h"
#include "headway/metrics/result.h"
#include "headway/metrics/tables.h"

namespace headway {

// The definition of a metric, or of a column of a table. A name that this version does not know is a mean.
const Metric& definition_of(std::string_view name, std::string_view table = {});

// One value of the values that some of the seeds have; `seeds` is the number of all. Missing values do not
// count, except in a sum, where a seed without the row has 0.
double combined_number(OverSeeds how, std::span<const double> values, std::size_t seeds);

// The table of all results, which have the same columns. The runs have the seeds first_seed, first_seed + 1
// ... If not all seeds have all rows, the column kSeeds tells how many have each of them; if the rows are
// listed, the column kSeed tells whose they are.
Table combined_table(const TableKind& kind, const std::vector<Result>& results, std::uint64_t first_seed);

}  // namespace headway
