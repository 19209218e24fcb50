// SPDX-License-Identifier: Apache-2.0
// The numbers of critical paths.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "headway/metrics/root_name.h"
#include "headway/metrics/rows.h"
#include "headway/why/path_account.h"
#include "headway/why/waiting_words.h"
#include "headway/why/why_jobs.h"

namespace headway {
namespace {

// All parts, and all slow links.
std::string path_at_length(const JobRow& job, const PathAccount& path, const NetworkNames& names) {
  std::string text = fmt::format("Critical path of {}:\n", job.job);
  const auto line = [&](double ns, const std::string& what) {
    if (ns > 0) text += fmt::format("  {:>10} {:>7}  {}\n", time_text(ns), percent(path.share(ns)), what);
  };
  line(path.compute_ns, "computing");
  line(path.overhead_ns, "handling messages");
  line(path.serialisation_ns, "its own bytes, at the usual rate of the links of its nodes");
  line(path.narrow_ns, "narrower links");
  line(path.slow_ns, "slow links");
  line(path.propagation_ns, "delays of links");
  line(path.switch_ns, "delays of switches");
  line(path.rest_ns, path.is_split ? "other transfer" : "transfer");
  line(path.wait_ns, "waiting");
  for (const SlowLink& link : path.slow_links)
    line(link.lost_ns(),
         fmt::format("of these, more than at the rate of its peers for {}", text_of(link, names)));
  return text;
}

}  // namespace

std::string jobs_at_length(const PointResult& point) {
  constexpr std::size_t kMostLines = 8;  // of a job
  const std::vector<WaitRow> waits = rows_in<WaitRow>(point.result);
  std::string text;
  for (const JobRow& job : rows_in<JobRow>(point.result)) {
    std::map<std::string, double> lines;
    for (const WaitRow& wait : waits) {
      if (wait.job != job.job) continue;
      lines[fmt::format(
          "{:<10}  at {}, for {}{}{}", wait.waiting, place_of(wait, point.names),
          root_phrase(wait, point.names), wait.behind.empty() ? "" : fmt::format(" ({})", wait.behind),
          wait.victim == 1 ? ", as a victim" : "")] += wait.wait_ns / runs_with_path(point, job.job);
    }
    if (const auto path = path_account(point, job.job)) text += path_at_length(job, *path, point.names);
    std::vector<std::pair<double, std::string>> longest;
    for (const auto& [line, ns] : lines) longest.emplace_back(-ns, line);
    std::ranges::sort(longest);
    if (!longest.empty()) text += fmt::format("Waits on the critical path of {}:\n", job.job);
    for (std::size_t i = 0; i < std::min(longest.size(), kMostLines); ++i)
      text += fmt::format("  {:>10}  {}\n", time_text(-longest[i].first), longest[i].second);
    if (longest.size() > kMostLines)
      text += fmt::format("  and {} shorter ones\n", longest.size() - kMostLines);
  }
  return text;
}

}  // namespace headway
