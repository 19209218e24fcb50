// SPDX-License-Identifier: Apache-2.0
// What is better or worse in one of two runs, and why, as a page of plain text.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/base/wrapped.h"
#include "headway/metrics/metric_names.h"
#include "headway/why/compared_classes.h"
#include "headway/why/compared_points.h"
#include "headway/why/conclusion.h"
#include "headway/why/waiting_words.h"
#include "headway/why/why.h"
#include "headway/why/why_jobs.h"

namespace headway {
namespace {

constexpr double kAlikeChange = 0.05;    // smaller changes are no difference
constexpr double kChangeOfClass = 0.05;  // of the larger number of waiting packets: worth telling
constexpr std::size_t kMostFlows = 3, kMostReasons = 2, kMostClasses = 6;

// From -1 on; 0 if both are alike.
double change_of(double first, double second) {
  if (!(first > 0)) return second > 0 ? HUGE_VAL : 0;
  const double change = second / first - 1;
  return std::abs(change) < kAlikeChange ? 0 : change;
}

// "12 % less", "3.1 times as much"
std::string change_text(double first, double second, std::string_view less, std::string_view more) {
  const double change = change_of(first, second);
  if (change == 0) return "about the same";
  if (change < 0) return fmt::format("{} {}", percent(-change), less);
  if (!(first > 0)) return std::string(more);
  return change < 1 ? fmt::format("{} {}", percent(change), more)
                    : fmt::format("{:.2g} times as {}", second / first, more == "more" ? "much" : "many");
}

// ", 2 us instead of 3 us of that as victims"
std::string as_victims(double first_ns, double second_ns) {
  if (first_ns == 0 && second_ns == 0) return "";
  return fmt::format(", {} instead of {} of that as victims", time_text(second_ns), time_text(first_ns));
}

class Comparison : Told {
 public:
  explicit Comparison(const ComparedPair& pair)
      : pair_(pair),
        first_(conclude(pair.first)),
        second_(conclude(pair.second)),
        classes_(compared_classes(pair.first, first_.classes, pair.second, second_.classes)) {
    check_flows();
  }

  std::string text(std::size_t columns) {
    jobs();
    verdict();
    flows();
    load();
    reasons();
    what_remains();
    caution();
    return pair_.heading + ":\n" + seeds(columns) + text_of(take(), columns) + evidence();
  }

 private:
  static std::string packets_of(const FlowFinding& flow) {
    return flow.name.empty() ? "packets" : "packets of " + flow.name;
  }

  struct FlowPair {
    const FlowFinding* first;
    const FlowFinding* second;
    // Times are per delivered packet.
    bool is_known() const { return first->delivered > 0 && second->delivered > 0; }
    double change() const { return is_known() ? change_of(first->waiting_ns, second->waiting_ns) : 0; }
  };
  void check_flows() {
    for (const auto& [one, other, name] : {std::tuple{&first_, &second_, &pair_.first_name},
                                           std::tuple{&second_, &first_, &pair_.second_name}})
      for (const FlowFinding& flow : one->flows)
        if (std::ranges::find(other->flows, flow.name, &FlowFinding::name) == other->flows.end())
          throw NoResult(fmt::format(
              "only the run of {} tells {} apart; two runs can be compared if they have the same flows",
              *name, flow.name.empty() ? "no flows" : flow.name));
    for (const FlowFinding& flow : first_.flows)
      pairs_.push_back({&flow, &*std::ranges::find(second_.flows, flow.name, &FlowFinding::name)});
  }

  // Those that both runs have finished.
  void jobs() {
    for (const JobRow& one : rows_in<JobRow>(pair_.first.result))
      for (const JobRow& other : rows_in<JobRow>(pair_.second.result)) {
        if (one.job != other.job || !(one.completion_ns > 0 && other.completion_ns > 0)) continue;
        const double first = one.completion_ns, second = other.completion_ns;
        const bool is_faster = second < first;
        say(Support::run, "With {}, {} takes {} instead of {} ({}).", pair_.second_name, one.job,
            time_text(second), time_text(first),
            change_of(first, second) == 0
                ? std::string("about the same")
                : fmt::format("{:.3g} times as {}", is_faster ? first / second : second / first,
                              is_faster ? "fast" : "long"));
      }
  }

