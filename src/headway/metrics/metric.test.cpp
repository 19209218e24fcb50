// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/metric.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "headway/metrics/result.h"
#include "headway/metrics/tables.h"
#include "headway/metrics/units.h"

namespace headway {
namespace {

std::string_view explained(std::string_view name, std::string_view table = {}) {
  const Metric* metric = find_metric(name, table);
  return metric == nullptr ? "" : metric->name;
}

TEST(Metric, NamesWithNumbersAndPartsAreCovered) {
  EXPECT_EQ(explained("hotspot_relative_throughput"), "PART_relative_throughput");
  EXPECT_EQ(explained("cold_5_class_1_throughput"), "PART_throughput");
  EXPECT_EQ(explained("adjacent_throughput"), "PART_throughput");
  EXPECT_EQ(explained("adjacent_class_0_universal"), "PART_universal");
  EXPECT_EQ(explained("class_0_blocked_fraction"), "PART_blocked_fraction");
  EXPECT_EQ(explained("normalised_delay"), "normalised_delay");
  EXPECT_EQ(explained("cfqs_stage_2", "series"), "cfqs_stage_S");
  EXPECT_EQ(explained("accepted_load_17", "destination_series"), "accepted_load_D");
  EXPECT_EQ(explained("cfqs_3_12", "port_series"), "cfqs_S_P");
}

TEST(Metric, OtherNamesAreNot) {
  for (const char* name : {"", "latency", "latency_mean_ns_", "cold_class_1_throughput", "class_x_throughput",
                           "adjacent_class_throughput", "cfqs_stage_2"})
    EXPECT_EQ(explained(name), "") << name;
  EXPECT_EQ(explained("cfqs_stage_", "series"), "");
  EXPECT_EQ(explained("cfqs_3", "port_series"), "");
  EXPECT_EQ(explained("latency_p99_ns", "series"), "");
}

TEST(Metric, EachIsSaidOncePerTableAndNeed) {
  std::set<std::string> seen;
  for (const Metric& metric : all_metrics()) {
    const std::string key =
        std::string(metric.name) + ' ' + std::string(metric.table) + ' ' + std::string(name_of(metric.needs));
    EXPECT_TRUE(seen.insert(key).second) << key;
    EXPECT_FALSE(metric.unit.empty()) << key;
    EXPECT_FALSE(metric.help.empty()) << key;
  }
}

TEST(Metric, NumbersInSnapshotsHaveNamesOfTheirOwn) {
  std::set<std::string_view> seen;
  for (const Metric& number : snapshot_metrics()) {
    EXPECT_TRUE(seen.insert(number.name).second) << number.name;
    for (const Metric& metric : all_metrics()) EXPECT_NE(metric.name, number.name) << metric.table;
  }
}

TEST(Metric, EveryTableOfAResultSaysWhatItIs) {
  EXPECT_TRUE(std::ranges::is_sorted(result_tables(), {}, &TableKind::name));
  for (const TableKind& table : result_tables()) {
    SCOPED_TRACE(table.name);
    EXPECT_FALSE(table.columns.empty());
    EXPECT_FALSE(table.rows.empty());
    EXPECT_FALSE(table.when.empty());
    EXPECT_EQ(find_table(table.name), &table);
    for (const Metric& column : table.columns)
      EXPECT_EQ(find_metric(column.name, table.name)->help, column.help);
  }
  EXPECT_EQ(find_table("no such table"), nullptr);
}

// What identifies something is no quantity, so it has no mean over seeds.
TEST(Metric, NothingThatIdentifiesIsAveragedOverSeeds) {
  for (const Metric& metric : all_metrics()) {
    const bool identifies = metric.unit == kNumber || metric.unit == kName;
    const bool is_whole = metric.over_seeds == OverSeeds::key || metric.over_seeds == OverSeeds::same ||
                          metric.over_seeds == OverSeeds::listed;
    EXPECT_TRUE(!identifies || is_whole) << metric.table << ' ' << metric.name;
  }
}

TEST(Metric, RowsOfSeveralSeedsAreListedOrHaveKeys) {
  for (const TableKind& table : result_tables()) {
    std::size_t keys = 0, listed = 0, combined = 0;
    for (const Metric& column : table.columns) {
      if (column.over_seeds == OverSeeds::key)
        ++keys;
      else if (column.over_seeds == OverSeeds::listed)
        ++listed;
      else if (column.over_seeds != OverSeeds::same)
        ++combined;
    }
    EXPECT_GT(keys, 0U) << table.name;
    EXPECT_TRUE(listed == 0 || combined == 0) << table.name;
  }
}

TEST(Metric, AnErrorIsThatOfAMean) {
  for (const Metric& metric : all_metrics()) {
    EXPECT_EQ(metric.over_seeds == OverSeeds::error, !metric.error_of.empty()) << metric.name;
    EXPECT_EQ(metric.over_seeds == OverSeeds::error, metric.help.starts_with("standard error"))
        << metric.table << ' ' << metric.name;
    if (metric.error_of.empty()) continue;
    const Metric* const mean = find_metric(metric.error_of, metric.table);
    ASSERT_NE(mean, nullptr) << metric.name;
    EXPECT_EQ(mean->over_seeds, OverSeeds::mean) << metric.name;
  }
}

// The largest of all packets, links or queues is the largest of all runs, not the mean of the largest ones.
TEST(Metric, ExtremesOverSeedsAreExtremes) {
  for (const Metric& metric : all_metrics()) {
    if (metric.needs == Needs::structure || metric.over_seeds == OverSeeds::listed) continue;
    const std::string name = std::string(metric.name) + '_';
    const auto has = [&](std::string_view word) { return name.find(word) != name.npos; };
    EXPECT_EQ(metric.over_seeds == OverSeeds::maximum,
              metric.help.starts_with("maximum ") || has("_max_") || name.starts_with("longest_"))
        << metric.table << ' ' << metric.name;
    EXPECT_EQ(metric.over_seeds == OverSeeds::minimum,
              metric.help.starts_with("minimum ") || has("_min_") || has("_least_"))
        << metric.table << ' ' << metric.name;
  }
}

}  // namespace
}  // namespace headway
