// SPDX-License-Identifier: Apache-2.0
// What runs with several seeds become together, for every column of every table: an identifier is one of a
// run, a constant stays, no number leaves the range of the runs, listed rows have their seed, and three times
// the same run gives this run.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "headway/compile/load.h"
#include "headway/config/toml.h"
#include "headway/metrics/tables.h"
#include "headway/metrics/units.h"
#include "headway/run/results.h"
#include "headway/run/run.h"
#include "headway/why/why.h"
#include "test_paths.h"
#include "tests/support/same_results.h"

namespace headway::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::uint64_t kFirstSeed = 7;
constexpr std::size_t kRuns = 3;

// Together they have every table.
constexpr std::string_view kSpecs[] = {
    R"([network]
k = 2
n = 3
[switch]
scheme = "fbicm"
input_memory = "2 KiB"
[[traffic.flow]]
sources = { random = 0.5 }
load = 0.9
message = "256 B"
[[traffic.flow]]
name = "hot"
sources = { random = 0.3 }
pattern = "hotspot"
destination = 1
load = 0.5
[measure]
warmup = "2 us"
duration = "20 us"
bin = "5 us"
tables = ["fairness", "destination-series", "per-pair", "pair-series", "per-link", "port-series", "per-message-size", "distributions", "cost"]
watch_destination = 1
[observe]
waiting = true
interval = "1 us"
)",
    R"([network]
k = 2
n = 3
failures = { at = ["0:2"] }
[routing]
algorithm = "up-down"
[switch]
lanes = 2
lane_turns = "strict"
marking = "red"
flow_control = "pfc"
[node]
reaction = "infiniband"
[[traffic.flow]]
sources = { random = 0.7 }
service_level = 1
load = 0.9
[[event]]
node = "1"
at = "5 us"
lasts = "3 us"
[measure]
warmup = "2 us"
duration = "20 us"
tables = ["per-link", "rate-series"]
[observe]
waiting = true
interval = "1 us"
)",
    R"([network]
k = 2
n = 2
failures = { at = ["0:2", "0:3"], unreachable = "reported" }
[routing]
algorithm = "up-down"
[measure]
warmup = "2 us"
duration = "20 us"
)",
    R"([network]
k = 2
n = 3
[[traffic.job]]
nodes = { random = 0.6 }
placement = "random"
size = "4 KiB"
iterations = 2
[[traffic.flow]]
load = 0.6
sources = { first = 2 }
[measure]
until = "done"
bin = "300 ns"
alone = true
tables = ["per-operation", "critical-path"]
[observe]
waiting = true
interval = "100 ns"
)"};

std::vector<Result> runs_of(const Experiment& experiment) {
  std::vector<Result> runs;
  Spec spec = experiment.points.front().spec();
  for (int seed = 0; seed < experiment.seeds; ++seed, ++seed_of(spec)) runs.push_back(run(spec));
  return runs;
}

Experiment experiment_of(std::string_view toml) {
  return load_experiment(
      parse_toml(fmt::format("seed = {}\nseeds = {}\n{}", kFirstSeed, kRuns, toml), "seeds.toml"));
}

const std::vector<std::vector<Result>>& all_runs() {
  static const std::vector<std::vector<Result>> kAll = [] {
    std::vector<std::vector<Result>> all;
    for (const std::string_view spec : kSpecs) all.push_back(runs_of(experiment_of(spec)));
    return all;
  }();
  return kAll;
}

const Metric& column_of(const TableKind& kind, const Column& column) {
  return *find_metric(column.name, kind.name);
}

// As text: "job 0", "17", "" for no value.
std::string cell(const Column& column, std::size_t row) {
  if (!column.words.empty()) return column.words[row];
  return std::isnan(column.values[row]) ? "" : fmt::format("{}", column.values[row]);
}

std::string keys_at(const TableKind& kind, const Table& table, std::size_t row) {
  std::string text;
  for (const Column& column : table)
    if (column.name != kSeed && column_of(kind, column).over_seeds == OverSeeds::key)
      text += fmt::format("{}={} ", column.name, cell(column, row));
  return text;
}

std::map<std::string, std::size_t> rows_by_key(const TableKind& kind, const Table& table) {
  std::map<std::string, std::size_t> rows;
  for (std::size_t row = 0; row < rows_of(table); ++row)
    EXPECT_TRUE(rows.emplace(keys_at(kind, table, row), row).second) << keys_at(kind, table, row);
  return rows;
}

