// SPDX-License-Identifier: Apache-2.0
// Sentences about what packets wait for, whose packets are in the way, and who waits for them.
#include "headway/why/conclusion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "headway/base/plural.h"
#include "headway/engine/simulation.h"
#include "headway/metrics/metric_names.h"
#include "headway/metrics/root_name.h"
#include "headway/why/path_account.h"
#include "headway/why/waiting_words.h"

namespace headway {
namespace {

constexpr std::size_t kMostNamedNodes = 3;  // that are named
constexpr std::size_t kMostSlowLinks = 3;
constexpr double kFewPhotographs = 20;  // fewer tell only roughly which part of the packets waits for what
constexpr double kWorthNaming = 0.1;    // of the waiting in the network
constexpr double kAlike = 0.5;          // share of delivered packets, relative to that of those that cross

class StoryTeller : Told {
 public:
  StoryTeller(const Conclusion& conclusion, const PointResult& point) : all_(conclusion), point_(point) {}

  std::vector<Sentence> sentences() {
    limit();
    down_links();
    slow_links();
    few_photographs();
    state();
    if (all_.limit != Limit::nothing && all_.limit != Limit::deadlock) {
      culprit();
      sufferer();
    }
    return take();
  }

 private:
  // "node 11", "node 3 and node 5" or "16 nodes"
  std::string hot_nodes() const {
    if (all_.destinations.size() > kMostNamedNodes) return plural(all_.destinations.size(), "node");
    std::vector<std::string> texts;
    for (const double node : all_.destinations) texts.push_back(node_text(node, point_.names));
    return and_list(texts);
  }

  static bool is_link(RootKind kind) { return kind == RootKind::link || kind == RootKind::outage; }

  // What the roots of the limit are: "link", or "place" if some of them are not links.
  std::string place_word() const {
    const bool links = std::ranges::all_of(
        all_.limit_roots, [&](std::size_t root) { return is_link(all_.roots[root].of.kind); });
    return links ? "link" : "place";
  }
  bool is_one_root() const { return all_.limit_roots.size() == 1; }
  // "this link", "these places"
  std::string these() const { return is_one_root() ? "this " + place_word() : "these " + place_word() + "s"; }
  std::string it_or_them() const { return is_one_root() ? "it" : "them"; }

  void limit() {
    switch (all_.limit) {
      case Limit::nothing:
        if (all_.waiting > 0)
          return say("Packets hardly wait: for {} of their time.", percent(waiting_share()));
        if (all_.photographs > 0) return say("No packet waits in any of the photographs.");
        return say("The run has no photograph in its window; a shorter observe.interval takes some.");
      case Limit::deadlock:
        say(Support::theorem, "Deadlock: {}.", point_.result.detail);
        if (point_.result.detail.ends_with(kLinkStaysDown))
          return say(Support::theorem,
                     "Packets never leave a switch by a link that is down; they can be lost there "
                     "(switch.down_links), or have adaptive routes, which avoid it.");
        return say(Support::theorem, "Routes or lanes without cycles of queues cannot deadlock.");
      case Limit::destinations:
        return destinations();
      case Limit::few_roots:
        return few_roots();
      case Limit::spread:
        return spread();
    }
  }

  // Only full links limit.
  void destinations() {
    const std::string share = percent(all_.limit_share);
    const bool is_one = all_.destinations.size() == 1;
    if (all_.is_full)
      return say(
          "Traffic to {} limits this network: {} of all waiting packets wait for {} that it congests, "
          "and {} data {} of the time.",
          hot_nodes(), share, is_one_root() ? "the " + place_word() : place_word() + "s",
          is_one ? "the link to this node carries" : "the links to these nodes carry",
          percent(all_.destination_utilisation));
    if (is_one_root()) return say("{} of all waiting packets wait for {}.", share, these_roots());
    say("{} of all waiting packets wait for {}s that traffic to {} congests.", share, place_word(),
        hot_nodes());
  }

