// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/rows.h"

#include <gtest/gtest.h>

#include <cmath>

#include "headway/metrics/root_name.h"

namespace headway {
namespace {

// Every column that is read has the name of a column that runs have.
template <class Row>
void expect_columns_of_table() {
  const TableKind* const table = find_table(Row::kTable);
  ASSERT_NE(table, nullptr) << Row::kTable;
  for (const ColumnOf<Row>& column : Row::columns())
    EXPECT_NE(find_metric(column.metric.name, Row::kTable), nullptr)
        << Row::kTable << " " << column.metric.name;
}

TEST(Rows, ReadColumnsOfTheirTables) {
  expect_columns_of_table<RootRow>();
  expect_columns_of_table<CulpritRow>();
  expect_columns_of_table<FlowRootRow>();
  expect_columns_of_table<TreeRow>();
  expect_columns_of_table<StallRow>();
  expect_columns_of_table<PauseRow>();
  expect_columns_of_table<LinkRow>();
  expect_columns_of_table<DestinationRow>();
  expect_columns_of_table<FlowRow>();
  expect_columns_of_table<BinRow>();
  expect_columns_of_table<CutOffRow>();
  expect_columns_of_table<JobRow>();
  expect_columns_of_table<OperationRow>();
  expect_columns_of_table<StepRow>();
  expect_columns_of_table<WaitRow>();
}

TEST(Rows, AColumnThatIsMissingLeavesTheDefault) {
  Result result;
  result.tables["stalls"] = {{"kind", {}, {"starved", "longest"}}, {"at_port", {3, 4}}, {"seed", {7, 8}}};
  const std::vector<StallRow> rows = rows_in<StallRow>(result);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1].kind, "longest");
  EXPECT_EQ(rows[1].at_port, 4);
  EXPECT_EQ(rows[1].seed, 8) << "a table of several seeds";
  EXPECT_TRUE(std::isnan(rows[1].outranked));
  EXPECT_TRUE(rows[1].flow.empty());
  EXPECT_TRUE(has_column(result, &StallRow::at_port));
  EXPECT_FALSE(has_column(result, &StallRow::outranked));
  EXPECT_TRUE(rows_in<RootRow>(result).empty());

  result.tables["series"] = {{"time_ns", {10}}, {"wait_room_packets", {kNaN}}};
  const BinRow bin = rows_in<BinRow>(result).front();
  EXPECT_EQ(bin.limited, 0) << "runs without such waiting do not have the column";
  EXPECT_TRUE(std::isnan(bin.room)) << "no photograph";
}

// Links have no kind.
TEST(Rows, PlacesAreReadFromAnyTable) {
  const Table links = {{"port", {5}},         {"from_switch", {1}}, {"from_node", {kNaN}}, {"from_port", {2}},
                       {"to_switch", {kNaN}}, {"to_node", {3}},     {"utilisation", {0.5}}};
  ASSERT_TRUE(has_places(links));
  EXPECT_EQ(root_name(rows_in<PlaceRow>(links).front(), {}), "switch 1 port 2 → node 3");
  EXPECT_FALSE(has_places({{"port", {5}}}));
}

}  // namespace
}  // namespace headway