// Calls test(kind, table of each run, table of all) for each table of each spec.
template <class Test>
void for_each_table(Test&& test) {
  for (const std::vector<Result>& runs : all_runs()) {
    const Result all = combine(runs, kFirstSeed);
    for (const TableKind& kind : result_tables()) {
      if (!runs.front().tables.contains(kind.name) || runs.front().table(kind.name).empty()) continue;
      SCOPED_TRACE(kind.name);
      std::vector<const Table*> tables;
      for (const Result& each : runs) tables.push_back(&each.table(kind.name));
      test(kind, tables, all.table(kind.name));
    }
  }
}

TEST(SeveralSeeds, EveryTableIsTested) {
  std::set<std::string_view> with_rows;
  for_each_table([&](const TableKind& kind, const std::vector<const Table*>& tables, const Table&) {
    if (std::ranges::any_of(tables, [](const Table* table) { return rows_of(*table) > 0; }))
      with_rows.insert(kind.name);
  });
  for (const TableKind& kind : result_tables())
    EXPECT_TRUE(with_rows.contains(kind.name) || kind.needs == Needs::structure ||
                kind.needs == Needs::changes)
        << kind.name;
}

TEST(SeveralSeeds, KeysIdentifyARowOfARun) {
  for_each_table([](const TableKind& kind, const std::vector<const Table*>& tables, const Table&) {
    for (const Table* table : tables) rows_by_key(kind, *table);
  });
}

TEST(SeveralSeeds, ThreeTimesTheSameRunIsThisRun) {
  for (const std::vector<Result>& runs : all_runs()) {
    const Result& one = runs.front();
    const Result all = combine({one, one, one}, kFirstSeed);
    for (std::size_t m = 0; m < one.metrics.size(); ++m) {
      const auto& [name, value] = one.metrics[m];
      if (find_metric(name)->over_seeds == OverSeeds::error) continue;
      EXPECT_TRUE(equal_or_nan(all.metrics[m].second, value)) << name;
    }
    for (const auto& [name, half_width] : all.intervals)
      EXPECT_TRUE(half_width == 0 || std::isnan(one.metric(name))) << name;
    for (const TableKind& kind : result_tables()) {
      SCOPED_TRACE(kind.name);
      const Table &table = one.table(kind.name), &of_all = all.table(kind.name);
      const bool listed = kind.lists_rows() && !table.empty();
      ASSERT_EQ(of_all.size(), table.size() + (listed ? 1 : 0)) << "no column of seeds";
      ASSERT_EQ(rows_of(of_all), rows_of(table) * (listed ? 3 : 1));
      for (std::size_t c = 0; c < table.size(); ++c)
        for (std::size_t row = 0; row < rows_of(of_all); ++row)
          if (column_of(kind, table[c]).over_seeds != OverSeeds::error) {
            EXPECT_EQ(cell(of_all[c], row), cell(table[c], row % rows_of(table))) << table[c].name;
          }
    }
  }
}

TEST(SeveralSeeds, ListedRowsHaveTheirSeed) {
  for_each_table([](const TableKind& kind, const std::vector<const Table*>& tables, const Table& all) {
    EXPECT_EQ(find_column(all, kSeed) != nullptr, kind.lists_rows());
    if (!kind.lists_rows()) return;
    std::size_t at = 0;
    for (std::size_t seed = 0; seed < tables.size(); ++seed)
      for (std::size_t row = 0; row < rows_of(*tables[seed]); ++row, ++at) {
        ASSERT_LT(at, rows_of(all));
        EXPECT_EQ(number_at(all, kSeed, at), kFirstSeed + seed);
        for (std::size_t c = 0; c < tables[seed]->size(); ++c)
          EXPECT_EQ(cell(all[c], at), cell((*tables[seed])[c], row)) << all[c].name;
      }
    EXPECT_EQ(at, rows_of(all));
  });
}

