// SPDX-License-Identifier: Apache-2.0
#include "headway/why/conclusion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include "headway/base/plural.h"
#include "headway/metrics/metric_names.h"
#include "headway/metrics/root_name.h"
#include "headway/why/waiting_words.h"

namespace headway {
namespace {

constexpr std::size_t kMostSentences = 8;
constexpr std::size_t kMostRemedies = 2;  // that are told
constexpr std::size_t kMostNodes = 3;     // that are named
constexpr double kFewPhotographs = 20;    // fewer tell only roughly which part of the packets waits for what
constexpr double kAll = 0.98;             // of the offered load: all of it
constexpr double kMore = 1.05;            // of the offered load: more than all of it
constexpr double kGrows = 1.1;            // in a quarter of the window
constexpr double kAlike = 0.5;            // share of delivered packets, relative to that of those that cross

class Teller {
 public:
  Teller(const Conclusion& conclusion, const PointResult& point) : all_(conclusion), point_(point) {}

  std::vector<std::string> take() {
    limit();
    few_photographs();
    state();
    if (all_.limit != Limit::nothing && all_.limit != Limit::deadlock) {
      cause();
      sufferer();
    }
    load();
    cut_off();
    course();
    starvation();
    remedies();
    return std::move(told_);
  }

 private:
  template <class... Values>
  void say(fmt::format_string<Values...> form, Values&&... values) {
    told_.push_back(fmt::format(form, std::forward<Values>(values)...));
  }

  // "node 11", "node 3 and node 5" or "16 nodes"
  std::string hot_nodes() const {
    if (all_.destinations.size() > kMostNodes) return plural(all_.destinations.size(), "node");
    std::vector<std::string> texts;
    for (const double node : all_.destinations) texts.push_back(node_text(node, point_.names));
    return and_list(texts);
  }
  bool is_one_node() const { return all_.destinations.size() == 1; }

  // What the roots of the limit are: "link", or "place" if some of them are not links.
  std::string place_word() const {
    const bool links = std::ranges::all_of(
        all_.limit_roots, [&](std::size_t root) { return all_.roots[root].of.kind == RootKind::link; });
    return links ? "link" : "place";
  }
  bool is_one_root() const { return all_.limit_roots.size() == 1; }
  // "this link", "these places"
  std::string these() const { return is_one_root() ? "this " + place_word() : "these " + place_word() + "s"; }

  void limit() {
    switch (all_.limit) {
      case Limit::nothing:
        if (all_.waiting == 0) return nothing_waits();
        say("Nothing limits this network: waiting is {} of the time of its packets.",
            percent(waiting_share()));
        return say("Other queues or lanes could save this waiting at most.");
      case Limit::deadlock:
        return say("Deadlock: {}.", point_.result.detail);
      case Limit::destinations:
        return say(
            "Traffic to {} limits this network: {} of all waiting packets wait for {} that it congests.",
            hot_nodes(), percent(all_.limit_share),
            is_one_root() ? "the " + place_word() : place_word() + "s");
      case Limit::few_roots:
        return say("{} this network: {} of all waiting packets wait for {}.", few_roots(),
                   percent(all_.limit_share), is_one_root() ? "it" : "them");
      case Limit::spread:
        return spread();
    }
  }

  void nothing_waits() {
    if (all_.photographs > 0)
      say("Nothing limits this network: no packet waits in any of the photographs.");
    else
      say("The run has no photograph in its window; a shorter observe.interval takes some.");
  }

  // Shares of few photographs stand beside exact times of critical paths.
  void few_photographs() {
    if (all_.limit != Limit::deadlock && all_.waiting > 0 && all_.photographs < kFewPhotographs)
      say("These shares are rough: they are of {}; a shorter observe.interval takes more.",
          counted(all_.photographs, "photograph"));
  }

  double waiting_share() const {
    const double transit = std::max(0.0, point_.result.metric(metrics::transit_ns));
    return all_.waiting_ns > 0 ? all_.waiting_ns / (all_.waiting_ns + transit) : 0;
  }

  // A subject with its verb: "the link limits", "node 3, which has slowed its flows down, limits".
  static std::string with_verb(const std::string& subject, std::string_view verb) {
    return fmt::format("{}{} {}", subject, subject.find(',') == std::string::npos ? "" : ",", verb);
  }

