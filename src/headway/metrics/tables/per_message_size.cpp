// SPDX-License-Identifier: Apache-2.0
// Messages by flow and size.
#include <cmath>

#include "headway/metrics/measured_run.h"

namespace headway {
namespace {

constexpr Metric kFlowAndSize[] = {
    {"flow", kName, "name of the flow, trace or job", OverSeeds::key},
    {"size_bytes", "bytes", "the messages are of this size or smaller, and larger than half of it",
     OverSeeds::key},
};

Table make_per_message_size(const MeasuredRun& run) {
  Table table{{"flow"}, {"size_bytes"}};
  for (const auto& metric : message_metrics()) table.push_back({std::string(metric.metric.name)});
  for (const MessageClass* each : run.messages->classes()) {
    const MessageStatistics messages(run.window(), {each});
    auto column = table.begin();
    column++->words.push_back(run.flows[each->flow]);
    column++->values.push_back(std::ldexp(1.0, static_cast<int>(each->size_class)));
    for (const auto& metric : message_metrics()) column++->values.push_back(metric.value(messages));
  }
  return table;
}

}  // namespace

TableKind per_message_size_table() {
  return {.name = "per_message_size",
          .rows = "flows times powers of two of the size of messages",
          .when = "messages of several packets, or `\"per-message-size\"` in `measure.tables`",
          .columns = joined({metrics_of(kFlowAndSize), metrics_of(message_metrics())}),
          .needs = Needs::messages,
          .made_if = [](const RunScope& scope) { return scope.meets(Needs::messages); },
          .made = make_per_message_size,
          .most_cells = [](const TableBounds& most,
                           double count) { return most.flows * most.size_classes * count; },
          .on_request = "completion times of messages even if each is one packet"};
}

}  // namespace headway