  void verdict() {
    std::vector<std::string> better, worse;
    for (const FlowPair& flow : pairs_) {
      if (flow.change() < 0) better.push_back(packets_of(*flow.first));
      if (flow.change() > 0) worse.push_back(packets_of(*flow.first));
    }
    if (better.empty() && worse.empty() && !std::ranges::all_of(pairs_, &FlowPair::is_known)) return;
    if (better.empty() && worse.empty())
      return say(Support::run, "Between {} and {}, waiting hardly differs: by less than {} for every flow.",
                 pair_.first_name, pair_.second_name, percent(kAlikeChange));
    std::string text = fmt::format("With {}, ", pair_.second_name);
    if (!better.empty()) text += fmt::format("{} wait less than with {}", and_list(better), pair_.first_name);
    if (!better.empty() && !worse.empty()) text += ", but ";
    if (!worse.empty())
      text += fmt::format("{} wait longer{}", and_list(worse),
                          better.empty() ? " than with " + pair_.first_name : "");
    say(Support::run, "{}.", text);
  }

  // The largest changes first.
  void flows() {
    std::vector<FlowPair> sorted = pairs_;
    std::ranges::stable_sort(sorted, std::ranges::greater{},
                             [](const FlowPair& flow) { return std::abs(flow.change()); });
    for (std::size_t i = 0; i < std::min(sorted.size(), kMostFlows); ++i) tell(sorted[i]);
  }

  void tell(const FlowPair& flow) {
    const FlowFinding &one = *flow.first, &other = *flow.second;
    if (!flow.is_known()) return tell_undelivered(flow);
    say(Support::run, "For every packet{} that is delivered, {} wait {} instead of {} ({}){}.",
        one.name.empty() ? "" : " of " + one.name, one.name.empty() ? "packets" : "its packets",
        time_text(other.waiting_ns), time_text(one.waiting_ns),
        change_text(one.waiting_ns, other.waiting_ns, "less", "more"),
        as_victims(one.victim_ns, other.victim_ns));
    if (!one.name.empty() && one.accepted_load > 0 && change_of(one.accepted_load, other.accepted_load) != 0)
      say(Support::run, "Of {}, {:.3g} instead of {:.3g} of the link rate is delivered ({}).", one.name,
          other.accepted_load, one.accepted_load,
          change_text(one.accepted_load, other.accepted_load, "less", "more"));
    if (!one.name.empty() && one.latency_ns > 0 && other.latency_ns > 0 && first_.is_steady() &&
        second_.is_steady())
      say(Support::run, "The mean latency of {} is {} instead of {} ({}).", one.name,
          time_text(other.latency_ns), time_text(one.latency_ns),
          change_text(one.latency_ns, other.latency_ns, "less", "more"));
  }

  void tell_undelivered(const FlowPair& flow) {
    std::vector<std::string> runs;
    if (!(flow.first->delivered > 0)) runs.push_back(pair_.first_name);
    if (!(flow.second->delivered > 0)) runs.push_back(pair_.second_name);
    say(Support::run, "With {}, none of the {} is delivered.", and_list(runs), packets_of(*flow.first));
  }

  void load() {
    const double one = first_.accepted_load, other = second_.accepted_load;
    if (!(one > 0 && other > 0)) return;
    if (change_of(one, other) == 0)
      say(Support::run, "Both deliver about the same: {:.3g} and {:.3g} of the link rate.", one, other);
    else
      say(Support::run, "Of all traffic, {:.3g} instead of {:.3g} of the link rate is delivered ({}).", other,
          one, change_text(one, other, "less", "more"));
  }

  static std::string places(const RootClass& of) {
    return class_text(of) +
           (of.flow.empty() ? "" : fmt::format(" (crossed mostly by packets of {})", of.flow));
  }