  void few_roots() {
    const std::string share = percent(all_.limit_share);
    if (!all_.is_full) return say("{} of all waiting packets wait for {}.", share, these_roots());
    std::string subject = these_roots();
    for (const std::string_view word : {"the ", "a ", "node "})  // but no name of a file
      if (subject.starts_with(word)) subject.front() = static_cast<char>(std::toupper(subject.front()));
    say("{} {} this network: {} data {} of the time, and {} of all waiting packets wait for {}.", subject,
        is_one_root() ? "limits" : "limit", is_one_root() ? "it carries" : "they carry",
        percent(all_.limit_utilisation), share, it_or_them());
  }

  // "the link from switch 1 port 2 to switch 3", "2 links between switches"
  std::string these_roots() const {
    if (is_one_root()) return root_phrase(all_.roots[all_.limit_roots.front()].row, point_.names);
    std::set<RootClass> classes;
    for (const std::size_t place : all_.limit_roots) {
      RootClass of = all_.roots[place].of;
      of.flow.clear();
      classes.insert(of);
    }
    return classes.size() == 1 ? class_text(*classes.begin(), all_.limit_roots.size())
                               : plural(all_.limit_roots.size(), "place");
  }

  // Of the roots of the limit.
  void down_links() {
    std::vector<std::string> links;
    for (const LinkRow& link : rows_in<LinkRow>(point_.result)) {
      if (!(link.down > 0) || links.size() == kMostSlowLinks) continue;
      const auto root = std::ranges::find_if(all_.limit_roots, [&](std::size_t place) {
        return is_link(all_.roots[place].of.kind) && all_.roots[place].row.port == link.port;
      });
      if (root == all_.limit_roots.end()) continue;
      RootRow row = all_.roots[*root].row;
      row.kind = name_of(RootKind::link);
      links.push_back(fmt::format("{} was down for {}", root_phrase(row, point_.names), percent(link.down)));
    }
    if (links.empty()) return;
    std::string text = and_list(links);
    text.front() = static_cast<char>(std::toupper(text.front()));
    say("{} of the time.", text);
  }

  // Of traffic without jobs, whose critical paths tell them.
  void slow_links() {
    const std::optional<PathAccount> account = all_.has_jobs ? std::nullopt : flow_account(point_, "");
    if (!account) return;
    std::vector<std::string> links;
    for (const SlowLink& link : account->slow_links)
      if (links.size() < kMostSlowLinks && link.wait_ns >= kWorthNaming * account->wait_ns)
        links.push_back(fmt::format("{} has {} of the rate of its peers", text_of(link, point_.names),
                                    percent(link.rate_share)));
    if (links.empty()) return;
    std::string text = and_list(links);
    text.front() = static_cast<char>(std::toupper(text.front()));
    say("{}.", text);
  }

  void spread() {
    const std::string places = plural(all_.roots.size(), "place");
    const std::string most = percent(all_.roots.front().packets / all_.waiting);
    if (all_.carries_its_load())
      say("This network carries its load: the run is steady, and all that is offered is delivered. Waiting "
          "is {} of the time of its packets. It is spread over {}, none of which has more than {} of it.",
          percent(waiting_share()), places, most);
    else
      say("Packets wait for {}, and for none of them more than {} of all waiting packets.", places, most);
    const RootGroup& largest = all_.classes.front();
    const double busy = all_.largest_utilisation;
    say("The largest part, {} of the waiting packets, waits for {}{}.",
        percent(largest.packets / all_.waiting), group_text(largest, all_.roots, point_.names),
        std::isnan(busy) ? ""
                         : fmt::format(", which {} data {} of the time",
                                       largest.roots.size() == 1 ? "carries" : "carry", percent(busy)));
    kinds();
  }

