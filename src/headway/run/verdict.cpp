// SPDX-License-Identifier: Apache-2.0
#include "headway/run/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "headway/analysis/bottleneck.h"
#include "headway/metrics/change_text.h"
#include "headway/spec/spec.h"

namespace headway {
namespace {

constexpr Tick kEnded = std::numeric_limits<Tick>::max();

class Judge {
 public:
  explicit Judge(const Measured& measured)
      : measured_(measured),
        model_(measured.model),
        network_(model_.network),
        workload_(model_.workload),
        window_(measured.window),
        from_(window_.first().tick),
        to_(window_.last().tick) {}

  Verdict verdict() const {
    if (const std::string change = change_of_load(); !change.empty())
      return {.status = Status::not_steady, .detail = change};
    if (from_ == to_ || sources() == 0) return {};  // no load was requested, so no verdict is needed
    if (const std::string silence = silence_of_others(); !silence.empty())
      return {.status = Status::not_steady, .detail = silence};
    if (const std::string stalled = stalled_sources(); !stalled.empty())
      return {.status = Status::saturated, .detail = stalled};
    if (const std::string starved = starved_classes(); !starved.empty())
      return {.status = Status::saturated, .detail = starved};
    if (const std::string links = overloaded_links(); !links.empty())
      return {.status = Status::saturated, .detail = links};
    Verdict verdict = judge(stretch());
    if (!verdict.advice.empty()) add_advice(verdict);
    if (verdict.status == Status::saturated || measured_.settled) return verdict;
    return {.status = Status::not_steady,
            .enough = std::max(2.0, verdict.enough),
            .detail = fmt::format("no end of the warm-up was found within {} times the measured duration; "
                                  "set measure.warmup or increase measure.duration",
                                  kWarmupLimit)};
  }

 private:
  // Describes a change of load within the window; empty if there is none.
  std::string change_of_load() const {
    const auto inside = std::ranges::find_if(
        measured_.changes, [&](const Disturbance& change) { return from_ < change.at && change.at < to_; });
    if (inside != measured_.changes.end())
      return fmt::format("{} within the window, from {} to {}: the means average over different {}",
                         text(*inside), text(from_), text(to_), inside->of_network ? "networks" : "loads");
    if (sources() > 0 || measured_.changes.empty()) return "";
    return fmt::format("no flow sends within the window, from {} to {}; {}", text(from_), text(to_),
                       text(measured_.changes.back()));
  }

  // Says why traces and jobs, if only they can send, generate nothing in the window; empty if they do.
  std::string silence_of_others() const {
    if (expected_bytes() > 0 || generated() > 0) return "";
    std::string others;
    for_each_other([&](const std::string& name, Tick next) {
      others += next == kEnded ? fmt::format("; {} has ended before", name)
                               : fmt::format("; {} goes on at {}", name, text(next));
    });
    return fmt::format("no message is generated within the window, from {} to {}{}", text(from_), text(to_),
                       others);
  }

  // A longer window helps only as long as the traffic goes on as in this one.
  void add_advice(Verdict& verdict) const {
    const double end = static_cast<double>(from_) + verdict.enough * static_cast<double>(to_ - from_);
    const auto next =
        std::ranges::find_if(measured_.changes, [&](const Disturbance& change) { return change.at >= to_; });
    if (!goes_on()) {
      verdict.advice = "no more traffic comes, so a longer window would not help";
      verdict.enough = 1;
    } else if (next != measured_.changes.end() && static_cast<double>(next->at) < end) {
      verdict.advice = text(*next) + ", too early for a window that would be long enough";
      verdict.enough = 1;
    }
    verdict.detail += "; " + verdict.advice;
  }

  // Returns true if any traffic comes after the window.
  bool goes_on() const {
    bool goes_on = expected_bytes() > 0;
    if (!goes_on) for_each_other([&](const std::string&, Tick next) { goes_on |= next != kEnded; });
    return goes_on;
  }

