// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/waiting.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <string>

#include "headway/metrics/metric_names.h"
#include "headway/metrics/units.h"

namespace headway {
namespace {

// The photographs of a window or of a part of it, and what was delivered in it.
struct WaitingWindow {
  const Network& network;
  const NetworkSums& sums;
  double ticks = 0;
  double delivered = 0;   // packets
  double latency_ns = 0;  // mean, as measured
  bool has_closed_loop = false;

  // Mean time of a delivered packet that corresponds to a sum of packets over the photographs: by Little's
  // law their mean number, times the window, divided by the packets delivered in it.
  double ns(std::uint64_t packets) const {
    if (sums.photographs == 0 || delivered == 0) return kNaN;
    return network.ns(static_cast<double>(packets) / static_cast<double>(sums.photographs) * ticks /
                      delivered);
  }
  // Mean share of time over the links that leave switches.
  double share(LinkTime time) const {
    std::uint64_t all = 0;
    for (const std::uint64_t links : sums.switch_links) all += links;
    return static_cast<double>(sums.switch_links[static_cast<std::size_t>(time)]) / static_cast<double>(all);
  }
};

double of(const WaitingWindow& window, Waiting waiting) {
  return window.ns(window.sums.packets[static_cast<std::size_t>(waiting)]);
}

double total_ns(const WaitingWindow& window) {
  double sum = 0;
  for (const std::uint64_t packets : window.sums.packets) sum += window.ns(packets);
  return sum;
}

constexpr MetricOf<WaitingWindow> kWaitingMetrics[] = {
    {{metrics::transit_ns, "ns", "mean time that a delivered packet spent on links, waiting for nothing"},
     [](const WaitingWindow& w) { return of(w, Waiting::transit); }},
    {{metrics::wait_admittance_ns, "ns",
      "mean time that it waited at its node for room in an injection queue"},
     [](const WaitingWindow& w) { return of(w, Waiting::admittance); }},
    {{metrics::wait_room_ns, "ns",
      "mean time that it waited for room behind its output, at the head of a queue or behind a head that "
      "needed the same room"},
     [](const WaitingWindow& w) { return of(w, Waiting::room); }},
    {{metrics::wait_output_ns, "ns", "mean time that it waited for an output that another input sent by"},
     [](const WaitingWindow& w) { return of(w, Waiting::output); }},
    {{metrics::wait_serial_ns, "ns", "mean time that it waited for an output that its own input sent by"},
     [](const WaitingWindow& w) { return of(w, Waiting::serial); }},
    {{metrics::wait_input_ns, "ns", "mean time that it waited for its input, which sent by another output"},
     [](const WaitingWindow& w) { return of(w, Waiting::input); }},
    {{metrics::hol_blocking_ns, "ns",
      "mean time that it waited behind a head that needed something else: head-of-line blocking, a lower "
      "estimate of what separate queues would save"},
     [](const WaitingWindow& w) { return of(w, Waiting::hol); }},
    {{metrics::wait_limited_ns, "ns",
      "mean time that it waited at its node because of the rate or the window of its flow",
      Needs::waiting_reaction},
     [](const WaitingWindow& w) { return of(w, Waiting::limited); }},
    {{metrics::wait_paused_ns, "ns",
      "mean time that it waited for room behind its output because its lane there had paused its sender, at "
      "the head of a queue or behind a head that needed the same room",
      Needs::waiting_pauses},
     [](const WaitingWindow& w) { return of(w, Waiting::paused); }},
    {{metrics::hol_movable_ns, "ns",
      "of hol_blocking_ns: it lacked nothing but the place at the head of its queue"},
     [](const WaitingWindow& w) { return w.ns(w.sums.movable); }},
    {{"hol_drain_ns", "ns",
      "of wait_serial_ns and wait_input_ns: it waited in a moving queue behind a head with another output"},
     [](const WaitingWindow& w) { return w.ns(w.sums.drain); }},
    {{metrics::victim_wait_ns, "ns",
      "mean time that it waited, also at its node, for a root of congestion that it did not have to cross: "
      "the cost of sharing queues in the whole network; the waiting of all packets in the window, divided by "
      "those that are delivered in it, so it can exceed latency_mean_ns if packets wait that are delivered "
      "later or never"},
     [](const WaitingWindow& w) { return w.ns(w.sums.victims); }},
    {{metrics::links_busy, kTime,
      "mean share of the time in which the links that leave switches carried packets"},
     [](const WaitingWindow& w) { return w.share(LinkTime::busy); }},
    {{metrics::links_feedback, kTime,
      "mean share of the time in which these links carried credits or signals of isolation"},
     [](const WaitingWindow& w) { return w.share(LinkTime::feedback); }},
    {{metrics::links_unwanted, kTime,
      "mean share of the time in which these links were idle because no packet was to cross them"},
     [](const WaitingWindow& w) { return w.share(LinkTime::unwanted); }},
    {{metrics::links_starved, kTime,
      "mean share of the time in which these links were idle because the packets for them waited elsewhere"},
     [](const WaitingWindow& w) { return w.share(LinkTime::starved); }},
    {{metrics::links_lost_hol, kTime,
      "mean share of the time in which these links were idle because of head-of-line blocking: a packet for "
      "them lacked only the place at the head of its queue"},
     [](const WaitingWindow& w) { return w.share(LinkTime::lost_hol); }},
    {{metrics::links_lost_input, kTime,
      "mean share of the time in which these links were idle because the inputs of the packets for them sent "
      "by other outputs"},
     [](const WaitingWindow& w) { return w.share(LinkTime::lost_input); }},
    {{metrics::links_lost_room, kTime,
      "mean share of the time in which these links were idle because no packet for them had room at the next "
      "port, and one of these packets was a victim"},
     [](const WaitingWindow& w) { return w.share(LinkTime::lost_room); }},
    {{metrics::links_throttled, kTime,
      "mean share of the time in which these links were idle because no packet for them had room at the next "
      "port, and none of these packets was a victim: no capacity was lost"},
     [](const WaitingWindow& w) { return w.share(LinkTime::throttled); }},
    {{metrics::links_down, kTime,
      "mean share of the time in which these links were down, and packets waited until they were up",
      Needs::waiting_events},
     [](const WaitingWindow& w) { return w.share(LinkTime::down); }},
    {{metrics::photographs, "photographs", "photographs of the network in the window"},
     [](const WaitingWindow& w) { return static_cast<double>(w.sums.photographs); }},
    {{metrics::closed_loop, kNumber,
      "1 if a part of the traffic is that of jobs or of saturated sources, which send as fast as they are "
      "served, so that they offer what is accepted; else 0",
      OverSeeds::same},
     [](const WaitingWindow& w) { return w.has_closed_loop ? 1.0 : 0.0; }},
    {{"photograph_error_ns", "ns",
      "transit, admittance, limited, paused, room, output, serial, input and head-of-line blocking together, "
      "minus latency_mean_ns; far from 0 if the window is not in a steady state"},
     [](const WaitingWindow& w) { return total_ns(w) - w.latency_ns; }},
};

// Every mean over photographs is followed by its standard error: hol_blocking_ns by hol_blocking_se_ns,
// links_busy by links_busy_se.
bool has_error(const Metric& metric) {
  return metric.name != metrics::photographs && metric.name != metrics::closed_loop;
}
std::string name_of_error(std::string_view mean) {
  if (mean.ends_with("_ns")) return fmt::format("{}_se_ns", mean.substr(0, mean.size() - 3));
  return fmt::format("{}_se", mean);
}

struct MeansAndErrors {
  std::deque<std::string> texts;
  std::vector<Metric> all;