  void kinds() {
    std::vector<std::string> kinds;
    if (all_.hol_share >= kWorthNaming)
      kinds.push_back(percent(all_.hol_share) + " is head-of-line blocking");
    if (all_.input_share >= kWorthNaming)
      kinds.push_back(percent(all_.input_share) + " is for inputs that send by other outputs");
    if (!kinds.empty()) say("Of the waiting in the network, {}.", and_list(kinds));
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

  void state() {
    const std::string verdict = verdict_text(point_.result, "The run");
    if (verdict.empty()) return;
    const bool is_overload =
        all_.status == Status::saturated && point_.result.detail.starts_with("the demand");
    say(is_overload ? Support::theorem : Support::account, "{}.", verdict);
  }

  void culprit() {
    if (all_.limit == Limit::spread || all_.flows.size() < 2) return;
    if (all_.culprit && all_.gain_without_culprit && all_.gainer)
      say(Support::run, "The cause is {}: without it, {} is {:.3g} times as fast.",
          all_.flows[*all_.culprit].name, all_.flows[*all_.gainer].name, *all_.gain_without_culprit);
    const std::optional<std::size_t> most = all_.culprit ? all_.culprit : all_.most_waiting;
    if (!most) return culprits();
    const FlowFinding& flow = all_.flows[*most];
    say("{} of the packets that wait to cross {} are those of {}{}.", percent(flow.share), these(), flow.name,
        all_.culprit ? of_delivered(flow)
        : all_.held_up == HeldUp::outranked
            ? ", which wait because classes of a higher priority are served first"
            : ", whose critical path waits behind packets of others");
  }

  // ", which has only 6 % of all delivered packets"
  std::string of_delivered(const FlowFinding& flow) const {
    double delivered = 0;
    for (const FlowFinding& each : all_.flows) delivered += each.delivered;
    const double share = flow.delivered / delivered;
    if (!(share < kAlike * flow.share)) return "";
    return fmt::format(", which has only {} of all delivered packets", percent(share));
  }

  void culprits() {
    std::vector<std::string> flows;
    for (const FlowFinding& flow : all_.flows)
      if (flow.share > 0.1) flows.push_back(fmt::format("{} ({})", flow.name, percent(flow.share)));
    if (!flows.empty()) say("The packets that wait to cross {} are those of {}.", these(), and_list(flows));
  }

  void sufferer() {
    if (!all_.culprit || !all_.sufferer) return victims();
    const FlowFinding& flow = all_.flows[*all_.sufferer];
    if (!(flow.delivered > 0))
      return say("None of the packets of {} is delivered, and {} on average.", flow.name,
                 packets_wait(flow.waiting));
    const double ns = flow.limit_victim_ns;
    std::string of_that;
    if (flow.waiting_ns > 0)
      of_that = fmt::format(", {}{} ({}) of that for {}, which {} not have to cross",
                            flow.hardly_suffers() ? "only " : "", time_text(ns),
                            percent(ns / flow.waiting_ns), these(), all_.is_steady() ? "it does" : "they do");
    if (all_.is_steady())
      say("A packet of {} waits {} on average{}.", flow.name, time_text(flow.waiting_ns), of_that);
    else
      say("For every packet of {} that is delivered, its packets wait {}{}.", flow.name,
          time_text(flow.waiting_ns), of_that);
  }

  // Without flows to tell apart.
  void victims() {
    const double share = all_.waiting > 0 ? all_.victims / all_.waiting : 0;
    if (share < 0.01 && all_.starved_heads > 0) return;  // these suffer, and are told
    if (share < 0.01) return say("Nearly all waiting packets have to cross what they wait for.");
    std::vector<std::string> flows;
    for (const FlowFinding& flow : all_.flows)
      if (!flow.name.empty() && flow.victims > 0.01 * all_.victims)
        flows.push_back(fmt::format("{} of these of {}", percent(flow.victims / all_.victims), flow.name));
    say("{} of the waiting packets are victims{}: they do not have to cross what they wait for.",
        percent(share), flows.empty() ? "" : " (" + and_list(flows) + ")");
  }

  const Conclusion& all_;
  const PointResult& point_;
};

}  // namespace

std::vector<Sentence> sentences(const Conclusion& conclusion, const PointResult& point) {
  std::vector<Sentence> all = StoryTeller(conclusion, point).sentences();
  for (Sentence& sentence : sentences_of_state(conclusion, point)) all.push_back(std::move(sentence));
  return all;
}

}  // namespace headway
