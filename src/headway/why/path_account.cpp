// SPDX-License-Identifier: Apache-2.0
#include "headway/why/path_account.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "headway/metrics/critical_path.h"
#include "headway/metrics/root_name.h"
#include "headway/metrics/tables.h"

namespace headway {
namespace {

double known(double ns) { return ns > 0 ? ns : 0; }

bool is_between_switches(const PlaceRow& place) {
  return !std::isnan(place.from_switch) && !std::isnan(place.to_switch);
}

// "SWITCH:PORT"; empty if one of them is not known
std::string end_at_switch(double sw, double port, const NetworkNames& names) {
  if (std::isnan(sw) || std::isnan(port)) return "";
  const bool is_named = sw >= 0 && sw < static_cast<double>(names.switches.size());
  return fmt::format(
      "{}:{:.0f}", is_named ? names.switches[static_cast<std::size_t>(sw)] : fmt::format("{:.0f}", sw), port);
}

// One of the ends of a link, the same for both directions: that at a switch, or the smaller one.
std::string end_of(const PlaceRow& link, const NetworkNames& names) {
  std::pair<double, double> end{link.from_switch, link.from_port};
  const std::pair<double, double> other{link.to_switch, link.to_port};
  if (std::isnan(link.from_switch) || (is_between_switches(link) && other < end)) end = other;
  return end_at_switch(end.first, end.second, names);
}

class PathAccounting {
 public:
  PathAccounting(const PointResult& point, const JobRow& job) : point_(point), job_(job) {}

  PathAccount take() {
    parts();
    slow_links();
    waits();
    return std::move(all_);
  }

 private:
  void parts() {
    all_.total_ns = job_.completion_ns;
    all_.compute_ns = known(job_.path_compute_ns);
    all_.overhead_ns = known(job_.path_overhead_ns);
    all_.serialisation_ns = known(job_.path_serialisation_ns);
    all_.narrow_ns = known(job_.path_narrow_ns);
    all_.slow_ns = known(job_.path_slow_ns);
    all_.propagation_ns = known(job_.path_propagation_ns);
    all_.switch_ns = known(job_.path_switch_ns);
    all_.is_split = !std::isnan(job_.path_serialisation_ns);
    all_.rest_ns = known(all_.is_split ? job_.path_rest_ns : job_.path_transfer_ns);
    all_.wait_ns = known(job_.path_wait_ns);
    all_.busiest_node_ns = known(job_.busiest_node_ns);
  }

  void slow_links() {
    std::map<std::string, SlowLink> links;
    std::map<std::string, double> most;  // of a direction
    for (const CriticalLinkRow& row : rows_in<CriticalLinkRow>(point_.result)) {
      const double lost = known(row.slow_ns) + known(row.wait_slow_ns);
      if (row.job != job_.job || lost == 0) continue;
      const std::string end = end_of(row, point_.names);
      SlowLink& link = links[end];
      link.end = end;
      link.transfer_ns += known(row.slow_ns);
      link.wait_ns += known(row.wait_slow_ns);
      if (lost <= most[end]) continue;
      most[end] = lost;
      link.place = row;
      link.rate = row.rate_gb_per_s;
      link.usual_rate = row.usual_rate_gb_per_s;
      link.rate_share = link.rate / link.usual_rate;
    }
    for (auto& [end, link] : links) all_.slow_links.push_back(std::move(link));
    std::ranges::stable_sort(all_.slow_links, std::ranges::greater{}, &SlowLink::lost_ns);
  }

  void waits() {
    const double runs = runs_with_path(point_, job_.job);
    for (const WaitRow& wait : rows_in<WaitRow>(point_.result))
      if (wait.job == job_.job)
        all_.add(wait, {wait.waiting, wait.behind, wait.behind == job_.job}, wait.wait_ns / runs,
                 known(wait.slow_ns) / runs);
  }

  const PointResult& point_;
  const JobRow& job_;
  PathAccount all_;
};

// What a time per delivered packet of a flow is per packet that an account is of.
class Weights {
 public:
  // The account is of a flow, or of all traffic if the flow has no name.
  Weights(const PointResult& point, std::string_view flow) : flow_(flow) {
    if (!flow.empty()) return;
    for (const FlowRow& row : rows_in<FlowRow>(point.result)) {
      delivered_[row.flow] = known(row.packets_delivered);
      all_ += known(row.packets_delivered);
    }
  }
  // 0: another flow
  double of(std::string_view flow) const {
    if (!flow_.empty()) return flow == flow_ ? 1 : 0;
    const auto found = delivered_.find(flow);
    return found == delivered_.end() ? 1 : found->second / all_;  // the only flow has no table
  }

