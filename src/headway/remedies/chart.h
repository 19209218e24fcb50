// SPDX-License-Identifier: Apache-2.0
// What of a table of remedies is shown, in which order and in which words: as text, in a picture, on a page.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headway/metrics/result.h"
#include "headway/metrics/rows.h"
#include "headway/remedies/change.h"

namespace headway {

bool was_run(const RemedyRow& row);
bool is(const RemedyRow& row, ChangeKind kind);
// Whether the gain is more, or less, than chance could make it. A run that did not end in time was worse.
bool helps(const RemedyRow& row);
bool harms(const RemedyRow& row);

std::string factor_text(double gain);              // "4.53"
std::string words_for_gain(const RemedyRow& row);  // "did not end in time"; empty: there is a gain
std::string range_text(const RemedyRow& row);      // "2.4 to 4.5 over 3 seeds"; empty with one seed
// "32 queues, reorders, others: 0.061": what a remedy needs beyond the base, and whom it harms.
std::string costs_text(const RemedyRow& row, const Result& base);
// Of a run that ends, if the base is deadlocked.
std::string ending_text(const RemedyRow& row);
// "not run, because more memory gains nothing: memory." Says of a few changes only how many they are, and
// `where_why`, unless that is empty: then each change is named.
std::vector<std::string> skipped_sentences(std::span<const RemedyRow> rows, std::string_view where_why);
// Others of a group say little beside its best one. The rows are in the order of their gains.
void best_of_each_group_first(std::vector<const RemedyRow*>& rows);

// The rows of a table as bars: causes, bounds, remedies, pairs and the user's own changes, and in each kind
// the largest gain first.
struct RemedyChart {
  static constexpr std::size_t kMostBars = 20;  // but for the user's own changes

  struct Bar {
    const RemedyRow* row;
    ChangeKind kind;
    std::string words;  // instead of a bar; empty: there is a gain
    std::string costs;
    bool is_main;  // one of the best of its kind
  };

  // `result` has the table and must outlive the chart.
  explicit RemedyChart(const Result& result);

  bool base_ends() const;
  // Which kinds have more bars than the main ones: "16 other remedies"; empty: none.
  std::string others() const;

  std::vector<RemedyRow> rows;
  std::vector<Bar> bars;
};

}  // namespace headway