  // "The link from switch 1 port 2 to switch 3 limits"
  std::string few_roots() const {
    if (is_one_root()) {
      const WaitedRoot& root = all_.roots[all_.limit_roots.front()];
      std::string text = with_verb(root_phrase(root.row, point_.names), "limits");
      for (const std::string_view word : {"the ", "a ", "node "})  // but no name of a file
        if (text.starts_with(word)) text.front() = static_cast<char>(std::toupper(text.front()));
      return text;
    }
    std::set<RootClass> classes;
    for (const std::size_t place : all_.limit_roots) {
      RootClass of = all_.roots[place].of;
      of.flow.clear();
      classes.insert(of);
    }
    return with_verb(classes.size() == 1 ? class_text(*classes.begin(), all_.limit_roots.size())
                                         : plural(all_.limit_roots.size(), "place"),
                     "limit");
  }

  void spread() {
    const std::string places = plural(all_.roots.size(), "place");
    const std::string most = percent(all_.roots.front().packets / all_.waiting);
    if (carries_its_load())
      say("{} carries its load: waiting is {} of the time of its packets. It is spread over {}, none of "
          "which has more than {} of it.",
          all_.is_steady() ? "This network" : "In this window, the network", percent(waiting_share()), places,
          most);
    else
      say("No single place limits this network: packets wait for {}, and for none of them more than {} of "
          "all waiting packets.",
          places, most);
    const RootGroup& largest = all_.classes.front();
    const double busy = all_.largest_utilisation;
    say("The largest part, {} of the waiting packets, waits for {}{}.",
        percent(largest.packets / all_.waiting), group_text(largest, all_.roots, point_.names),
        std::isnan(busy) ? ""
                         : fmt::format(", which {} data {} of the time",
                                       largest.roots.size() == 1 ? "carries" : "carry", percent(busy)));
  }

  // Traffic that sends as fast as it is served always delivers what it offers.
  bool delivers_all() const { return !all_.is_closed_loop && all_.accepted_load >= kAll * all_.offered_load; }
  bool carries_its_load() const {
    return delivers_all() && (all_.is_steady() || all_.status == Status::too_short);
  }

  void state() {
    if (const std::string verdict = verdict_text(point_.result, "The run"); !verdict.empty())
      say("{}.", verdict);
  }

  void cause() {
    if (all_.limit == Limit::spread || all_.flows.size() < 2) return;
    if (all_.most_waiting && !all_.cause) {
      const FlowFinding& flow = all_.flows[*all_.most_waiting];
      return say("{} of the packets that wait to cross {} are those of {}, {}.", percent(flow.share), these(),
                 flow.name,
                 all_.held_up == HeldUp::outranked
                     ? "which wait because classes of a higher priority are served first"
                     : "whose critical path waits behind packets of others");
    }
    if (!all_.cause) {
      std::vector<std::string> flows;
      for (const FlowFinding& flow : all_.flows)
        if (flow.share > 0.1) flows.push_back(fmt::format("{} ({})", flow.name, percent(flow.share)));
      if (!flows.empty())
        say("No flow causes this alone: {} of the packets that wait to cross {}.", and_list(flows), these());
      return;
    }
    const FlowFinding& flow = all_.flows[*all_.cause];
    double delivered = 0;
    for (const FlowFinding& each : all_.flows) delivered += each.delivered;
    const double share = flow.delivered / delivered;
    say("The cause is {}: {} of the packets that wait to cross {} are its packets{}.", flow.name,
        percent(flow.share), these(),
        share < kAlike * flow.share ? fmt::format(", but only {} of all delivered packets", percent(share))
                                    : "");
  }

  // "for every packet that it delivers, its packets wait 12.3 us"
  std::string waits(const FlowFinding& flow) const {
    if (!(flow.delivered > 0))
      return fmt::format("none of its packets is delivered, and {} on average", packets_wait(flow.waiting));
    return all_.is_steady()
               ? fmt::format("one of its packets waits {} on average", time_text(flow.waiting_ns))
               : fmt::format("for every packet that it delivers, its packets wait {}",
                             time_text(flow.waiting_ns));
  }

  void sufferer() {
    if (!all_.cause || !all_.sufferer) return victims();
    const FlowFinding& flow = all_.flows[*all_.sufferer];
    const double ns = flow.limit_victim_ns;
    const bool hardly = flow.hardly_suffers();
    std::string of_that;
    if (flow.delivered > 0 && flow.waiting_ns > 0)
      of_that = fmt::format(", {}{} ({}) of that for {} that they do not have to cross",
                            hardly ? "only " : "", time_text(ns), percent(ns / flow.waiting_ns), these());
    say("{} {}: {}{}.", hardly ? "It hardly hits" : "It hits", flow.name, waits(flow), of_that);
  }