 private:
  std::string_view flow_;
  std::map<std::string_view, double> delivered_;
  double all_ = 0;
};

}  // namespace

std::string text_of(const SlowLink& link, const NetworkNames& names) {
  const PlaceRow& place = link.place;
  if (!(place.from_node >= 0) && !(place.to_node >= 0))
    return fmt::format("the link between {} and {} ({})", switch_text(place.from_switch, names),
                       switch_text(place.to_switch, names), link.end);
  return "the link of " + node_text(place.from_node >= 0 ? place.from_node : place.to_node, names);
}

void PathAccount::add(const PlaceRow& root, const WaitKey& wait, double ns, double slow_ns) {
  const RootKind kind = root_kind(root);
  const bool is_link = kind == RootKind::link || kind == RootKind::crossbar;
  if (kind == RootKind::receiver) slow_receivers_ns += ns;
  if (kind == RootKind::outage) {
    down_ns += ns;
  } else if (kind == RootKind::limiter || wait.waiting == name_of(Waiting::limited)) {
    own_rate_ns += ns;
  } else if (!wait.behind.empty() && !wait.is_itself) {
    others_ns[std::string(wait.behind)] += ns;
  } else if (kind == RootKind::window) {
    credits_ns += ns;
  } else if (kind == RootKind::receiver) {
    receiver_ns += ns;
  } else if (is_link && !wait.behind.empty() && is_between_switches(root)) {
    itself_between_ns += ns;
    itself_between_slow_ns += slow_ns;
  } else if (is_link && !wait.behind.empty()) {
    itself_own_ns += ns;
  } else if (kind == RootKind::input && !wait.behind.empty()) {
    inputs_ns += ns;
  } else {
    else_ns += ns;
  }
}

double PathAccount::behind_others_ns() const {
  double sum = 0;
  for (const auto& [flow, ns] : others_ns) sum += ns;
  return sum;
}

double PathAccount::most_gain(double removed_ns) const {
  constexpr double kRounding = 1e-9;
  const double left = std::max(total_ns - removed_ns, busiest_node_ns);
  return left > kRounding * total_ns ? total_ns / left : HUGE_VAL;
}

std::string place_of(const WaitRow& wait, const NetworkNames& names) {
  if (!std::isnan(wait.at_node)) return node_text(wait.at_node, names);
  return fmt::format("{} port {:g}", switch_text(wait.at_switch, names), wait.at_port);
}

double runs_with_path(const PointResult& point, std::string_view job) {
  // A point with one seed that was read from results has no runs, but its result is that of the run.
  const auto runs = point.runs.empty() ? std::span(&point.result, 1) : std::span(point.runs);
  return static_cast<double>(std::ranges::count_if(runs, [&](const Result& run) {
    return !std::isnan(run.metric(metric_of_row(job, name_of_column(&JobRow::path_wait_ns))));
  }));
}

std::optional<PathAccount> path_account(const PointResult& point, std::string_view job) {
  for (const JobRow& row : rows_in<JobRow>(point.result))
    if (row.job == job && row.completion_ns > 0 && !std::isnan(row.path_wait_ns))
      return PathAccounting(point, row).take();
  return std::nullopt;
}

std::optional<PathAccount> flow_account(const PointResult& point, std::string_view flow) {
  const Weights weights(point, flow);
  PathAccount all;
  double transit = 0;
  for (const FlowTransitRow& row : rows_in<FlowTransitRow>(point.result)) {
    const double weight = weights.of(row.flow);
    if (weight == 0 || std::isnan(row.transit_ns)) continue;
    transit += weight * row.transit_ns;
    all.serialisation_ns += weight * row.serialisation_ns;
    all.narrow_ns += weight * row.narrow_ns;
    all.slow_ns += weight * row.slow_ns;
    all.propagation_ns += weight * row.propagation_ns;
    all.switch_ns += weight * row.switch_ns;
    all.rest_ns += weight * row.rest_ns;
  }
  if (transit == 0) return std::nullopt;
  std::map<std::string, SlowLink> links;
  std::map<std::string, double> most;  // of a row
  for (const FlowWaitRow& row : rows_in<FlowWaitRow>(point.result)) {
    const double weight = weights.of(row.flow);
    if (weight == 0) continue;
    const double ns = weight * known(row.wait_ns), slow_ns = weight * known(row.slow_ns);
    all.wait_ns += ns;
    all.add(row, {row.waiting, row.behind, flow.empty() || row.behind == flow}, ns, slow_ns);
    if (slow_ns == 0) continue;
    const std::string end = end_of(row, point.names);
    SlowLink& link = links[end];
    if (slow_ns > most[end]) {
      most[end] = slow_ns;
      link.place = row;
      link.rate_share = 1 - slow_ns / ns;
    }
    link.end = end;
    link.wait_ns += slow_ns;
  }
  for (auto& [end, link] : links) all.slow_links.push_back(std::move(link));
  std::ranges::stable_sort(all.slow_links, std::ranges::greater{}, &SlowLink::lost_ns);
  all.total_ns = transit + all.wait_ns;
  return all;
}

}  // namespace headway
