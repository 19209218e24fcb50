// SPDX-License-Identifier: Apache-2.0
#include "tests/relations/relations.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <string_view>

#include "headway/compile/load.h"
#include "headway/compile/plan.h"
#include "headway/config/assign.h"
#include "headway/config/toml.h"
#include "headway/metrics/metric.h"
#include "headway/run/run.h"
#include "headway/spec/write_spec.h"
#include "tests/support/mistakes.h"
#include "tests/support/random_spec.h"
#include "tests/support/sanitizer.h"

namespace headway::test {
namespace {

template <class Change>
void for_each_text(Document& document, const Change& change) {
  if (auto* const table = std::get_if<Document::Table>(&document.value))
    for (Document::Member& member : *table) for_each_text(member.value, change);
  else if (auto* const array = std::get_if<Document::Array>(&document.value))
    for (Document& element : *array) for_each_text(element, change);
  else if (auto* const text = std::get_if<std::string>(&document.value))
    change(*text);
}

// Rounding leaves small numbers where others have 0.
bool same(double a, double b, double tolerance) {
  return (std::isnan(a) && std::isnan(b)) ||
         std::abs(a - b) <= tolerance * std::max({std::abs(a), std::abs(b), 1e-3});
}

bool is_of_memory(std::string_view unit) {
  constexpr std::string_view kUnits[] = {"bytes", "bits", "mm2", "queues", "lanes", "lines"};
  return std::ranges::find(kUnits, unit) != std::end(kUnits);
}

}  // namespace

void for_each_number(std::uint64_t usual, const std::function<bool(std::uint64_t)>& test) {
  const char* const wanted = std::getenv("HEADWAY_RELATIONS");
  const std::uint64_t numbers = wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : usual / kOneIn + 5;
  std::uint64_t tested = 0;
  for (std::uint64_t number = 0; number < numbers; ++number) {
    SCOPED_TRACE(fmt::format("number {}", number));
    tested += test(number) ? 1 : 0;
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << random_spec(number).description;
      return;
    }
  }
  EXPECT_GE(20 * tested, numbers) << "most specs were left out";
}

EventSpec related_spec(std::uint64_t number) {
  EventSpec spec = random_spec(number).spec;
  spec.measure.warmup = Duration{kWarmup};
  spec.measure.duration = Duration{kBins * kBin};
  spec.measure.bin = Duration{kBin};
  spec.measure.tables = {"per-destination", "destination-series", "per-pair", "pair-series", "per-link"};
  return spec;
}

EventSpec drained_spec(std::uint64_t number) {
  EventSpec spec = related_spec(number);
  drain(spec, Duration{300});
  spec.measure.warmup = Duration{0};
  return spec;
}

bool is_valid(const EventSpec& spec) { return test::mistakes_of(spec).empty(); }

Result result_of(const Document& document) {
  const Experiment experiment = load_experiment(parse_toml(write_toml(document), "relation.toml"));
  return run(experiment.points.front().spec());
}

Result result_of(const EventSpec& spec) { return result_of(resolved(Spec(spec))); }

Document with_quantities(Document document, const Quantities& quantities) {
  for_each_text(document, [&](std::string& text) {
    if (const auto duration = parse_duration(text))
      text = quantities.duration(*duration);
    else if (const auto rate = parse_rate(text))
      text = quantities.rate(*rate);
    else if (const auto bytes = parse_bytes(text))
      text = quantities.bytes(*bytes);
  });
  return document;
}

std::string difference(const Result& first, const Result& second, const Differences& allowed) {
  if (first.trace_hash != second.trace_hash) return "the deliveries differ";
  if (first.status != second.status)
    return fmt::format("status {} ({}) and {} ({})", name_of(first.status), first.detail,
                       name_of(second.status), second.detail);
  const auto differ = [&](std::string_view table, std::string_view name, double a, double b) {
    const Metric* const metric = find_metric(name, table);
    const std::string_view unit = metric == nullptr ? "" : metric->unit;
    if (!allowed.all_metrics && is_of_memory(unit)) return false;
    const double tolerance = name == allowed.summed_otherwise ? 1e-12 : allowed.tolerance;
    return !same(a * (unit == "ns" ? allowed.time : 1), b, tolerance);
  };
  for (const auto& [name, value] : first.metrics) {
    const auto other = std::ranges::find(second.metrics, name, &std::pair<std::string, double>::first);
    if (other != second.metrics.end() && differ("", name, value, other->second))
      return fmt::format("{} is {} and {}", name, value, other->second);
  }
  for (const auto& [name, table] : first.tables)
    for (const Column& column : table) {
      const Column* const other = find_column(second.table(name), column.name);
      if (other == nullptr) continue;
      if (column.rows() != other->rows())
        return fmt::format("{} has {} and {} rows", name, column.rows(), other->rows());
      if (column.words != other->words) return fmt::format("the names of {} in {} differ", column.name, name);
      for (std::size_t row = 0; row < column.values.size(); ++row)
        if (differ(name, column.name, column.values[row], other->values[row]))
          return fmt::format("row {} of {} in {} is {} and {}", row, column.name, name, column.values[row],
                             other->values[row]);
    }
  return "";
}

}  // namespace headway::test