  // Calls visit(name, next) for all traces and jobs: when they go on after the window, or kEnded.
  template <class Visit>
  void for_each_other(Visit&& visit) const {
    for (std::size_t t = 0; t < workload_.traces.size(); ++t) {
      const auto cursor = workload_.traces[t].messages->open();
      std::optional<TimedMessage> message = cursor->next();
      while (message && message->tick < to_) message = cursor->next();
      visit(fmt::format("traffic.trace[{}]", t), message ? message->tick : kEnded);
    }
    Tick next = kEnded;  // of a job or its copies
    for (std::size_t j = 0; j < workload_.jobs.size(); ++j) {
      const Job& job = workload_.jobs[j];
      if (window_.simulation().jobs().record(j).finish < 0) next = std::min(next, std::max(job.start, to_));
      if (j + 1 < workload_.jobs.size() && workload_.jobs[j + 1].number_in_file == job.number_in_file)
        continue;
      visit(fmt::format("traffic.job[{}]", job.number_in_file), std::exchange(next, kEnded));
    }
  }

  // Sources that stall at the limit of their node generate less than the requested load, which the
  // outstanding traffic does not show.
  std::string stalled_sources() const {
    constexpr double kScore = 4, kPartThatMatters = 0.002;
    if (network_.admittance_limit == UINT64_MAX || is_closed_loop(workload_)) return "";
    const double expected = expected_bytes();
    if (expected - generated() <
        kScore * std::sqrt(expected * largest_message()) + kPartThatMatters * expected)
      return "";
    return fmt::format(
        "sources stalled at node.admittance_limit: they generated only {:.3g} % of the given load",
        100 * generated() / expected);
  }

  // Classes whose packets wait throughout the window while others are delivered. With a class of a higher
  // priority that sends all the time, the loads alone may show nothing.
  std::string starved_classes() const {
    std::string starved;
    const auto delivered = [](const Reading& reading, std::size_t c) {
      return reading.classes[c].packets_delivered;
    };
    for (std::size_t c = 0; c < model_.class_names.size(); ++c) {
      const Reading &first = window_.first(), &last = window_.last();
      const bool waits = first.classes[c].packets_generated > delivered(first, c);
      if (!waits || delivered(last, c) > delivered(first, c)) continue;
      const std::uint64_t packets = last.classes[c].packets_generated - delivered(last, c);
      starved += fmt::format("{}class \"{}\" is starved: none of its {} packets is delivered in the window",
                             starved.empty() ? "" : "; ", model_.class_names[c], packets);
    }
    const bool others =
        window_.last().counters.packets_delivered > window_.first().counters.packets_delivered;
    return others ? starved : "";
  }

  // Links whose demand exceeds their capacity saturate the network, even if the window is too short to show
  // it or only a few nodes are affected. Traces, jobs and saturated sources only add to the demand of the
  // other flows.
  std::string overloaded_links() const {
    constexpr double kRounding = 1e-9;
    std::vector<double> rates = mean_rates(workload_, from_, to_);
    for (std::size_t flow = 0; flow < rates.size(); ++flow)
      if (workload_.flows[flow].arrivals == nullptr) rates[flow] = 0;
    const Bottleneck most = model_.bottlenecks->of(network_, workload_, rates);
    return most.load > 1 + kRounding ? most.text() : "";
  }

  Stretch stretch() const {
    Stretch stretch;
    stretch.sending = sending();
    for (const Reading& reading : measured_.looks) {
      const Counters& counters = reading.counters;
      stretch.observations.push_back(
          {network_.ns(static_cast<double>(reading.tick)),
           static_cast<double>(counters.bytes_generated - counters.bytes_delivered - counters.bytes_lost),
           static_cast<double>(counters.packets_delivered),
           network_.ns(static_cast<double>(counters.latency_ticks)),
           static_cast<double>(counters.bytes_delivered)});
    }
    Tick loaded = 0;
    for (const Disturbance& change : measured_.changes)
      if (change.at <= from_) loaded = change.at;
    stretch.loaded_ns = network_.ns(static_cast<double>(from_ - loaded));
    stretch.generated = generated();
    stretch.expected = expected_bytes();
    stretch.message = largest_message();
    stretch.sources = sources();
    return stretch;
  }

