// SPDX-License-Identifier: Apache-2.0
// Links that go down or get a lower rate during the run, and the routes that then hold (docs/modelling.md,
// "Events").
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "headway/compile/plan/parts.h"
#include "headway/compile/tick.h"
#include "headway/config/limits.h"
#include "headway/routing/routes_left.h"
#include "headway/spec/write_spec.h"
#include "headway/topology/members.h"
#include "headway/topology/named_link.h"

namespace headway {
namespace {

constexpr std::int64_t kMillion = 1'000'000;
// Choice: each change of a link takes some 40 bytes, and routes for each set of links that are down take as
// long as those of the network.
constexpr std::size_t kMostChanges = 1 << 20, kMostSets = 256;

// A link in one direction is down, or has this rate, from one tick to another.
struct ChangedLink {
  PortId link = 0;
  Tick begin = 0, end = 0;
  std::uint32_t ticks_per_byte = 0;  // 0: down
};

// Both directions of a link, if it has both.
void add_both(const Graph& graph, PortId end, std::set<PortId>& links) {
  links.insert(end);
  if (const PortId back = graph.peer_of(end); graph.peer_of(back) != kNone) links.insert(back);
}

std::set<PortId> links_of(const Graph& graph, const LinkEventSpec& event, const std::string& key,
                          Mistakes& mistakes) {
  std::set<PortId> links;
  const int given = !event.link.empty() + !event.sw.empty() + !event.node.empty();
  if (given != 1) {
    mistakes.add(key + (event.link.empty() ? "switch" : "link"),
                 given == 0 ? "the event names nothing that happens to it" : "the event names several things",
                 "give one of link, switch, node");
    return links;
  }
  const NumberedNames switches = switches_of(graph);
  if (!event.link.empty()) {
    if (const auto end =
            named_link(graph, switches, event.link, LinksToNodes::allowed, key + "link", mistakes))
      add_both(graph, *end, links);
    return links;
  }
  const bool is_switch = !event.sw.empty();
  const std::string& name = is_switch ? event.sw : event.node;
  const NumberedNames names = is_switch ? switches : nodes_of_spec(graph);
  const std::optional<std::uint32_t> found = names.single(name);
  if (!found) {
    mistakes.add(key + (is_switch ? "switch" : "node"), names.no_such(name), names.hint(name));
    return links;
  }
  if (is_switch) {
    for (std::uint32_t local = 0; local < graph.radix(*found); ++local) {
      const PortId port = graph.port(*found, local);
      if (graph.peer_of(port) != kNone) add_both(graph, port, links);
    }
    return links;
  }
  for (NodeId node = graph.home(*found); node < graph.end_of(*found); ++node)
    add_both(graph, graph.node_port(node), links);
  return links;
}

Tick end_of_run(const EventSpec& spec, const Duration& tick) {
  if (spec.measure.until == Until::done) return ticks(spec.measure.limit, tick);
  return whole_ticks(Duration{longest_run(spec)}, tick);
}

class EventPlan {
 public:
  EventPlan(const EventSpec& spec, const Graph& graph, const Duration& tick, Mistakes& mistakes)
      : graph_(graph), tick_(tick), end_(end_of_run(spec, tick)), mistakes_(mistakes) {
    for (std::size_t i = 0; i < spec.events.size(); ++i) add(spec.events[i], fmt::format("event[{}].", i));
  }

  // What happens to each link, by time.
  std::vector<TimedChange> changes() const {
    std::map<PortId, std::vector<ChangedLink>> by_link;
    for (const ChangedLink& stretch : stretches_) by_link[stretch.link].push_back(stretch);
    std::vector<TimedChange> changes;
    for (const auto& [link, stretches] : by_link) add_changes(link, stretches, changes);
    std::ranges::sort(changes, {},
                      [](const TimedChange& change) { return std::pair(change.tick, change.link); });
    return changes;
  }

