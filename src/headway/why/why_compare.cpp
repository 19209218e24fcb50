// SPDX-License-Identifier: Apache-2.0
// What is better or worse in one of two runs, and why, as a page of plain text.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/base/wrapped.h"
#include "headway/metrics/metric_names.h"
#include "headway/why/compared_points.h"
#include "headway/why/conclusion.h"
#include "headway/why/waiting_words.h"
#include "headway/why/why.h"

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

class Comparison {
 public:
  explicit Comparison(const ComparedPair& pair)
      : pair_(pair), first_(conclude(pair.first)), second_(conclude(pair.second)) {
    check_flows();
  }

  std::string text(std::size_t columns) {
    verdict();
    flows();
    load();
    reasons();
    what_remains();
    seeds();
    caution();
    std::string text = pair_.heading + ":\n";
    for (const std::string& sentence : told_) text += wrapped(sentence, 0, columns);
    return text + evidence();
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
  struct ClassPair {
    RootClass of;
    double first = 0, second = 0;                  // packets
    double first_victims = 0, second_victims = 0;  // of these
    double difference() const { return std::abs(second - first); }
  };
  // What waits for a class of roots, per delivered packet.
  struct Reason {
    const RootClass* of;
    double first_ns = 0, second_ns = 0;                // per delivered packet
    double first_victim_ns = 0, second_victim_ns = 0;  // of these
    double change() const { return second_ns - first_ns; }
  };

  template <class... Values>
  void say(fmt::format_string<Values...> form, Values&&... values) {
    told_.push_back(fmt::format(form, std::forward<Values>(values)...));
  }

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

  void verdict() {
    std::vector<std::string> better, worse;
    for (const FlowPair& flow : pairs_) {
      if (flow.change() < 0) better.push_back(packets_of(*flow.first));
      if (flow.change() > 0) worse.push_back(packets_of(*flow.first));
    }
    if (better.empty() && worse.empty() && !std::ranges::all_of(pairs_, &FlowPair::is_known)) return;
    if (better.empty() && worse.empty())
      return say("Between {} and {}, waiting hardly differs: by less than {} for every flow.",
                 pair_.first_name, pair_.second_name, percent(kAlikeChange));
    std::string text = fmt::format("With {}, ", pair_.second_name);
    if (!better.empty()) text += fmt::format("{} wait less than with {}", and_list(better), pair_.first_name);
    if (!better.empty() && !worse.empty()) text += ", but ";
    if (!worse.empty())
      text += fmt::format("{} wait longer{}", and_list(worse),
                          better.empty() ? " than with " + pair_.first_name : "");
    told_.push_back(text + ".");
  }

  // The largest changes first.
  void flows() {
    std::vector<FlowPair> sorted = pairs_;
    std::ranges::stable_sort(sorted, std::ranges::greater{},
                             [](const FlowPair& flow) { return std::abs(flow.change()); });
    for (std::size_t i = 0; i < std::min(sorted.size(), kMostFlows); ++i) tell(sorted[i]);
    if (sorted.size() > kMostFlows) say("The table below has the other flows.");
  }

  void tell(const FlowPair& flow) {
    const FlowFinding &one = *flow.first, &other = *flow.second;
    if (!flow.is_known()) return tell_undelivered(flow);
    say("For every packet{} that is delivered, {} wait {} instead of {} ({}), {} instead of {} of that as "
        "victims.",
        one.name.empty() ? "" : " of " + one.name, one.name.empty() ? "packets" : "its packets",
        time_text(other.waiting_ns), time_text(one.waiting_ns),
        change_text(one.waiting_ns, other.waiting_ns, "less", "more"), time_text(other.victim_ns),
        time_text(one.victim_ns));
    if (!one.name.empty() && one.accepted_load > 0 && change_of(one.accepted_load, other.accepted_load) != 0)
      say("Of {}, {:.3g} instead of {:.3g} of the link rate is delivered ({}).", one.name,
          other.accepted_load, one.accepted_load,
          change_text(one.accepted_load, other.accepted_load, "less", "more"));
    if (!one.name.empty() && one.latency_ns > 0 && other.latency_ns > 0 && first_.is_steady() &&
        second_.is_steady())
      say("The mean latency of {} is {} instead of {} ({}).", one.name, time_text(other.latency_ns),
          time_text(one.latency_ns), change_text(one.latency_ns, other.latency_ns, "less", "more"));
  }

  void tell_undelivered(const FlowPair& flow) {
    std::vector<std::string> runs;
    if (!(flow.first->delivered > 0)) runs.push_back(pair_.first_name);
    if (!(flow.second->delivered > 0)) runs.push_back(pair_.second_name);
    say("With {}, none of the {} is delivered.", and_list(runs), packets_of(*flow.first));
  }

  void load() {
    const double one = first_.accepted_load, other = second_.accepted_load;
    if (!(one > 0 && other > 0)) return;
    if (change_of(one, other) == 0)
      say("Both deliver about the same: {:.3g} and {:.3g} of the link rate.", one, other);
    else
      say("Of all traffic, {:.3g} instead of {:.3g} of the link rate is delivered ({}).", other, one,
          change_text(one, other, "less", "more"));
  }

  std::vector<ClassPair> classes() const {
    std::map<RootClass, ClassPair> of;
    for (const RootGroup& group : first_.classes)
      of[group.of] = {.of = group.of, .first = group.packets, .first_victims = group.victims};
    for (const RootGroup& group : second_.classes) {
      ClassPair& pair = of[group.of];
      pair.of = group.of;
      pair.second = group.packets;
      pair.second_victims = group.victims;
    }
    std::vector<ClassPair> all;
    for (auto& [root_class, pair] : of) all.push_back(std::move(pair));
    std::ranges::stable_sort(all, std::ranges::greater{}, &ClassPair::difference);
    return all;
  }

  static std::string places(const RootClass& of) {
    return class_text(of) + (of.flow.empty() ? "" : fmt::format(" because of {}", of.flow));
  }

  // By Little's law, from a mean number of packets.
  static double ns_per_packet(const PointResult& point, double packets) {
    return packets * point.result.metric(metrics::duration_ns) /
           point.result.metric(metrics::packets_delivered);
  }

  std::vector<Reason> changes_of(const std::vector<ClassPair>& all) const {
    std::vector<Reason> changes;
    for (const ClassPair& pair : all)
      changes.push_back({.of = &pair.of,
                         .first_ns = ns_per_packet(pair_.first, pair.first),
                         .second_ns = ns_per_packet(pair_.second, pair.second),
                         .first_victim_ns = ns_per_packet(pair_.first, pair.first_victims),
                         .second_victim_ns = ns_per_packet(pair_.second, pair.second_victims)});
    std::ranges::stable_sort(changes, std::ranges::greater{},
                             [](const Reason& reason) { return std::abs(reason.change()); });
    return changes;
  }

  // The roots for which packets wait less, if some flows wait less, and those for which they wait longer, if
  // some flows wait longer: a reason points the way of what it explains.
  void reasons() {
    const std::vector<ClassPair> all = classes();
    const std::vector<Reason> changes = changes_of(all);
    double first = 0, second = 0;
    for (const Reason& reason : changes) first += reason.first_ns, second += reason.second_ns;
    const double least = kChangeOfClass * std::max(first, second);
    if (!std::isfinite(least)) return;  // nothing is delivered
    const auto any = [&](auto points) {
      return std::ranges::any_of(pairs_, [&](const FlowPair& flow) { return points(flow.change()); });
    };
    if (any([](double change) { return change < 0; })) explain("less", -1, least, changes);
    if (any([](double change) { return change > 0; })) explain("more", 1, least, changes);
  }

  void explain(std::string_view what, double sign, double least, const std::vector<Reason>& changes) {
    std::size_t told = 0;
    for (const Reason& reason : changes) {
      if (told == kMostReasons) return;
      if (sign * reason.change() < least) continue;
      say("{}for every delivered packet, packets wait {} instead of {} for {}, {} instead of {} of that as "
          "victims.",
          told++ == 0 ? fmt::format("The main reason for {} waiting: ", what) : "Besides, ",
          time_text(reason.second_ns), time_text(reason.first_ns), places(*reason.of),
          time_text(reason.second_victim_ns), time_text(reason.first_victim_ns));
    }
  }

  void what_remains() {
    say("What is left with {}: {}", pair_.second_name, sentences(second_, pair_.second).front());
  }

  static std::string text_of(Status status) {
    std::string text(name_of(status));
    std::ranges::replace(text, '_', ' ');
    return text;
  }

  void seeds() {
    if (pair_.first.runs.size() > 1 || pair_.second.runs.size() > 1)
      say("All numbers of several seeds are means over their runs.");
  }

  void caution() {
    if (first_.is_steady() && second_.is_steady()) return;
    const std::string who =
        first_.status == second_.status
            ? fmt::format("Both runs are {}", text_of(first_.status))
            : fmt::format("The run with {} is {} and the run with {} is {}", pair_.first_name,
                          text_of(first_.status), pair_.second_name, text_of(second_.status));
    say("{}, so these times depend on the length of the window.", who);
    const double one = pair_.first.result.metric(metrics::duration_ns),
                 other = pair_.second.result.metric(metrics::duration_ns);
    if (change_of(one, other) != 0) say("The windows differ: {} and {}.", time_text(one), time_text(other));
  }

  std::string evidence() const {
    std::string text = fmt::format(
        "\nEvidence: packets that wait on average, and the victims among them\n"
        "  {:>8}  {:>8}  {:>8}  {:>8}  for\n",
        "first", "victims", "second", "victims");
    const auto row = [&](double a, double b, double c, double d, const std::string& what) {
      text += fmt::format("  {:>8}  {:>8}  {:>8}  {:>8}  {}\n", packets_text(a), packets_text(b),
                          packets_text(c), packets_text(d), what);
    };
    row(first_.waiting, first_.victims, second_.waiting, second_.victims, "all roots");
    std::size_t told = 0;
    for (const ClassPair& pair : classes())
      if (told++ < kMostClasses)
        row(pair.first, pair.first_victims, pair.second, pair.second_victims,
            class_text(pair.of) + (pair.of.flow.empty() ? "" : fmt::format(" ({})", pair.of.flow)));
    return text;
  }

  const ComparedPair& pair_;
  Conclusion first_, second_;
  std::vector<FlowPair> pairs_;
  std::vector<std::string> told_;
};

}  // namespace

std::string why_compare(const ComparedPair& pair, std::size_t columns) {
  return Comparison(pair).text(columns);
}

}  // namespace headway
