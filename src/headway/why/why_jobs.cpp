// SPDX-License-Identifier: Apache-2.0
#include "headway/why/why_jobs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "headway/metrics/critical_path.h"
#include "headway/metrics/root_name.h"
#include "headway/metrics/rows.h"
#include "headway/metrics/tables.h"
#include "headway/why/path_account.h"
#include "headway/why/waiting_words.h"

namespace headway {
namespace {

constexpr double kWorthASentence = 0.05;  // of the completion time
constexpr std::size_t kMostBlamed = 3;    // destinations
constexpr double kAsLong = 0.005;         // difference of a slowdown from 1 that is not told

// Where the packets waited.
std::string place(const WaitRow& wait, const NetworkNames& names) {
  if (!std::isnan(wait.at_node)) return node_text(wait.at_node, names);
  return fmt::format("{} port {:g}", switch_text(wait.at_switch, names), wait.at_port);
}

// Waiting behind the packets of one flow to one destination.
// In place of a flow: no flow has this name.
constexpr std::string_view kOwnRate = " own rate";

struct Blamed {
  std::string flow;  // empty: no packet was sent where they waited
  double destination = kNaN;
  double ns = 0;
  std::map<std::string, double> places;  // where they waited
};

class JobTeller {
 public:
  JobTeller(const PointResult& point, const JobRow& job) : point_(point), job_(job), name_(job.job) {}

  std::vector<std::string> take() {
    total_ = job_.completion_ns;
    const double waits = job_.path_wait_ns;
    if (std::isnan(total_) || std::isnan(waits)) return {};
    how_long();
    parts(waits);
    if (waits < kWorthASentence * total_) return std::move(told_);
    behind(waits);
    kind(waits);
    return std::move(told_);
  }

 private:
  std::string share(double ns) const { return percent(ns / total_); }

  void how_long() {
    const bool is_unnamed = name_.starts_with("job ");  // "job 0"
    std::string text = fmt::format("Job {} took {}", is_unnamed ? name_.substr(4) : name_, time_text(total_));
    if (!std::isnan(job_.slowdown))
      text += std::abs(job_.slowdown - 1) < kAsLong
                  ? ", as long as alone"
                  : fmt::format(", {:.3g} times as long as alone", job_.slowdown);
    told_.push_back(text + ".");
  }

  void parts(double waits) {
    std::vector<std::string> parts;
    const auto add = [&](std::string_view verb, double ns) {
      if (ns > 0) parts.push_back(fmt::format("{} for {} ({})", verb, time_text(ns), share(ns)));
    };
    add("computes", job_.path_compute_ns);
    add("handles messages", job_.path_overhead_ns);
    add("transfers", job_.path_transfer_ns);
    add("waits", waits);
    if (!parts.empty()) told_.push_back(fmt::format("Its critical path {}.", and_list(parts)));
  }

  std::vector<Blamed> blamed() const {
    const double runs = runs_with_path(point_, name_);
    std::map<std::pair<std::string, double>, Blamed> all;
    for (const WaitRow& wait : rows_in<WaitRow>(point_.result)) {
      if (wait.job != name_) continue;
      const bool limited = wait.waiting == name_of(Waiting::limited);
      const std::string flow(limited ? kOwnRate : wait.behind);
      const double node = wait.behind_destination;
      const double ns = wait.wait_ns / runs;
      Blamed& one = all[{flow, std::isnan(node) ? -1 : node}];
      one.flow = flow;
      one.destination = node;
      one.ns += ns;
      one.places[place(wait, point_.names)] += ns;
    }
    std::vector<Blamed> list;
    for (auto& [key, one] : all) list.push_back(std::move(one));
    std::ranges::stable_sort(list, std::ranges::greater(), &Blamed::ns);
    return list;
  }

  std::string whose(const std::string& flow) const {
    if (flow == kOwnRate) return "until it may send, because marks of congestion have slowed it down";
    if (flow.empty()) return "while no packet is sent there";
    return "behind packets of " + (flow == name_ ? "the job itself" : flow);
  }

