// SPDX-License-Identifier: Apache-2.0
#include "headway/why/conclusion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <string_view>

#include "headway/kernel/kernel.h"
#include "headway/metrics/metric_names.h"
#include "headway/metrics/units.h"
#include "headway/why/conclusion_flows.h"
#include "headway/why/waiting_classes.h"

namespace headway {
namespace {

// Choice: these shares decide which story the numbers tell.
constexpr double kHardlyWaits = 0.2;       // of latency, over all packets
constexpr double kFlowWaits = 0.5;         // of latency, of a flow that waits although most packets do not
constexpr double kHotDestination = 3;      // times the mean share of a destination
constexpr double kStory = 1.0 / 3;         // of all waiting: enough to be the story
constexpr double kFewDestinations = 0.25;  // of all destinations
constexpr double kFewLinks = 0.05;         // of all links
constexpr double kLarge = 0.1;             // of the largest root, or destination
constexpr double kRelevant = 0.05;         // of all waiting: worth a course of victims
constexpr double kBusyLink = 0.9;          // utilisation of a link that carries all it can
constexpr double kMuch = 0.1;              // of all waiting

class Findings {
 public:
  explicit Findings(const PointResult& point) : point_(point), result_(point.result) {
    all_.status = result_.status;
    all_.photographs = result_.metric(metrics::photographs);
    all_.has_jobs = rows_of(table_in<JobRow>(result_)) > 0;
    all_.is_closed_loop = all_.has_jobs || result_.metric(metrics::closed_loop) > 0;
    all_.pauses_lanes = !std::isnan(result_.metric(metrics::pauses));
    all_.offered_load = result_.metric(metrics::offered_load);
    all_.accepted_load = result_.metric(metrics::accepted_load);
    all_.starved_heads = known(result_.metric(metrics::starved_heads));
    all_.outranked_heads = known(result_.metric(metrics::outranked_heads));
  }

  Conclusion take() {
    read_roots();
    read_flows(point_, all_);
    find_limit();
    find_culprit(point_, all_);
    find_course();
    find_kinds();
    find_credits();
    const double refused = known(result_.metric(metrics::cfq_allocations_refused));
    if (refused >= kRelevant * result_.metric(metrics::packets_delivered)) all_.refused = refused;
    return std::move(all_);
  }

 private:
  static double known(double number) { return number > 0 ? number : 0; }
  double class_ns(std::string_view name) const { return known(result_.metric(name)); }

  void read_roots() {
    all_.roots = waited_roots(result_);
    all_.groups = root_groups(all_.roots);
    all_.classes = root_classes(all_.roots);
    for (const WaitedRoot& root : all_.roots) {
      all_.waiting += root.packets;
      all_.victims += root.victims;
    }
    double half = 0;
    for (; all_.roots_of_half < all_.roots.size() && half < all_.waiting / 2; ++all_.roots_of_half)
      half += all_.roots[all_.roots_of_half].packets;
    for (const WaitingClass& one : kWaitingClasses)
      if (one.waiting != Waiting::transit) all_.waiting_ns += class_ns(one.time);
  }

  bool hardly_waits() const {
    const double transit = class_ns(metrics::transit_ns);
    const auto waits = [&](double ns, double share) { return ns > share * (ns + transit); };
    return all_.starved_heads <= 0 && all_.status != Status::saturated && all_.waiting_ns > 0 &&
           !waits(all_.waiting_ns, kHardlyWaits) &&
           std::ranges::none_of(all_.flows,
                                [&](const FlowFinding& flow) { return waits(flow.waiting_ns, kFlowWaits); });
  }

  void find_limit() {
    if (all_.status == Status::deadlock) {
      all_.limit = Limit::deadlock;
    } else if (all_.waiting == 0 || hardly_waits()) {
      all_.limit = Limit::nothing;
    } else if (!find_destinations() && !find_few_roots()) {
      all_.limit = Limit::spread;
      all_.limit_roots.resize(all_.roots.size());
      std::iota(all_.limit_roots.begin(), all_.limit_roots.end(), 0);
    }
    double packets = 0, victims = 0;
    for (const std::size_t place : all_.limit_roots) {
      packets += all_.roots[place].packets;
      victims += all_.roots[place].victims;
    }
    if (all_.waiting > 0) {
      all_.limit_share = packets / all_.waiting;
      all_.limit_victims = victims / all_.waiting;
    }
    all_.limit_utilisation = mean_utilisation(all_.limit_roots);
    if (all_.limit == Limit::few_roots) all_.is_full = all_.limit_utilisation >= kBusyLink;
    if (!all_.classes.empty()) all_.largest_utilisation = mean_utilisation(all_.classes.front().roots);
  }

