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
#include "headway/metrics/stalls.h"
#include "headway/metrics/units.h"
#include "headway/why/waiting_classes.h"
#include "headway/why/why_jobs.h"

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
constexpr double kCause = 0.5;             // of the packets that cross
constexpr double kRelevant = 0.05;         // of all waiting: worth a remedy, or a course of victims
constexpr double kLittle = 0.25;           // of the waiting of a flow
constexpr double kBusyLink = 0.9;          // utilisation of a link that carries all it can
constexpr double kMuch = 0.1, kVeryMuch = 0.3;  // of all waiting

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
    read_flows();
    find_limit();
    find_cause();
    find_course();
    find_remedies();
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

  void read_flows() {
    for (const FlowRow& row : rows_in<FlowRow>(result_))
      all_.flows.push_back({.name = std::string(row.flow),
                            .waiting = row.waiting_packets,
                            .victims = row.victim_packets,
                            .delivered = row.packets_delivered,
                            .waiting_ns = row.waiting_ns,
                            .victim_ns = row.victim_wait_ns,
                            .latency_ns = row.latency_mean_ns,
                            .offered_load = row.offered_load,
                            .accepted_load = row.accepted_load,
                            .is_closed_loop = row.closed_loop > 0 || is_job(row.flow)});
    if (all_.flows.empty())
      all_.flows.push_back({.name = "",
                            .waiting = all_.waiting,
                            .victims = all_.victims,
                            .delivered = result_.metric(metrics::packets_delivered),
                            .waiting_ns = all_.waiting_ns,
                            .victim_ns = result_.metric(metrics::victim_wait_ns),
                            .latency_ns = result_.metric(metrics::latency_mean_ns),
                            .offered_load = all_.offered_load,
                            .accepted_load = all_.accepted_load,
                            .is_closed_loop = all_.is_closed_loop});
  }

  bool is_job(std::string_view flow) const {
    const std::vector<JobRow> jobs = rows_in<JobRow>(result_);
    return std::ranges::find(jobs, flow, &JobRow::job) != jobs.end();
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
    if (share < kStory) {
      all_.limit_roots.clear();
      return false;
    }
    all_.limit = Limit::destinations;
    all_.destinations.assign(hot.begin(), hot.end());
    std::vector<std::size_t> last_links;
    for (std::size_t place = 0; place < all_.roots.size(); ++place)
      if (all_.roots[place].of.to_node && hot.contains(all_.roots[place].row.to_node))
        last_links.push_back(place);
    all_.destination_utilisation = mean_utilisation(last_links);
    return true;
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

  void find_cause() {
    std::map<std::string_view, AtRoot> at;  // the roots of the limit, by flow
    double crossing = 0;
    for (const std::size_t place : all_.limit_roots)
      for (const AtRoot& flow : all_.roots[place].flows) {
        at[flow.flow].packets += flow.packets;
        at[flow.flow].victims += flow.victims;
        crossing += flow.packets - flow.victims;
      }
    for (std::size_t i = 0; i < all_.flows.size(); ++i) {
      FlowFinding& flow = all_.flows[i];
      const AtRoot here = at[flow.name];
      flow.share = crossing > 0 ? (here.packets - here.victims) / crossing : 0;
      flow.limit_victim_ns =
          flow.victims > 0 ? flow.victim_ns * std::min(1.0, here.victims / flow.victims) : 0;
      const bool stands_out = all_.limit == Limit::destinations || all_.limit == Limit::few_roots;
      if (!stands_out || all_.flows.size() < 2 || flow.share < kCause) continue;
      if (const HeldUp held = held_up(flow.name); held != HeldUp::no) {
        all_.most_waiting = i;
        all_.held_up = held;
      } else {
        all_.cause = i;
      }
    }
    const auto victims = [&](std::size_t i) { return at[all_.flows[i].name].victims; };
    for (std::size_t i = 0; i < all_.flows.size(); ++i)
      if (i != all_.cause && victims(i) > 0 && (!all_.sufferer || victims(i) > victims(*all_.sufferer)))
        all_.sufferer = i;
  }

  // Those that wait because others are served first are not the cause.
  HeldUp held_up(const std::string& flow) const {
    if (is_outranked(flow)) return HeldUp::outranked;
    return waits_behind_others(point_, flow) ? HeldUp::behind_others : HeldUp::no;
  }

  // Results of earlier versions do not say whose heads are outranked.
  bool is_outranked(const std::string& flow) const {
    if (all_.outranked_heads <= 0) return false;
    if (!has_column(result_, &StallRow::outranked)) return true;
    return std::ranges::any_of(rows_in<StallRow>(result_), [&](const StallRow& stall) {
      return stall.kind == name_of(StallKind::starved) && stall.flow == flow && stall.outranked > 0;
    });
  }

  void find_course() {
    if (all_.limit == Limit::nothing) return;
    all_.course = course_of(result_, all_.victims >= kRelevant * all_.waiting);
  }

  void remedy(Remedy::Kind kind, double share, double detail = kNaN) {
    all_.remedies.push_back({kind, share, detail});
  }

  void find_remedies() {
    using Kind = Remedy::Kind;
    if (all_.limit == Limit::nothing) return;
    if (all_.limit == Limit::deadlock) return remedy(Kind::other_routes, 1);
    const double in_network = std::max(all_.waiting_ns - class_ns(metrics::wait_admittance_ns), 1e-300);
    if (all_.limit == Limit::spread) {
      const double hol = class_ns(metrics::hol_blocking_ns) / in_network;
      if (hol >= kMuch)
        remedy(Kind::queue_per_output, hol);
      else if (all_.victims >= kVeryMuch * all_.waiting)
        remedy(Kind::separate_queues, all_.limit_victims);
      if (const double input = class_ns(metrics::wait_input_ns) / in_network; input >= kMuch)
        remedy(Kind::crossbar_speed, input);
      if (const double own = share_of_own_links(); own >= kVeryMuch) remedy(Kind::less_load, own);
    } else {
      if (all_.limit_victims >= kRelevant) remedy(Kind::separate_queues, all_.limit_victims);
      const double full =
          all_.limit == Limit::destinations ? all_.destination_utilisation : all_.limit_utilisation;
      if (full >= kBusyLink) remedy(Kind::less_load, all_.limit_share - all_.limit_victims);
    }
    find_memory();
    std::ranges::stable_sort(all_.remedies, std::ranges::greater{}, &Remedy::share);
    const double refused = result_.metric(metrics::cfq_allocations_refused);
    if (refused >= kRelevant * result_.metric(metrics::packets_delivered))
      all_.remedies.insert(all_.remedies.begin(), {Kind::isolation_queues, refused, kNaN});
  }

  double share_of_own_links() const {
    double packets = 0;
    for (const RootGroup& group : all_.classes)
      if (group.of.from_node) packets += group.packets;
    return packets / all_.waiting;
  }

  void find_memory() {
    double packets = 0, least = kNaN;
    for (const WaitedRoot& root : all_.roots) {
      if (root.of.kind != RootKind::window) continue;
      packets += root.packets;
      least = std::fmin(least, root.row.window_load);
    }
    if (least < 1 && packets >= kMuch * all_.waiting)
      remedy(Remedy::Kind::memory, packets / all_.waiting, least);
  }

  const PointResult& point_;
  const Result& result_;
  Conclusion all_;
};

}  // namespace

bool FlowFinding::hardly_suffers() const {
  if (!(delivered > 0)) return victims <= 0;
  return !(limit_victim_ns >= kLittle * waiting_ns) || latency_ns * kMuch > limit_victim_ns;
}

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