  // By flow, if there are several or if no destination stands out.
  void behind_flows(const std::vector<Blamed>& all, double waits) {
    std::map<std::string, double> flows;
    for (const Blamed& one : all) flows[one.flow] += one.ns;
    std::erase_if(flows, [&](const auto& flow) { return flow.second < kWorthASentence * waits; });
    if (flows.size() < 2 && !all.empty() && all.front().ns >= kWorthASentence * waits) return;
    std::vector<std::pair<double, std::string>> order;
    for (const auto& [flow, ns] : flows) order.emplace_back(-ns, flow);
    std::ranges::sort(order);
    std::vector<std::string> parts;
    for (const auto& [ns, flow] : order) parts.push_back(fmt::format("{} {}", time_text(-ns), whose(flow)));
    if (!parts.empty()) told_.push_back(fmt::format("It waits {}.", and_list(parts)));
  }

  void behind(double waits) {
    const std::vector<Blamed> all = blamed();
    behind_flows(all, waits);
    std::vector<std::string> parts;
    for (const Blamed& one : all) {
      if (parts.size() == kMostBlamed || one.ns < kWorthASentence * waits) break;
      const auto most = std::ranges::max_element(one.places, {}, [](const auto& at) { return at.second; });
      const std::string where = one.places.size() == 1
                                    ? fmt::format("at {}", most->first)
                                    : fmt::format("of these {} at {}", time_text(most->second), most->first);
      if (one.flow.empty() || one.flow == kOwnRate)
        parts.push_back(fmt::format("{} {}, {}", time_text(one.ns), whose(one.flow), where));
      else
        parts.push_back(fmt::format("{} {} for {}, {}", time_text(one.ns), whose(one.flow),
                                    node_text(one.destination, point_.names), where));
    }
    if (!parts.empty()) told_.push_back(fmt::format("It waits {}.", fmt::join(parts, "; ")));
  }

  void kind(double waits) {
    const double victim = job_.path_victim_ns, hol = job_.path_hol_ns;
    if (victim >= kWorthASentence * waits)
      told_.push_back(
          fmt::format("{} of the waiting is as a victim: its packets do not cross what they wait for.",
                      percent(victim / waits)));
    else
      told_.push_back("Its packets have to cross what they wait for: hardly any of them is a victim.");
    if (hol >= kWorthASentence * waits)
      told_.push_back(
          fmt::format("{} of the waiting is head-of-line blocking at that moment.", percent(hol / waits)));
  }

  const PointResult& point_;
  const JobRow& job_;
  std::string_view name_;
  double total_ = kNaN;
  std::vector<std::string> told_;
};

}  // namespace

std::vector<std::string> sentences_of_jobs(const PointResult& point) {
  std::vector<std::string> all;
  if (rows_of(table_in<WaitRow>(point.result)) == 0 && rows_of(table_in<StepRow>(point.result)) == 0)
    return all;
  for (const JobRow& job : rows_in<JobRow>(point.result))
    for (std::string& sentence : JobTeller(point, job).take()) all.push_back(std::move(sentence));
  return all;
}

bool waits_behind_others(const PointResult& point, std::string_view job) {
  double all = 0, others = 0;
  for (const WaitRow& wait : rows_in<WaitRow>(point.result)) {
    if (wait.job != job) continue;
    all += wait.wait_ns;
    if (!wait.behind.empty() && wait.behind != job) others += wait.wait_ns;
  }
  return all > 0 && 2 * others >= all;
}

std::string waits_of_jobs(const PointResult& point) {
  constexpr std::size_t kMostLines = 8;  // of a job
  const std::vector<WaitRow> waits = rows_in<WaitRow>(point.result);
  std::string text;
  for (const JobRow& job : rows_in<JobRow>(point.result)) {
    std::map<std::string, double> lines;
    for (const WaitRow& wait : waits) {
      if (wait.job != job.job) continue;
      lines[fmt::format(
          "{:<10}  at {}, for {}{}{}", wait.waiting, place(wait, point.names), root_phrase(wait, point.names),
          wait.behind.empty() ? "" : fmt::format(" ({})", wait.behind),
          wait.victim == 1 ? ", as a victim" : "")] += wait.wait_ns / runs_with_path(point, job.job);
    }
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