  bool find_destinations() {
    const std::map<double, double> caused = waiting_by_destination(all_.roots);
    const auto receivers =
        static_cast<double>(std::max(rows_of(table_in<DestinationRow>(result_)), caused.size()));
    double all = 0, most = 0;
    for (const auto& [destination, packets] : caused) {
      all += packets;
      most = std::max(most, packets);
    }
    std::set<double> hot;
    for (const auto& [destination, packets] : caused)
      if (packets > std::max(kHotDestination * all / receivers, kLarge * most)) hot.insert(destination);
    if (static_cast<double>(hot.size()) > std::max(1.0, kFewDestinations * receivers)) return false;
    double share = 0;
    for (std::size_t place = 0; place < all_.roots.size(); ++place) {
      double crossing = 0, to_hot = 0;
      for (const auto& [destination, packets] : all_.roots[place].destinations) {
        crossing += packets;
        if (hot.contains(destination)) to_hot += packets;
      }
      if (crossing == 0 || 2 * to_hot < crossing) continue;
      all_.limit_roots.push_back(place);
      share += all_.roots[place].packets / all_.waiting;
    }
    std::vector<std::size_t> last_links;
    double at_last = 0;  // of all waiting
    for (std::size_t place = 0; place < all_.roots.size(); ++place)
      if (is_at(all_.roots[place], hot)) {
        last_links.push_back(place);
        at_last += all_.roots[place].packets / all_.waiting;
      }
    const double busy = mean_utilisation(last_links);
    // Packets to a few nodes can also fill links on the way, which their paths share by chance.
    const bool is_full = busy >= kBusyLink;
    if (share < kStory || (!is_full && 2 * at_last < share)) {
      all_.limit_roots.clear();
      return false;
    }
    all_.limit = Limit::destinations;
    all_.destinations.assign(hot.begin(), hot.end());
    all_.destination_utilisation = busy;
    all_.is_full = is_full;
    return true;
  }

  // The link to one of these nodes, or the node itself.
  static bool is_at(const WaitedRoot& root, const std::set<double>& nodes) {
    return (root.of.to_node && nodes.contains(root.row.to_node)) ||
           (root.of.kind == RootKind::receiver && nodes.contains(root.row.from_node));
  }

  bool find_few_roots() {
    const auto links = static_cast<double>(std::max(rows_of(table_in<LinkRow>(result_)), all_.roots.size()));
    if (static_cast<double>(all_.roots_of_half) > std::max(1.0, kFewLinks * links)) return false;
    all_.limit = Limit::few_roots;
    for (std::size_t place = 0; place < all_.roots.size(); ++place)
      if (all_.roots[place].packets >= kLarge * all_.roots.front().packets) all_.limit_roots.push_back(place);
    return true;
  }

  // Mean over those of these roots that are links.
  double mean_utilisation(const std::vector<std::size_t>& places) const {
    std::map<double, double> of;  // by port
    for (const LinkRow& link : rows_in<LinkRow>(result_)) of.emplace(link.port, link.utilisation);
    double sum = 0, count = 0;
    for (const std::size_t place : places) {
      const WaitedRoot& root = all_.roots[place];
      const bool is_link = root.of.kind == RootKind::link || root.of.kind == RootKind::crossbar;
      if (const auto found = of.find(root.row.port); is_link && found != of.end()) {
        sum += found->second;
        ++count;
      }
    }
    return count == 0 ? kNaN : sum / count;
  }

  void find_course() {
    if (all_.limit == Limit::nothing) return;
    all_.course = course_of(result_, all_.victims >= kRelevant * all_.waiting);
  }

  void find_kinds() {
    const double in_network = all_.waiting_ns - class_ns(metrics::wait_admittance_ns);
    if (!(in_network > 0)) return;
    all_.hol_share = class_ns(metrics::hol_blocking_ns) / in_network;
    all_.input_share = class_ns(metrics::wait_input_ns) / in_network;
  }

  void find_credits() {
    double packets = 0, least = kNaN;
    for (const WaitedRoot& root : all_.roots) {
      if (root.of.kind != RootKind::window) continue;
      packets += root.packets;
      least = std::fmin(least, root.row.window_load);
    }
    if (!(least < 1 && packets >= kMuch * all_.waiting)) return;
    all_.credit_share = packets / all_.waiting;
    all_.credit_load = least;
  }

  const PointResult& point_;
  const Result& result_;
  Conclusion all_;
};

}  // namespace

void require_photographs(const Result& result) {
  if (!std::isnan(result.metric(metrics::photographs))) return;
  for (const Entry<Kernel>& kernel : kernels())
    if (!std::isnan(result.metric(kernel.make()->latency())))
      throw NoResult(fmt::format(
          "these results are of a {} network, which has no photographs that tell why packets wait",
          kernel.name));
  throw NoResult(
      "these results have no photographs; simulate the spec again with --set observe.waiting=true");
}

Conclusion conclude(const PointResult& point) {
  require_photographs(point.result);
  return Findings(point).take();
}

}  // namespace headway