 private:
  void add(const LinkEventSpec& event, const std::string& key) {
    const std::set<PortId> links = links_of(graph_, event, key, mistakes_);
    if (event.every && !event.lasts)
      return mistakes_.add(key + "every", "an event that lasts to the end of the run does not begin again",
                           "give lasts");
    if (event.every && *event.lasts >= *event.every)
      return mistakes_.add(key + "lasts", "is not shorter than the time to the next beginning",
                           "less than every, " + to_string(*event.every));
    const Tick begin = ticks(event.at, tick_);
    const Rational part(std::llround(event.rate * static_cast<double>(kMillion)), kMillion);
    for (Tick at = begin; at < end_;) {
      for (const PortId link : links) {
        const Rational rate = graph_.link(link).rate.bytes_per_ns * part;
        const auto byte_ticks = part == Rational(0) ? 0 : link_ticks({Rational(1) / rate}, tick_);
        if (!byte_ticks)
          return mistakes_.add(key + "rate", "a byte takes too many ticks, or no whole number of them",
                               "a larger fraction");
        stretches_.push_back(
            {link, at, event.lasts ? at + ticks(*event.lasts, tick_) : limits::kTickAfterRuns, *byte_ticks});
      }
      if (stretches_.size() > kMostChanges / 2)
        return mistakes_.add(key + "every",
                             fmt::format("links change more than {} times during the run", kMostChanges),
                             "a longer time, or a shorter run");
      if (!event.every) return;
      at += ticks(*event.every, tick_);
    }
  }

  // A link is down while any of its stretches says so; otherwise it has the lowest rate that one says.
  void add_changes(PortId link, const std::vector<ChangedLink>& stretches,
                   std::vector<TimedChange>& changes) const {
    const auto own = *link_ticks({Rational(1) / graph_.link(link).rate.bytes_per_ns}, tick_);
    std::map<Tick, std::vector<std::pair<std::uint32_t, int>>> at;  // ticks per byte that begin or end
    for (const ChangedLink& stretch : stretches) {
      at[stretch.begin].emplace_back(stretch.ticks_per_byte, 1);
      at[stretch.end].emplace_back(stretch.ticks_per_byte, -1);
    }
    std::map<std::uint32_t, int> holds;  // by ticks per byte
    std::uint32_t before = own;
    for (const auto& [tick, changed] : at) {
      for (const auto& [ticks_per_byte, number] : changed)
        if ((holds[ticks_per_byte] += number) == 0) holds.erase(ticks_per_byte);
      const std::uint32_t now = holds.empty() ? own : holds.contains(0) ? 0 : holds.rbegin()->first;
      // Also after the end of the run, because packets may wait for a link that comes up then.
      if (now != before && tick < limits::kTickAfterRuns) changes.push_back({tick, link, now});
      before = now;
    }
  }

  const Graph& graph_;
  const Duration tick_;
  const Tick end_;
  Mistakes& mistakes_;
  std::vector<ChangedLink> stretches_;
};

// The routes that hold with each set of links between switches that are down.
class RoutesInTime {
 public:
  RoutesInTime(const PlanSource& from, const Plan& plan) : spec_(from.spec), plan_(plan) {
    routes_of_[{}] = std::make_shared<const Routes>(plan.routes);
  }

  // `changes`: of links.
  std::vector<TimedChange> after(const std::vector<TimedChange>& changes, Tick delay, Mistakes& mistakes) {
    std::vector<TimedChange> routes;
    std::set<PortId> down;  // one end of each link
    std::shared_ptr<const Routes> before = routes_of_.at({});
    for (std::size_t i = 0; i < changes.size(); ++i) {
      note(changes[i], down);
      if (i + 1 < changes.size() && changes[i + 1].tick == changes[i].tick) continue;
      const auto now = routes_with(down, mistakes);
      if (!mistakes.empty()) return {};
      if (now == before) continue;
      routes.push_back({changes[i].tick + delay, kNone, 0, now});
      before = now;
    }
    return routes;
  }