// Every row is that of some run, and the column `seeds` says of how many.
TEST(SeveralSeeds, RowsAreThoseOfAnyRun) {
  for_each_table([](const TableKind& kind, const std::vector<const Table*>& tables, const Table& all) {
    if (kind.lists_rows()) return;
    std::map<std::string, double> count;
    for (const Table* table : tables)
      for (const auto& [keys, row] : rows_by_key(kind, *table)) ++count[keys];
    const bool everywhere = std::ranges::all_of(count, [](const auto& each) { return each.second == kRuns; });
    EXPECT_EQ(find_column(all, kSeeds) == nullptr, everywhere);
    const auto rows = rows_by_key(kind, all);
    EXPECT_EQ(rows.size(), count.size());
    for (const auto& [keys, row] : rows) {
      EXPECT_GT(count[keys], 0) << keys;
      EXPECT_EQ(everywhere ? kRuns : number_at(all, kSeeds, row), count[keys]) << keys;
    }
  });
}

// What a column says is what the runs have, computed here by its definition.
double expected(OverSeeds how, const std::vector<double>& known, std::size_t missing) {
  if (known.empty()) return kNaN;
  const auto [least, most] = std::ranges::minmax(known);
  switch (how) {
    case OverSeeds::key:
    case OverSeeds::same:
      return least == most ? least : kNaN;
    case OverSeeds::maximum:
      return most;
    case OverSeeds::minimum:
      return least;
    default:
      double sum = 0;
      for (const double value : known) sum += value;
      return sum / static_cast<double>(known.size() + (how == OverSeeds::sum ? missing : 0));
  }
}

TEST(SeveralSeeds, CellsAreCombinedAsTheirColumnsSay) {
  for_each_table([](const TableKind& kind, const std::vector<const Table*>& tables, const Table& all) {
    if (kind.lists_rows() || kind.named_rows) return;
    std::vector<std::map<std::string, std::size_t>> rows_of_run;
    for (const Table* table : tables) rows_of_run.push_back(rows_by_key(kind, *table));
    for (std::size_t row = 0; row < rows_of(all); ++row) {
      const std::string keys = keys_at(kind, all, row);
      for (std::size_t c = 0; c < tables.front()->size(); ++c) {
        const Metric& metric = column_of(kind, all[c]);
        if (metric.over_seeds == OverSeeds::error) continue;
        std::vector<double> known;
        std::set<std::string> cells;
        std::size_t missing = 0;
        for (std::size_t run = 0; run < tables.size(); ++run) {
          const auto found = rows_of_run[run].find(keys);
          if (found == rows_of_run[run].end()) {
            ++missing;
            continue;
          }
          const Column& column = (*tables[run])[c];
          cells.insert(cell(column, found->second));
          if (column.words.empty() && !std::isnan(column.values[found->second]))
            known.push_back(column.values[found->second]);
        }
        if (metric.unit == kNumber || metric.unit == kName) {
          EXPECT_EQ(cell(all[c], row), cells.size() == 1 ? *cells.begin() : "") << all[c].name << ' ' << keys;
          continue;
        }
        const double value = expected(metric.over_seeds, known, missing);
        EXPECT_TRUE(equal_or_nan(all[c].values[row], value) ||
                    std::abs(all[c].values[row] - value) <= 1e-12 * std::abs(value))
            << all[c].name << ' ' << keys;
      }
    }
  });
}

TEST(SeveralSeeds, MetricsAreCombinedAsTheirDefinitionsSay) {
  for (const std::vector<Result>& runs : all_runs()) {
    const Result all = combine(runs, kFirstSeed);
    std::set<std::string> with_interval;
    for (const auto& [name, half_width] : all.intervals) with_interval.insert(name);
    for (const auto& [name, value] : all.metrics) {
      const Metric& metric = *find_metric(name);
      EXPECT_EQ(with_interval.contains(name), metric.is_mean()) << name;
      if (metric.over_seeds == OverSeeds::error) continue;
      std::vector<double> known;
      for (const Result& run : runs)
        if (const double one = run.metric(name); !std::isnan(one)) known.push_back(one);
      if (known.size() < runs.size() && metric.is_mean()) {
        EXPECT_TRUE(std::isnan(value)) << name << ": its mean would be that of some runs";
        continue;
      }
      const double wanted = expected(metric.over_seeds, known, 0);
      EXPECT_TRUE(equal_or_nan(value, wanted) || std::abs(value - wanted) <= 1e-12 * std::abs(wanted))
          << name;
    }
  }
}

// Victims per seed: those of the table add up to the metric.
TEST(SeveralSeeds, VictimsOfATableAreThoseOfTheMetric) {
  const Result all = combine(all_runs().front(), kFirstSeed);
  const Column& victims = *find_column(all.table("per_destination"), "victim");
  double sum = 0;
  for (const double share : victims.values) sum += share;
  EXPECT_NEAR(sum, all.metric("victims"), 1e-12);
  EXPECT_GT(sum, 0);
}