  // Without flows to tell apart.
  void victims() {
    const double share = all_.waiting > 0 ? all_.victims / all_.waiting : 0;
    if (share < 0.01 && all_.starved_heads > 0) return;  // these suffer, and are told
    if (share < 0.01 && all_.limit == Limit::spread)
      return say("There are no victims: nearly all waiting packets have to cross what they wait for.");
    if (share < 0.01)
      return say("Nobody else suffers: nearly all waiting packets have to cross what they wait for.");
    std::vector<std::string> flows;
    for (const FlowFinding& flow : all_.flows)
      if (!flow.name.empty() && flow.victims > 0.01 * all_.victims)
        flows.push_back(fmt::format("{} of these of {}", percent(flow.victims / all_.victims), flow.name));
    say("{} of the waiting packets are victims{}: they do not have to cross what they wait for.",
        percent(share), flows.empty() ? "" : " (" + and_list(flows) + ")");
  }

  void load() {
    const bool of_flow = all_.cause && all_.sufferer && all_.flows[*all_.sufferer].offered_load > 0 &&
                         !all_.flows[*all_.sufferer].is_closed_loop;
    if (!of_flow && all_.is_closed_loop) return;
    const double offered = of_flow ? all_.flows[*all_.sufferer].offered_load : all_.offered_load;
    const double accepted = of_flow ? all_.flows[*all_.sufferer].accepted_load : all_.accepted_load;
    if (!(offered > 0) || std::isnan(accepted)) return;
    const std::string who = of_flow ? all_.flows[*all_.sufferer].name : "all traffic";
    if (accepted > kMore * offered)
      say("Of {}, {:.3g} of the link rate is delivered, more than is offered in the window ({:.3g}): the "
          "rest was generated before.",
          who, accepted, offered);
    else if (accepted >= kAll * offered)
      say("All that is offered{} is delivered: {:.3g} of the link rate.", of_flow ? " of " + who : "",
          accepted);
    else
      say("Of {}, {:.3g} of the link rate is delivered, where {:.3g} is offered ({} less).", who, accepted,
          offered, percent(1 - accepted / offered));
  }

  void cut_off() {
    const double share = point_.result.metric(metrics::cut_off_share);
    if (share > 0) say("Failed links cut off {} of the load, which is not offered.", percent(share));
  }

  void course() {
    // A network that carries its load has no course, and what rises and falls in a steady run is chance.
    if (!all_.course || (all_.limit == Limit::spread && carries_its_load())) return;
    const WaitingCourse& course = *all_.course;
    // Jobs that are done are no steady state.
    if (all_.is_steady() && !all_.has_jobs) return say("The congestion lasts: the run is steady.");
    const std::string since =
        course.since_ns ? fmt::format("from about {}", time_text(*course.since_ns)) : "from the start";
    if (course.until_ns)
      return say("The congestion is there {} to about {}; then the network has recovered.", since,
                 time_text(*course.until_ns));
    if (all_.is_steady()) return;
    const bool is_one = packets_text(course.at_end) == "1";
    const std::string now = course.counts_victims
                                ? mean_packets(course.at_end) + (is_one ? " is a victim" : " are victims")
                                : packets_wait(course.at_end);
    const std::string change =
        std::isinf(course.growth) ? ", and there were none a quarter of the window earlier"
        : course.growth >= kGrows
            ? fmt::format(", {:.2g} times as many as a quarter of the window earlier", course.growth)
        : course.growth <= 1 / kGrows ? ", and the number decreases"
        : std::isnan(course.growth)   ? ""
                                      : ", and the number hardly changes";
    if (course.shortest_ns)
      return say(
          "The congestion is there {} on, and the network does not recover until {}, where the shortest run "
          "ends: then, {}{}.",
          since, time_text(*course.shortest_ns), now, change);
    say("The congestion is there {} on, and the network does not recover within the run: at the end, {}{}.",
        since, now, change);
  }