  MeansAndErrors() {
    for (const auto& [mean, value] : kWaitingMetrics) {
      all.push_back(mean);
      if (!has_error(mean)) continue;
      Metric& error = all.emplace_back(mean);
      error.name = texts.emplace_back(name_of_error(mean.name));
      error.over_seeds = OverSeeds::error;
      error.error_of = mean.name;
      error.help = texts.emplace_back(fmt::format("standard error of {}, by batch means", mean.name));
    }
  }
};

bool has_closed_loop(const Workload& workload) {
  return !workload.jobs.empty() || std::ranges::any_of(workload.sources, [&](const Source& source) {
    return workload.flows[source.flow].arrivals == nullptr;
  });
}

// Sums the photographs of each batch of the window. The bins of the window are the last ones of `bins`.
std::vector<NetworkSums> sums_of(const std::vector<Window::Batch>& batches, const Window& window,
                                 std::span<const BinSums> bins) {
  const std::span<const BinSums> measured = bins.last(window.readings().size() - 1);
  std::vector<NetworkSums> all;
  for (const auto& [from, to] : batches) {
    NetworkSums& sums = all.emplace_back();
    for (std::size_t bin = from; bin < to; ++bin) sums.add(measured[bin]);
  }
  return all;
}

}  // namespace

std::span<const Metric> waiting_metrics() {
  static const MeansAndErrors kMetrics;
  return kMetrics.all;
}

void add_waiting(const Observer& observer, const Window& window, const RunScope& scope, Result& result) {
  const bool closed_loop = has_closed_loop(window.workload());
  const auto part = [&](const NetworkSums& sums, const Reading& from, const Reading& to) {
    const auto delivered =
        static_cast<double>(to.counters.packets_delivered - from.counters.packets_delivered);
    const auto latency = static_cast<double>(to.counters.latency_ticks - from.counters.latency_ticks);
    return WaitingWindow{.network = window.network(),
                         .sums = sums,
                         .ticks = static_cast<double>(to.tick - from.tick),
                         .delivered = delivered,
                         .latency_ns = window.network().ns(latency / delivered),
                         .has_closed_loop = closed_loop};
  };
  const WaitingWindow whole = part(observer.sums(), window.first(), window.last());
  const std::vector<Window::Batch> batches = window.batches();
  const std::vector<NetworkSums> sums = sums_of(batches, window, observer.bins());
  for (const auto& [metric, value] : kWaitingMetrics) {
    if (!scope.meets(metric.needs)) continue;
    result.metrics.emplace_back(metric.name, value(whole));
    if (!has_error(metric)) continue;
    std::vector<double> means;
    for (std::size_t b = 0; b < batches.size(); ++b)
      means.push_back(
          value(part(sums[b], window.readings()[batches[b].from], window.readings()[batches[b].to])));
    result.metrics.emplace_back(name_of_error(metric.name), standard_error_of_batches(means));
  }
}

}  // namespace headway
