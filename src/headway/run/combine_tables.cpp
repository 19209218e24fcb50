// SPDX-License-Identifier: Apache-2.0
#include "headway/run/combine_tables.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <iterator>
#include <limits>
#include <map>
#include <string_view>

#include "headway/base/statistics.h"
#include "headway/metrics/units.h"

namespace headway {
namespace {

using Tables = std::vector<const Table*>;  // of all seeds, with the same columns

bool same_number(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// Which rows of the seeds' tables are the same row, by their keys.
class MatchedRows {
 public:
  MatchedRows(const Tables& tables, const std::vector<std::size_t>& keys) : tables_(tables), keys_(keys) {
    rows_ = rows_of(*tables.front());
    if (!std::ranges::all_of(tables, [&](const Table* table) { return has_rows_of_first(*table); })) match();
  }

  std::size_t rows() const { return rows_; }
  bool have_all_seeds() const { return std::ranges::find(places_, kNoRow) == places_.end(); }

  // Calls visit(seed, row in its table) for the seeds that have the row.
  template <class Visit>
  void for_each_seed(std::size_t row, Visit&& visit) const {
    for (std::size_t seed = 0; seed < tables_.size(); ++seed)
      if (places_.empty())
        visit(seed, row);
      else if (const std::size_t place = places_[row * tables_.size() + seed]; place != kNoRow)
        visit(seed, place);
  }

 private:
  static constexpr std::size_t kNoRow = std::numeric_limits<std::size_t>::max();
  struct RowOf {
    std::size_t seed, row;
  };

  bool has_rows_of_first(const Table& table) const {
    if (rows_of(table) != rows_) return false;
    return std::ranges::all_of(keys_, [&](std::size_t key) {
      const Column &one = table[key], &first = (*tables_.front())[key];
      return one.words == first.words && std::ranges::equal(one.values, first.values, same_number);
    });
  }

  // Names stand in the order in which the seeds have them, numbers ascend.
  void number_words() {
    for (const std::size_t key : keys_) {
      std::map<std::string_view, std::size_t>& numbers = word_numbers_.emplace_back();
      for (const Table* table : tables_)
        for (const std::string& word : (*table)[key].words) numbers.emplace(word, numbers.size());
    }
  }
  std::strong_ordering compare(const RowOf& a, const RowOf& b) const {
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      const Column &in_a = (*tables_[a.seed])[keys_[i]], &in_b = (*tables_[b.seed])[keys_[i]];
      const std::strong_ordering order =
          word_numbers_[i].empty()
              ? std::strong_order(in_a.values[a.row], in_b.values[b.row])
              : word_numbers_[i].at(in_a.words[a.row]) <=> word_numbers_[i].at(in_b.words[b.row]);
      if (order != 0) return order;
    }
    return std::strong_ordering::equal;
  }

  void match() {
    number_words();
    std::vector<RowOf> all;
    for (std::size_t seed = 0; seed < tables_.size(); ++seed)
      for (std::size_t row = 0; row < rows_of(*tables_[seed]); ++row) all.push_back({seed, row});
    std::ranges::stable_sort(all, [&](const RowOf& a, const RowOf& b) { return compare(a, b) < 0; });
    for (std::size_t first = 0, next = 0; first < all.size(); first = next) {
      std::vector<std::size_t> times(tables_.size(), 0);  // that a seed has had these keys
      const std::size_t begin = places_.size();
      for (; next < all.size() && compare(all[first], all[next]) == 0; ++next) {
        const auto& [seed, row] = all[next];
        const std::size_t place = begin + times[seed]++ * tables_.size() + seed;
        if (place >= places_.size()) places_.resize(places_.size() + tables_.size(), kNoRow);
        places_[place] = row;
      }
    }
    rows_ = places_.size() / tables_.size();
  }

  const Tables& tables_;
  const std::vector<std::size_t>& keys_;  // numbers of the columns
  std::size_t rows_;
  std::vector<std::map<std::string_view, std::size_t>> word_numbers_;  // of each key
  std::vector<std::size_t> places_;  // [row * seeds + seed]; empty if all seeds have the rows of the first
};

std::string common_word(const std::vector<std::string_view>& words) {
  const bool same = std::ranges::all_of(words, [&](std::string_view word) { return word == words.front(); });
  return same ? std::string(words.front()) : std::string();
}

// The number of the column whose error a column is, or its own.
std::size_t column_of_values(const Table& table, std::size_t column, const Metric& metric) {
  const Column* const mean = find_column(table, metric.error_of);
  return mean == nullptr ? column : static_cast<std::size_t>(mean - table.data());
}

Table matched(const TableKind& kind, const Tables& tables) {
  const Table& first = *tables.front();
  std::vector<std::size_t> keys;
  for (std::size_t c = 0; c < first.size(); ++c)
    if (definition_of(first[c].name, kind.name).over_seeds == OverSeeds::key) keys.push_back(c);
  const MatchedRows rows(tables, keys);
  Table all;
  for (std::size_t c = 0; c < first.size(); ++c) {
    const Metric& metric = definition_of(first[c].name, kind.name);
    const std::size_t of = column_of_values(first, c, metric);
    Column& column = all.emplace_back(Column{first[c].name});
    std::vector<double> values;
    std::vector<std::string_view> words;
    for (std::size_t row = 0; row < rows.rows(); ++row) {
      values.clear(), words.clear();
      rows.for_each_seed(row, [&](std::size_t seed, std::size_t place) {
        const Column& cells = (*tables[seed])[of];
        if (metric.unit == kName)
          words.push_back(cells.words[place]);
        else
          values.push_back(cells.values[place]);
      });
      if (metric.unit == kName)
        column.words.push_back(common_word(words));
      else
        column.values.push_back(combined_number(metric.over_seeds, values, tables.size()));
    }
  }
  if (rows.have_all_seeds()) return all;
  Column& seeds = all.emplace_back(Column{std::string(kSeeds)});
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    double count = 0;
    rows.for_each_seed(row, [&](std::size_t, std::size_t) { ++count; });
    seeds.values.push_back(count);
  }
  return all;
}

// The rows of all results, one result after the other.
Table listed(const Tables& tables, std::uint64_t first_seed) {
  Table all;
  for (const Column& column : *tables.front()) all.push_back({column.name});
  Column seeds{std::string(kSeed)};
  for (std::size_t seed = 0; seed < tables.size(); ++seed) {
    for (std::size_t c = 0; c < all.size(); ++c) {
      const Column& column = (*tables[seed])[c];
      all[c].words.insert(all[c].words.end(), column.words.begin(), column.words.end());
      all[c].values.insert(all[c].values.end(), column.values.begin(), column.values.end());
    }
    seeds.values.insert(seeds.values.end(), rows_of(*tables[seed]), static_cast<double>(first_seed + seed));
  }
  all.push_back(std::move(seeds));
  return all;
}

// The mean of these values and of as many zeros; exactly the value if all are equal.
double mean_with_zeros(const std::vector<double>& values, std::size_t zeros) {
  if (values.empty()) return kNaN;
  if (zeros == 0 && std::ranges::count(values, values.front()) == std::ssize(values)) return values.front();
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size() + zeros);
}

}  // namespace