  void starvation() {
    if (all_.starved_heads <= 0) return;
    double most = all_.starved_heads;
    std::size_t starving = 0;  // runs
    for (const Result& run : point_.runs) {
      const double here = run.metric(metrics::starved_heads);
      starving += here > 0 ? 1 : 0;
      most = std::max(most, std::isnan(here) ? 0 : here);
    }
    const bool several = point_.runs.size() > 1;
    const auto heads = static_cast<std::size_t>(std::lround(std::max(1.0, most)));
    const bool all_outranked = all_.outranked_heads >= all_.starved_heads;
    say("{}{} at the head of a queue while packets of others take what {}: starvation{}.",
        several ? fmt::format("In {} of {} runs, ", starving, point_.runs.size()) : "",
        heads == 1 ? "1 packet waits" : fmt::format("{}{} packets wait", several ? "up to " : "", heads),
        heads == 1 ? "it lacks" : "they lack",
        all_.outranked_heads <= 0 ? ""
        : all_outranked           ? ", because classes of a higher priority are served first"
                        : fmt::format("; classes of a higher priority are served before {:.0f} of them",
                                      std::max(1.0, all_.outranked_heads)));
  }

  void remedies() {
    const std::size_t room = std::min(kMostRemedies, kMostSentences - std::min(told_.size(), kMostSentences));
    for (std::size_t i = 0; i < std::min(room, all_.remedies.size()); ++i)
      told_.push_back(text(all_.remedies[i]));
  }

  std::string text(const Remedy& remedy) const {
    const std::string share = percent(remedy.share);
    switch (remedy.kind) {
      case Remedy::Kind::separate_queues:
        return fmt::format("{} would address the waiting of victims: {} of all waiting packets{}.",
                           queues_for(), share, part_of_sufferer());
      case Remedy::Kind::less_load:
        return less_load(share);
      case Remedy::Kind::memory:
        return fmt::format(
            "More memory per queue would address {} of all waiting packets: all slots are on the wire, which "
            "limits a link to {} of its rate.",
            share, percent(remedy.detail));
      case Remedy::Kind::queue_per_output:
        return fmt::format(
            "A queue for each output would address head-of-line blocking: {} of the waiting in the network, "
            "as a lower "
            "estimate.",
            share);
      case Remedy::Kind::crossbar_speed:
        return fmt::format(
            "Faster crossbars would address packets whose input sends elsewhere: {} of the waiting in the "
            "network.",
            share);
      case Remedy::Kind::isolation_queues:
        return fmt::format(
            "More queues for isolation would address {} that should have moved to one when none was free.",
            counted(remedy.share, "packet"));
      case Remedy::Kind::other_routes:
        return "Routes or lanes without cycles of queues would address it.";
    }
    return "";
  }

  std::string part_of_sufferer() const {
    if (!all_.cause || !all_.sufferer) return "";
    const FlowFinding& flow = all_.flows[*all_.sufferer];
    if (flow.hardly_suffers() || !(flow.waiting_ns > 0)) return "";
    return fmt::format(", and {} of the waiting of {}", percent(flow.limit_victim_ns / flow.waiting_ns),
                       flow.name);
  }

  std::string queues_for() const {
    if (all_.limit == Limit::destinations)
      return fmt::format("Separate {} for packets to {}", all_.pauses_lanes ? "lanes" : "queues",
                         is_one_node() ? "this node" : "these nodes");
    const std::string_view queues_or_lanes = all_.pauses_lanes ? "lanes" : "queues or lanes";
    if (all_.limit == Limit::few_roots)
      return fmt::format("Separate {} for packets that cross {}", queues_or_lanes, these());
    return fmt::format("More {} per port", queues_or_lanes);
  }

  std::string less_load(const std::string& share) const {
    if (all_.limit == Limit::destinations)
      return fmt::format(
          "The packets that have to cross need less traffic to {}, or more links to {}: {} {} data {} of the "
          "time.",
          is_one_node() ? "this node" : "these nodes", is_one_node() ? "it" : "them",
          is_one_node() ? "its link" : "their links", is_one_node() ? "carries" : "carry",
          percent(all_.destination_utilisation));
    if (all_.limit == Limit::few_roots)
      return fmt::format(
          "Less load on {}, by more links or by other routes, would address {} of all waiting packets: {} "
          "data {} of the time.",
          these(), share, is_one_root() ? "it carries" : "they carry", percent(all_.limit_utilisation));
    if (all_.has_jobs)
      return fmt::format(
          "{} of all waiting packets stand at their own nodes, behind others that these nodes send; faster "
          "links of nodes would address them.",
          share);
    return fmt::format(
        "Less load per node would address {} of all waiting packets: they wait for the links "
        "of their own nodes.",
        share);
  }

  const Conclusion& all_;
  const PointResult& point_;
  std::vector<std::string> told_;
};

}  // namespace

std::vector<std::string> sentences(const Conclusion& conclusion, const PointResult& point) {
  return Teller(conclusion, point).take();
}

}  // namespace headway