  // 0 also if failed links cut the source off from all its destinations.
  double load(const Source& source) const {
    const auto number = static_cast<std::size_t>(&source - workload_.sources.data());
    if (from_ == to_ || model_.cut_off.is_silent(number)) return 0;
    return mean_load(workload_.flows[source.flow].load, from_, to_);
  }
  Sending sending() const {
    bool by_load = !workload_.traces.empty() || !workload_.jobs.empty(), by_delivery = false;
    for (const Source& source : workload_.sources)
      if (load(source) > 0) (workload_.flows[source.flow].arrivals == nullptr ? by_delivery : by_load) = true;
    return !by_delivery ? Sending::by_load : by_load ? Sending::by_both : Sending::by_delivery;
  }
  // Number of nodes that send in the window; nodes of traces and jobs count as sending.
  std::size_t sources() const {
    auto count = static_cast<std::size_t>(
        std::ranges::count_if(workload_.sources, [&](const Source& source) { return load(source) > 0; }));
    for (const Trace& trace : workload_.traces) count += trace.senders.size();
    for (const Job& job : workload_.jobs) count += job.possible_nodes().size();
    return count;
  }
  double generated() const {
    return static_cast<double>(window_.last().counters.bytes_generated -
                               window_.first().counters.bytes_generated);
  }
  // Bytes that the loads of the flows give on average.
  double expected_bytes() const {
    double rate = 0;
    for (const Source& source : workload_.sources)
      rate += load(source) * workload_.flows[source.flow].bytes_per_tick;
    return rate * static_cast<double>(to_ - from_);
  }
  // In bytes. Random sizes count as the fixed size that gives the traffic the same variance. Choice: messages
  // of traces and jobs have any length, so they count as packets.
  double largest_message() const {
    double most = 0;
    for (const Source& source : workload_.sources) {
      if (load(source) <= 0) continue;
      const Flow& flow = workload_.flows[source.flow];
      most = std::max(
          most, flow.sizes ? flow.sizes->mean_of_bytes()
                           : static_cast<double>(network_.framing().frames({flow.packets, flow.last_bytes})));
    }
    return workload_.traces.empty() && workload_.jobs.empty() ? most : network_.packet_bytes;
  }
  std::string text(Tick tick) const { return to_string(Duration{network_.tick.ns * Rational(tick)}); }
  std::string text(const Disturbance& change) const {
    if (change.of_network) return text_of_changes(network_, change.at) + " at " + text(change.at);
    return fmt::format("the load of traffic.flow[{}] goes from {:.4g} to {:.4g} at {}",
                       model_.flow_of_spec[change.flow], change.before, change.after, text(change.at));
  }

  const Measured& measured_;
  const Model& model_;
  const Network& network_;
  const Workload& workload_;
  const Window& window_;
  Tick from_, to_;
};

}  // namespace

std::vector<Disturbance> disturbances_of(const Model& model) {
  const Workload& workload = model.workload;
  std::vector<bool> sends(workload.flows.size(), false);
  for (std::size_t source = 0; source < workload.sources.size(); ++source)
    if (!model.cut_off.is_silent(source)) sends[workload.sources[source].flow] = true;
  std::vector<Disturbance> changes;
  for (std::uint32_t flow = 0; flow < workload.flows.size(); ++flow) {
    const std::vector<LoadProfile::Piece>& pieces = workload.flows[flow].load.pieces;
    for (std::size_t piece = 1; sends[flow] && piece < pieces.size(); ++piece)
      if (pieces[piece].load != pieces[piece - 1].load)
        changes.push_back(
            {tick_of(pieces[piece].from), false, flow, pieces[piece - 1].load, pieces[piece].load});
  }
  for (const TimedChange& change : model.network.changes)
    if (changes.empty() || !changes.back().of_network || changes.back().at < change.tick)
      changes.push_back({.at = change.tick, .of_network = true});
  std::ranges::stable_sort(changes, {}, &Disturbance::at);
  return changes;
}

Verdict verdict_of(const Measured& measured) { return Judge(measured).verdict(); }

}  // namespace headway