 private:
  void note(const TimedChange& change, std::set<PortId>& down) const {
    const Graph& graph = *plan_.graph;
    if (graph.is_node_port(change.link) || graph.is_node_port(graph.peer_of(change.link))) return;
    if (change.ticks_per_byte == 0)
      down.insert(one_end(graph, change.link));
    else
      down.erase(one_end(graph, change.link));
  }

  std::shared_ptr<const Routes> routes_with(const std::set<PortId>& down, Mistakes& mistakes) {
    if (const auto known = routes_of_.find(down); known != routes_of_.end()) return known->second;
    if (routes_of_.size() > kMostSets) {
      mistakes.add("routing.reroute_after",
                   fmt::format("events leave more than {} sets of links that are up", kMostSets),
                   "omit it, or let fewer links flap at different times");
      return nullptr;
    }
    return routes_of_[down] = make(down, mistakes);
  }

  std::shared_ptr<const Routes> make(const std::set<PortId>& down, Mistakes& mistakes) const try {
    Graph left = *plan_.graph;
    for (const PortId link : down) left.fail(link);
    const ServiceLevels services = service_levels_of(spec_, *plan_.graph, mistakes);
    if (!mistakes.empty()) return nullptr;
    // The kinds of links are those of the whole network, because packets keep the kind that they came by.
    Routes routes = with_service_levels(spec_.routing.algorithm->build(left, Unreachable::reported),
                                        *plan_.graph, services);
    if (routes.lanes.lanes() != plan_.routes.lanes.lanes() ||
        routes.lanes.levels() != plan_.routes.lanes.levels()) {
      mistakes.add("routing.reroute_after",
                   fmt::format("while {} links are down, \"{}\" needs {} lanes instead of {}", down.size(),
                               spec_.routing.algorithm.name, routes.lane_count(), plan_.routes.lane_count()),
                   "omit it, or use a routing with the same lanes, such as \"up-down\"");
      return nullptr;
    }
    routes.table = with_routes_before(*plan_.graph, routes.table, plan_.routes.table);
    routes.table.follow_seed(spec_.seed);
    return std::make_shared<const Routes>(std::move(routes));
  } catch (const SpecError& error) {
    for (const Mistake& mistake : error.mistakes())
      mistakes.add("routing.reroute_after", "with links that are down: " + mistake.message, mistake.hint);
    return nullptr;
  }

  const EventSpec& spec_;
  const Plan& plan_;
  std::map<std::set<PortId>, std::shared_ptr<const Routes>> routes_of_;  // by links that are down
};

}  // namespace

void plan_events(const PlanSource& from, const Duration& tick, Plan& plan) {
  const EventSpec& spec = from.spec;
  if (spec.events.empty()) return;
  NetworkOptions& options = plan.options;
  if (spec.switches.down_links == DownLinks::lose && !may_lose_packets(spec))
    plan.mistakes.add("switch.down_links", "jobs and windows would wait for ever for a packet that is lost",
                      "\"wait\"");
  options.changes_rates =
      std::ranges::any_of(spec.events, [](const LinkEventSpec& event) { return event.rate > 0; });
  options.down_links_lose = spec.switches.down_links == DownLinks::lose;
  Mistakes mistakes;
  if (spec.measure.until == Until::time && !spec.measure.warmup)
    mistakes.add("measure.warmup", "is needed with events, because no steady state can be found across them",
                 "give it");
  options.changes = EventPlan(spec, *plan.graph, tick, mistakes).changes();
  if (mistakes.empty() && spec.routing.reroute_after) {
    const Tick delay = ticks(*spec.routing.reroute_after, tick);
    const auto routes = RoutesInTime(from, plan).after(options.changes, delay, mistakes);
    options.changes.insert(options.changes.end(), routes.begin(), routes.end());
    std::ranges::stable_sort(options.changes, {}, &TimedChange::tick);
    options.in_order &= routes.empty();
  }
  if (!mistakes.empty()) options.changes.clear();
  plan.mistakes.add_all(mistakes.list());
}

}  // namespace headway