struct Found {
  PointResult point;
  std::string why;
};

Found found_in(const std::string& name) {
  const Experiment experiment =
      load_for_why(read_toml(fmt::format("{}/tests/findings/{}.toml", kSourceDir, name)), {});
  Found found;
  found.point.seed = experiment.points.front().seed;
  found.point.runs = runs_of(experiment);
  found.point.result = combine(found.point.runs, found.point.seed);
  std::string text = why(found.point, 10'000);
  std::ranges::replace(text, '\n', ' ');
  found.why = text;
  return found;
}

TEST(SeveralSeeds, WhyNamesTheLinkThatIsPausedMost) {
  const Found found = found_in("seeds-pauses");
  std::map<double, double> paused;  // by node: all these lanes are of links from nodes, or of switches
  for (const Result& run : found.point.runs) {
    const Table& lanes = run.table("pauses");
    for (std::size_t row = 0; row < rows_of(lanes); ++row)
      if (const double node = number_at(lanes, "from_node", row); !std::isnan(node)) {
        paused[node] += number_at(lanes, "paused", row) / static_cast<double>(found.point.runs.size());
      }
  }
  const auto most = std::ranges::max_element(paused, {}, [](const auto& each) { return each.second; });
  ASSERT_NE(most, paused.end());
  EXPECT_THAT(found.why,
              HasSubstr(fmt::format("most of all lane 0 of the link from node {} to switch {} ({:.0f} %)",
                                    most->first, std::floor(most->first / 4), 100 * most->second)));
  const Table& lanes = found.point.result.table("pauses");
  for (const Column& column : lanes)
    if (numbered_by(column.name) != Numbered::nothing)
      for (const double cell : column.values) EXPECT_TRUE(std::isnan(cell) || cell == std::floor(cell));
  EXPECT_THAT(found.why, HasSubstr("means over the runs of 2 seeds"));
}

// 4 slots of 64 ns on a wire whose credits take 464 ns.
TEST(SeveralSeeds, WhySaysHowMuchMemoryLimitsALink) {
  const Found found = found_in("seeds-roots");
  EXPECT_THAT(found.why, HasSubstr("a link can carry at most 55 % of its rate"));
  EXPECT_THAT(found.why, Not(HasSubstr("14 %")));
  const Table& roots = found.point.result.table("roots");
  std::size_t windows = 0;
  for (std::size_t row = 0; row < rows_of(roots); ++row)
    if (word_at(roots, "kind", row) == "window") {
      ++windows;
      EXPECT_EQ(number_at(roots, "round_trip_ns", row), 464);
      EXPECT_EQ(number_at(roots, "window_load", row), 256.0 / 464);
    }
  EXPECT_GT(windows, 0U);
}

TEST(SeveralSeeds, SeriesOfRunsOfDifferentLengthSayWhoseTheirBinsAre) {
  const Found found = found_in("seeds-series");
  std::map<double, double> runs_at;
  double last = 0;
  for (const Result& run : found.point.runs)
    for (const double time : run.table("series").front().values) {
      ++runs_at[time];
      last = std::max(last, time);
    }
  const Table& series = found.point.result.table("series");
  ASSERT_EQ(rows_of(series), runs_at.size());
  EXPECT_EQ(number_at(series, "time_ns", rows_of(series) - 1), last);
  std::set<double> counts;
  for (std::size_t row = 0; row < rows_of(series); ++row) {
    const double seeds = number_at(series, kSeeds, row);
    EXPECT_EQ(seeds, runs_at[number_at(series, "time_ns", row)]);
    counts.insert(seeds);
  }
  EXPECT_GT(counts.size(), 1U) << "the runs end at different times";
  const Table& ranks = found.point.result.table("per_rank");
  for (std::size_t row = 0; row < rows_of(ranks); ++row) {
    std::set<double> nodes;
    for (const Result& run : found.point.runs) nodes.insert(number_at(run.table("per_rank"), "at_node", row));
    EXPECT_TRUE(equal_or_nan(number_at(ranks, "at_node", row), nodes.size() == 1 ? *nodes.begin() : kNaN));
  }
}

}  // namespace
}  // namespace headway::test
