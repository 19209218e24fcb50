// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/metric.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "headway/metrics/result.h"
#include "headway/metrics/tables.h"

namespace headway {
namespace {

std::string_view explained(std::string_view name, std::string_view table = {}) {
  const Metric* metric = find_metric(name, table);
  return metric == nullptr ? "" : metric->name;
}

TEST(Metric, NamesWithNumbersAndPartsAreCovered) {
  EXPECT_EQ(explained("hotspot_relative_throughput"), "PART_relative_throughput");
  EXPECT_EQ(explained("cold_5_class_1_throughput"), "PART_throughput");
  EXPECT_EQ(explained("adjacent_class_0_universal"), "PART_universal");
  EXPECT_EQ(explained("class_0_blocked_fraction"), "PART_blocked_fraction");
  EXPECT_EQ(explained("normalised_delay"), "normalised_delay");
  EXPECT_EQ(explained("cfqs_stage_2", "series"), "cfqs_stage_S");
  EXPECT_EQ(explained("accepted_load_17", "destination_series"), "accepted_load_D");
  EXPECT_EQ(explained("cfqs_3_12", "port_series"), "cfqs_S_P");
}

TEST(Metric, OtherNamesAreNot) {
  for (const char* name : {"", "latency", "latency_mean_ns_", "cold_class_1_throughput", "class_x_throughput",
                           "adjacent_throughput", "cfqs_stage_2"})
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

}  // namespace
}  // namespace headway