  // The roots for which packets wait less, if some flows wait less, and those for which they wait longer, if
  // some flows wait longer: a reason points the way of what it explains.
  void reasons() {
    double first = 0, second = 0;
    for (const ComparedClass& reason : classes_) first += reason.first_ns, second += reason.second_ns;
    const double least = kChangeOfClass * std::max(first, second);
    if (!std::isfinite(least)) return;  // nothing is delivered
    const auto any = [&](auto points) {
      return std::ranges::any_of(pairs_, [&](const FlowPair& flow) { return points(flow.change()); });
    };
    if (any([](double change) { return change < 0; })) explain("less", -1, least);
    if (any([](double change) { return change > 0; })) explain("more", 1, least);
  }

  void explain(std::string_view what, double sign, double least) {
    std::size_t told = 0;
    for (const ComparedClass& reason : classes_) {
      if (told == kMostReasons) return;
      if (sign * reason.change() < least) continue;
      say("{}for every delivered packet, packets wait {} instead of {} for {}{}.",
          told++ == 0 ? fmt::format("The main reason for {} waiting: ", what) : "Besides, ",
          time_text(reason.second_ns), time_text(reason.first_ns), places(reason.of),
          as_victims(reason.first_victim_ns, reason.second_victim_ns));
    }
  }

  void what_remains() {
    bool has_path = false;
    for (const JobRow& job : rows_in<JobRow>(pair_.second.result))
      if (const std::string path = path_text(pair_.second, job.job); !path.empty()) {
        has_path = true;
        say("With {}, the critical path of {} is {}.", pair_.second_name, job.job, path);
      }
    if (has_path) return;
    const Sentence left = sentences(second_, pair_.second).front();
    say(left.support, "What is left with {}: {}", pair_.second_name, left.text);
  }

  static std::string words_of(Status status) {
    std::string text(name_of(status));
    std::ranges::replace(text, '_', ' ');
    return text;
  }

  std::string seeds(std::size_t columns) const {
    if (pair_.first.runs.size() < 2 && pair_.second.runs.size() < 2) return "";
    return wrapped("All numbers of several seeds are means over their runs.", 0, columns);
  }

  void caution() {
    if (first_.is_steady() && second_.is_steady()) return;
    const std::string who =
        first_.status == second_.status
            ? fmt::format("Both runs are {}", words_of(first_.status))
            : fmt::format("The run with {} is {} and the run with {} is {}", pair_.first_name,
                          words_of(first_.status), pair_.second_name, words_of(second_.status));
    say("{}, so these times depend on the length of the window.", who);
    const double one = pair_.first.result.metric(metrics::duration_ns),
                 other = pair_.second.result.metric(metrics::duration_ns);
    if (change_of(one, other) != 0) say("The windows differ: {} and {}.", time_text(one), time_text(other));
  }

  // Numbers of packets in runs of different length do not compare, so these are times per delivered packet.
  std::string evidence() const {
    std::string text = fmt::format(
        "\nEvidence: what packets wait for every packet that is delivered, and as victims\n"
        "  {:>8}  {:>10}  {:>8}  {:>10}  for\n",
        "first", "as victims", "second", "as victims");
    const auto time = [](double ns) { return std::isfinite(ns) ? time_text(ns) : "-"; };
    const auto row = [&](double a, double b, double c, double d, const std::string& what) {
      text += fmt::format("  {:>8}  {:>10}  {:>8}  {:>10}  {}\n", time(a), time(b), time(c), time(d), what);
    };
    row(ns_per_packet(pair_.first, first_.waiting), ns_per_packet(pair_.first, first_.victims),
        ns_per_packet(pair_.second, second_.waiting), ns_per_packet(pair_.second, second_.victims),
        "all roots");
    for (const ComparedClass& each : std::span(classes_).first(std::min(classes_.size(), kMostClasses)))
      row(each.first_ns, each.first_victim_ns, each.second_ns, each.second_victim_ns,
          class_text(each.of) + (each.of.flow.empty() ? "" : fmt::format(" ({})", each.of.flow)));
    return text;
  }

  const ComparedPair& pair_;
  Conclusion first_, second_;
  std::vector<ComparedClass> classes_;
  std::vector<FlowPair> pairs_;
};

}  // namespace

std::string why_compare(const ComparedPair& pair, std::size_t columns) {
  return Comparison(pair).text(columns);
}

}  // namespace headway
