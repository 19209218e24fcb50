// SPDX-License-Identifier: Apache-2.0
#include "headway/why/root_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "headway/base/plural.h"
#include "headway/metrics/root_name.h"

namespace headway {
namespace {

constexpr double kSimilar = 0.1;  // size of the smallest root of a group, relative to the largest

using RootKey = std::pair<std::string_view, double>;  // kind and port

// The numbers come from files of results, so they can be anything.
int stage_number(double stage) {
  return stage >= -1 && stage < 1000 ? static_cast<int>(stage) : RootClass::kNoStage;
}

double positive(double number) { return number > 0 ? number : 0; }

WaitedRoot waited_root(const RootRow& row) {
  return {.row = row,
          .of = {.kind = root_kind(row),
                 .from_node = !std::isnan(row.from_node),
                 .to_node = !std::isnan(row.to_node),
                 .from_stage = stage_number(row.from_stage),
                 .to_stage = stage_number(row.to_stage),
                 .flow = {}},
          .packets = positive(row.packets) + positive(row.admittance_packets),
          .victims = positive(row.victim_packets),
          .flows = {},
          .destinations = {}};
}

std::string flow_that_causes(const WaitedRoot& root) {
  double all = 0;
  for (const AtRoot& at : root.flows) all += at.packets - at.victims;
  for (const AtRoot& at : root.flows)
    if (all > 0 && 2 * (at.packets - at.victims) >= all) return at.flow;
  return "";
}

std::vector<RootGroup> grouped(const std::vector<WaitedRoot>& roots, double similar) {
  std::map<RootClass, std::vector<RootGroup>> of;  // the last one of each class takes more roots
  for (std::size_t i = 0; i < roots.size(); ++i) {
    const WaitedRoot& root = roots[i];
    std::vector<RootGroup>& same = of[root.of];
    if (same.empty() || root.packets < similar * roots[same.back().roots.front()].packets)
      same.push_back({.of = root.of});
    same.back().roots.push_back(i);
    same.back().packets += root.packets;
    same.back().victims += root.victims;
  }
  std::vector<RootGroup> all;
  for (auto& [root_class, groups] : of)
    for (RootGroup& group : groups) all.push_back(std::move(group));
  std::ranges::stable_sort(all, std::ranges::greater{}, &RootGroup::packets);
  return all;
}

// What is counted, and where these are: "link", " from stage 1 to stage 0".
std::pair<std::string_view, std::string> noun_and_place(const RootClass& of) {
  const bool staged = of.from_stage > RootClass::kNoStage && of.to_stage > RootClass::kNoStage;
  const auto place = [&](std::string_view from_stages, std::string_view elsewhere) {
    return staged ? fmt::format(fmt::runtime(from_stages), of.from_stage, of.to_stage)
                  : std::string(elsewhere);
  };
  switch (of.kind) {
    case RootKind::link:
    case RootKind::crossbar:
    case RootKind::outage:
      return {of.kind == RootKind::crossbar ? "crossbar output" : "link",
              (of.from_node ? " from nodes"
               : of.to_node ? " to nodes"
                            : place(" from stage {} to stage {}", " between switches")) +
                  std::string(of.kind == RootKind::outage ? ", which are down" : "")};
    case RootKind::input:
      return {"input", (of.to_node ? " from nodes" : place(" of stage {} from stage {}", " of switches")) +
                           ", busy elsewhere"};
    case RootKind::window:
      return {"memory", (of.to_node ? " behind links from nodes"
                                    : place(" of stage {} behind links from stage {}", " of switches")) +
                            ", all slots on the wire"};
    case RootKind::cycle:
      return {"cycle", " of queues"};
    case RootKind::receiver:
      return {"node", ", which consume packets slowly"};
    case RootKind::limiter:
      return {"node", ", which have slowed their flows down"};
  }
  return {"root", ""};
}

}  // namespace

std::vector<WaitedRoot> waited_roots(const Result& result) {
  std::vector<WaitedRoot> roots;
  std::map<RootKey, std::size_t> places;
  for (const RootRow& row : rows_in<RootRow>(result)) {
    WaitedRoot root = waited_root(row);
    if (root.packets == 0 || std::isnan(row.port)) continue;
    places.emplace(RootKey(row.kind, row.port), roots.size());
    roots.push_back(std::move(root));
  }
  const auto root_of = [&](const auto& row) -> WaitedRoot* {
    const auto found = places.find(RootKey(row.kind, row.port));
    return found == places.end() ? nullptr : &roots[found->second];
  };
  for (const FlowRootRow& row : rows_in<FlowRootRow>(result))
    if (WaitedRoot* const root = root_of(row))
      root->flows.push_back({std::string(row.flow), positive(row.packets), positive(row.victim_packets)});
  for (const CulpritRow& row : rows_in<CulpritRow>(result))
    if (WaitedRoot* const root = root_of(row); root != nullptr && !std::isnan(row.destination))
      root->destinations.emplace_back(row.destination, positive(row.packets));
  for (WaitedRoot& root : roots) root.of.flow = flow_that_causes(root);
  std::ranges::stable_sort(roots, std::ranges::greater{}, &WaitedRoot::packets);
  return roots;
}

std::map<double, double> waiting_by_destination(const std::vector<WaitedRoot>& roots) {
  std::map<double, double> caused;
  for (const WaitedRoot& root : roots) {
    double crossing = 0;
    for (const auto& [destination, packets] : root.destinations) crossing += packets;
    for (const auto& [destination, packets] : root.destinations)
      if (crossing > 0) caused[destination] += root.packets * packets / crossing;
  }
  return caused;
}

std::vector<RootGroup> root_groups(const std::vector<WaitedRoot>& roots) { return grouped(roots, kSimilar); }
std::vector<RootGroup> root_classes(const std::vector<WaitedRoot>& roots) { return grouped(roots, 0); }

std::string class_text(const RootClass& of, std::size_t count) {
  const auto [noun, place] = noun_and_place(of);
  return plural(count, noun) + place;
}

std::string class_text(const RootClass& of) {
  const std::string several = class_text(of, 2);
  return several.substr(several.find(' ') + 1);
}

std::string group_text(const RootGroup& group, const std::vector<WaitedRoot>& roots,
                       const NetworkNames& names) {
  return group.roots.size() == 1 ? root_phrase(roots[group.roots.front()].row, names)
                                 : class_text(group.of, group.roots.size());
}

}  // namespace headway
