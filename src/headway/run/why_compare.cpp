// SPDX-License-Identifier: Apache-2.0
// What is better or worse in one of two runs, and why, as a page of plain text.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/run/compared_points.h"
#include "headway/run/conclusion.h"
#include "headway/run/waiting_words.h"
#include "headway/run/why.h"

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
    caution();
    std::string text = pair_.heading + ":\n";
    for (const std::string& sentence : told_) text += paragraph(sentence, columns);
    return text + evidence();
  }

 private:
  static std::string packets_of(const FlowFinding& flow) {
    return flow.name.empty() ? "packets" : "packets of " + flow.name;
  }

  struct FlowPair {
    const FlowFinding* first;
    const FlowFinding* second;
    double change() const { return change_of(first->waiting_ns, second->waiting_ns); }
  };
  struct ClassPair {
    RootClass of;
    double first = 0, second = 0;                  // packets
    double first_victims = 0, second_victims = 0;  // of these
    double difference() const { return std::abs(second - first); }
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

  // The classes of roots whose victims changed most; where there are hardly any victims, whose packets did.
  void reasons() {
    const double waiting = std::max(first_.waiting, second_.waiting);
    const double victims = std::max(first_.victims, second_.victims);
    const bool of_victims = victims >= kChangeOfClass * waiting;
    const auto change = [&](const ClassPair& pair) {
      return of_victims ? std::abs(pair.second_victims - pair.first_victims) : pair.difference();
    };
    std::vector<ClassPair> sorted = classes();
    std::ranges::stable_sort(sorted, std::ranges::greater{}, change);
    std::size_t told = 0;
    for (const ClassPair& pair : sorted) {
      if (told == kMostReasons || change(pair) < kChangeOfClass * (of_victims ? victims : waiting)) return;
      say("{}the number of packets that wait for {} is {} instead of {}; {} instead of {} of these are "
          "victims.",
          told++ == 0 ? "The main reason: " : "Besides, ", places(pair.of), packets_text(pair.second),
          packets_text(pair.first), packets_text(pair.second_victims), packets_text(pair.first_victims));
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

  void caution() {
    if (first_.is_steady() && second_.is_steady()) return;
    const std::string who =
        first_.status == second_.status
            ? fmt::format("Both runs are {}", text_of(first_.status))
            : fmt::format("The run with {} is {} and the run with {} is {}", pair_.first_name,
                          text_of(first_.status), pair_.second_name, text_of(second_.status));
    say("{}, so these times depend on the length of the window.", who);
    const double one = pair_.first.result.metric("duration_ns"),
                 other = pair_.second.result.metric("duration_ns");
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
