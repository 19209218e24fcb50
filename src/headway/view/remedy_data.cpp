// SPDX-License-Identifier: Apache-2.0
// Measured causes and remedies as data of a page.
#include "headway/metrics/rows.h"
#include "headway/remedies/chart.h"
#include "headway/remedies/goal.h"
#include "headway/view/page_data.h"
#include "headway/view/page_tables.h"

namespace headway {

void add_remedies(Json& json, const Result& result) {
  const RemedyChart chart(result);
  if (chart.rows.empty()) return;
  const std::string metric(chart.rows.front().metric);
  const bool more = grows_when_better(metric);
  json["remedies"] =
      Json{{"metric", metric},
           {"better", more ? "more" : "faster"},
           {"worse", more ? "less" : "slower"},
           {"base_ends", chart.base_ends()},
           {"effect", chart.rows.front().effect},
           {"skipped", skipped_sentences(chart.rows, "")},
           {"bars", list_of(chart.bars, [&](const RemedyChart::Bar& bar) {
              const RemedyRow& row = *bar.row;
              return Json{{"kind", name_of(bar.kind)},
                          {"change", row.change},
                          {"settings", row.settings},
                          {"gain", row.gain},
                          {"low", row.gain_low},
                          {"high", row.gain_high},
                          {"text", bar.words.empty() ? gain_text(metric, row.gain) : bar.words},
                          {"range", range_text(row)},
                          {"costs", bar.costs},
                          {"others_worst", row.others_worst},
                          {"main", bar.is_main}};
            })}};
}

}  // namespace headway
