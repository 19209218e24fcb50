// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "headway/metrics/critical_path.h"
#include "headway/metrics/path_parts.h"
#include "headway/metrics/root_columns.h"

namespace headway {
namespace {

constexpr ColumnOf<CriticalLinkRow> kJobAndLink[] = {
    {{"job", kName, "name of the job", OverSeeds::key}, &CriticalLinkRow::job},
    {{"port", kNumber, "number of the port that the link leaves, among all ports of the network",
      OverSeeds::key},
     &CriticalLinkRow::port},
    {{"behind", kName,
      "flow, trace or job behind whose packets the job waited for the link; empty in the row of the messages "
      "that crossed it, to which waiting behind feedback belongs, too",
      OverSeeds::key},
     &CriticalLinkRow::behind},
};
constexpr ColumnOf<CriticalLinkRow> kCostColumns[] = {
    kToPort<CriticalLinkRow>,
    {{"rate_gb_per_s", "GB/s", "rate of the link", OverSeeds::same}, &CriticalLinkRow::rate_gb_per_s},
    {{"usual_rate_gb_per_s", "GB/s",
      "rate of most links of its role: between the same stages or, in networks without stages, between "
      "switches that are as far from the nodes and have as many links",
      OverSeeds::same},
     &CriticalLinkRow::usual_rate_gb_per_s},
    {{"messages", "messages", "messages of the path that crossed the link", OverSeeds::sum},
     &CriticalLinkRow::messages},
    {{"message_bytes", "bytes", "their bytes", OverSeeds::sum}, &CriticalLinkRow::message_bytes},
    {{"slow_ns", "ns",
      "part of path_slow_ns (per_job) for which this link, the slowest of the message's path, is slower than "
      "usual",
      OverSeeds::sum},
     &CriticalLinkRow::slow_ns},
    {{"wait_ns", "ns", "time on the path for which packets waited for the link behind this flow",
      OverSeeds::sum},
     &CriticalLinkRow::wait_ns},
    {{"wait_slow_ns", "ns", "of wait_ns, what the link would not need at its usual rate", OverSeeds::sum},
     &CriticalLinkRow::wait_slow_ns},
};
constexpr auto kColumnsOfCriticalLinks = joined(kJobAndLink, kEndColumns<CriticalLinkRow>, kCostColumns);

// Of a link and a flow.
struct LinkSums {
  std::uint64_t messages = 0, bytes = 0;
  Tick slow = 0, wait = 0, wait_slow = 0;

  Tick lost() const { return slow + wait; }
};

using LinkAndFlow = std::pair<PortId, std::uint32_t>;  // kNone: what crossed the link

std::map<LinkAndFlow, LinkSums> sums_of(const Job& job, const CriticalPath& path,
                                        const TransferSplit& split) {
  std::map<LinkAndFlow, LinkSums> sums;
  for (const WatchedStep& step : path.steps) {
    if (step.is_turn()) continue;
    for (const PortId link : step.links) {
      LinkSums& sum = sums[{link, kNone}];
      ++sum.messages;
      sum.bytes += message_bytes(job, step.step);
    }
    if (const PortId slow = split.slow_link_of(step.links); slow != kNone)
      sums[{slow, kNone}].slow += parts_of(split, job, step).slow;
    for (const auto& [wait, ticks] : step.waits) {
      if (wait.own || wait.root.kind != RootKind::link) continue;
      LinkSums& sum = sums[{wait.root.port, wait.flow}];
      sum.wait += ticks;
      sum.wait_slow += split.too_long(wait.root.port, ticks);
    }
  }
  return sums;
}

void add_critical_links(const MeasuredRun& run, TableRows<CriticalLinkRow>& rows) {
  if (run.paths.empty()) return;
  const TransferSplit split(run.network());
  const auto gb_per_s = [&](double ticks_per_byte) { return 1 / run.network().ns(ticks_per_byte); };
  for (const CriticalPath& path : run.paths) {
    const std::map<LinkAndFlow, LinkSums> sums = sums_of(run.jobs->workload.jobs[path.job], path, split);
    std::vector<std::pair<LinkAndFlow, LinkSums>> most_first(sums.begin(), sums.end());
    std::ranges::stable_sort(most_first, std::ranges::greater(),
                             [](const auto& entry) { return entry.second.lost(); });
    for (const auto& [key, sum] : most_first) {
      const auto& [link, flow] = key;
      CriticalLinkRow row{place_of(run, link)};
      row.job = run.job_name(path.job);
      if (flow != kNone) row.behind = run.flows[flow];
      row.rate_gb_per_s = gb_per_s(split.ticks_per_byte(link));
      row.usual_rate_gb_per_s = gb_per_s(split.usual_ticks_per_byte(link));
      row.messages = static_cast<double>(sum.messages);
      row.message_bytes = static_cast<double>(sum.bytes);
      row.slow_ns = run.ns(sum.slow);
      row.wait_ns = run.ns(sum.wait);
      row.wait_slow_ns = run.ns(sum.wait_slow);
      rows.add(row);
    }
  }
}

}  // namespace

std::span<const ColumnOf<CriticalLinkRow>> CriticalLinkRow::columns() { return kColumnsOfCriticalLinks; }

TableKind critical_links_table() {
  return table_of<kColumnsOfCriticalLinks, add_critical_links>(
      {.rows = "links on the critical paths of jobs: which messages crossed them, and behind which flows the "
               "paths waited for them; those that cost the job most time first",
       .when = "jobs, and `\"critical-path\"` in `measure.tables`",
       .needs = Needs::critical_path,
       .most_cells = [](const TableBounds& most, double columns) { return most_path_rows(most) * columns; }});
}

}  // namespace headway