const Metric& definition_of(std::string_view name, std::string_view table) {
  static const Metric kUnknown;
  const Metric* const found = find_metric(name, table);
  return found == nullptr ? kUnknown : *found;
}

double combined_number(OverSeeds how, std::span<const double> values, std::size_t seeds) {
  std::vector<double> known;
  for (const double value : values)
    if (!std::isnan(value)) known.push_back(value);
  switch (how) {
    case OverSeeds::sum:
      return mean_with_zeros(known, seeds - values.size());
    case OverSeeds::maximum:
      return known.empty() ? kNaN : std::ranges::max(known);
    case OverSeeds::minimum:
      return known.empty() ? kNaN : std::ranges::min(known);
    case OverSeeds::key:
    case OverSeeds::same:
      return std::ranges::all_of(values, [&](double value) { return same_number(value, values.front()); })
                 ? values.front()
                 : kNaN;
    case OverSeeds::error:
      return standard_error_of(known);
    case OverSeeds::mean:
    case OverSeeds::listed:  // of one seed
      break;
  }
  return mean_of(known);
}

Table combined_table(const TableKind& kind, const std::vector<Result>& results, std::uint64_t first_seed) {
  Tables tables;
  for (const Result& result : results) tables.push_back(&result.table(kind.name));
  if (tables.front()->empty()) return {};
  return kind.lists_rows() ? listed(tables, first_seed) : matched(kind, tables);
}

}  // namespace headway
