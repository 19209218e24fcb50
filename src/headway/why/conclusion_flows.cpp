// SPDX-License-Identifier: Apache-2.0
#include "headway/why/conclusion_flows.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "headway/metrics/metric_names.h"
#include "headway/metrics/stalls.h"
#include "headway/why/why_jobs.h"

namespace headway {
namespace {

// Choice: these shares decide which flow is in the way, and whether another one suffers.
constexpr double kCulprit = 0.5;          // of the packets that cross
constexpr double kLittle = 0.25;          // of the waiting of a flow
constexpr double kLittleOfLatency = 0.1;  // of its latency
constexpr double kSlower = 1.05;          // a slowdown that is told as the effect of a cause

class FlowFindings {
 public:
  FlowFindings(const PointResult& point, Conclusion& all) : point_(point), result_(point.result), all_(all) {}

  void read() {
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

  void find_culprit() {
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
      if (!stands_out || all_.flows.size() < 2 || flow.share < kCulprit) continue;
      if (const HeldUp held = held_up(flow.name); held != HeldUp::no) {
        all_.most_waiting = i;
        all_.held_up = held;
      } else {
        all_.culprit = i;
      }
    }
    const auto victims = [&](std::size_t i) { return at[all_.flows[i].name].victims; };
    for (std::size_t i = 0; i < all_.flows.size(); ++i)
      if (i != all_.culprit && victims(i) > 0 && (!all_.sufferer || victims(i) > victims(*all_.sufferer)))
        all_.sufferer = i;
  }

  // A job alone is a run without the culprit, if the culprit is all that is beside it.
  void find_cause() {
    if (!all_.culprit || all_.flows.size() != 2) return;
    const std::size_t other = 1 - *all_.culprit;
    for (const JobRow& job : rows_in<JobRow>(result_))
      if (const double slowdown = job.node_wait_ns > 0 ? job.completion_ns / job.alone_ns : job.slowdown;
          job.job == all_.flows[other].name && slowdown > kSlower) {
        all_.gain_without_culprit = slowdown;
        all_.gainer = other;
      }
  }

 private:
  bool is_job(std::string_view flow) const {
    const std::vector<JobRow> jobs = rows_in<JobRow>(result_);
    return std::ranges::find(jobs, flow, &JobRow::job) != jobs.end();
  }

  // Those that wait because others are served first are not in the way.
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

  const PointResult& point_;
  const Result& result_;
  Conclusion& all_;
};

}  // namespace

bool FlowFinding::hardly_suffers() const {
  if (!(delivered > 0)) return victims <= 0;
  return !(limit_victim_ns >= kLittle * waiting_ns) || latency_ns * kLittleOfLatency > limit_victim_ns;
}

void read_flows(const PointResult& point, Conclusion& all) { FlowFindings(point, all).read(); }

void find_culprit(const PointResult& point, Conclusion& all) {
  FlowFindings findings(point, all);
  findings.find_culprit();
  findings.find_cause();
}

}  // namespace headway
