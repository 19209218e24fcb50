// SPDX-License-Identifier: Apache-2.0
#include "headway/run/conclusion_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "headway/base/plural.h"
#include "headway/metrics/root_name.h"
#include "headway/run/waiting_words.h"

namespace headway {
namespace {

constexpr std::size_t kMostNodes = 3;  // that are named

class RemedyWords {
 public:
  explicit RemedyWords(const Conclusion& conclusion) : all_(conclusion) {}

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
            plural(static_cast<std::size_t>(std::llround(remedy.share)), "packet"));
      case Remedy::Kind::other_routes:
        return "Routes or lanes without cycles of queues would address it.";
    }
    return "";
  }

 private:
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
      return fmt::format("Separate {} for packets that cross {}", queues_or_lanes, these_places(all_));
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
          these_places(all_), share, all_.limit_roots.size() == 1 ? "it carries" : "they carry",
          percent(all_.limit_utilisation));
    return fmt::format(
        "Less load per node would address {} of all waiting packets: they wait for the links "
        "of their own nodes.",
        share);
  }

  bool is_one_node() const { return all_.destinations.size() == 1; }

  const Conclusion& all_;
};

}  // namespace

std::string nodes_text(const std::vector<double>& nodes, const NetworkNames& names) {
  if (nodes.size() > kMostNodes) return plural(nodes.size(), "node");
  std::vector<std::string> texts;
  for (const double node : nodes) texts.push_back(node_text(node, names));
  return and_list(texts);
}

std::string place_word(const Conclusion& conclusion) {
  const bool links = std::ranges::all_of(conclusion.limit_roots, [&](std::size_t root) {
    return conclusion.roots[root].of.kind == RootKind::link;
  });
  return links ? "link" : "place";
}

std::string these_places(const Conclusion& conclusion) {
  const std::string word = place_word(conclusion);
  return conclusion.limit_roots.size() == 1 ? "this " + word : "these " + word + "s";
}

std::string remedy_text(const Remedy& remedy, const Conclusion& conclusion) {
  return RemedyWords(conclusion).text(remedy);
}

}  // namespace headway
