// SPDX-License-Identifier: Apache-2.0
#include "tests/support/plain_dependencies.h"

#include <algorithm>
#include <set>

namespace headway::test {
namespace {

// [output] the first output of the ring to which it belongs, or the output itself.
std::vector<PortId> ring_of(const Graph& graph, bool has_rings) {
  std::vector<PortId> first_of(graph.ports(), kNone);
  for (PortId output = 0; output < graph.ports(); ++output)
    for (PortId next = output; first_of[next] == kNone;) {
      first_of[next] = output;
      if (!has_rings || graph.ring_input(next) == kNone) break;
      // the next link of the ring: the output that continues from the input of this link
      const PortId input = graph.peer_of(next);
      const SwitchId sw = graph.switch_of(input);
      for (std::uint32_t local = 0; local < graph.radix(sw); ++local)
        if (graph.ring_input(graph.port(sw, local)) == input) next = graph.port(sw, local);
    }
  return first_of;
}

// The channels that wait for each other. A channel has the number output * lanes + lane.
class Dependencies {
 public:
  Dependencies(const Graph& graph, const Routes& routes)
      : graph_(graph),
        routes_(routes),
        lanes_(routes.lanes.lanes()),
        has_rings_(graph.has_rings() && !routes.lanes.break_rings()),
        ring_of_(ring_of(graph, has_rings_)),
        waits_for_(std::size_t{graph.ports()} * lanes_),
        waited_by_(waits_for_.size()),
        seen_(waits_for_.size() * routes.lanes.levels() * 2) {}

  void follow_all() {
    const bool turns_later = routes_.detours && routes_.detours->kind == Detour::progressive;
    std::vector<Place> turning, turned;  // packets on the way to their waypoints, and after them
    for (NodeId destination = 0; destination < graph_.nodes(); ++destination) {
      const std::vector<Place> sources = sources_to(destination);
      turning.insert(turning.end(), sources.begin(), sources.end());
      follow(sources, routes_.table, destination, [&](const Place& place) {
        if (turns_later && place.at_first_part) turning.push_back(place);
        return false;
      });
      sort_out(turning);
    }
    if (!routes_.detours) return;
    const Detours& detours = *routes_.detours;
    for (std::uint32_t via = 0; via < detours.waypoints; ++via)
      follow(turning, detours.to_waypoint, via, [&](const Place& place) {
        if (detours.waypoint_of[graph_.switch_of(graph_.peer_of(place.output))] != via) return false;
        turned.push_back(place);
        turned.back().level = routes_.lanes.after_waypoint(place.level);
        return true;
      });
    sort_out(turned);
    for (NodeId destination = 0; destination < graph_.nodes(); ++destination)
      follow(turned, routes_.table, destination, [](const Place&) { return false; });
  }

  std::vector<Channel> cycle() const {
    const std::vector<std::size_t> waiting = waiting_forever();
    const auto stuck = std::ranges::find_if(waiting, [](std::size_t count) { return count > 0; });
    if (stuck == waiting.end()) return {};
    std::vector<std::uint32_t> path = {static_cast<std::uint32_t>(stuck - waiting.begin())};
    for (;;) {
      const auto next = std::ranges::find_if(waits_for_[path.back()],
                                             [&](std::uint32_t channel) { return waiting[channel] > 0; });
      const auto met = std::ranges::find(path, *next);
      if (met == path.end()) {
        path.push_back(*next);
        continue;
      }
      std::vector<Channel> result;
      for (auto channel = met; channel != path.end(); ++channel)
        result.push_back({*channel / lanes_, *channel % lanes_});
      return result;
    }
  }

 private:
  // A place where packets can be: behind this output, in this lane, with this level.
  struct Place {
    PortId output;
    std::uint8_t lane;
    std::uint8_t level;
    bool at_first_part;  // still in the part of their source (Detours)
    friend auto operator<=>(const Place&, const Place&) = default;
  };

  std::uint32_t number_of(PortId output, std::uint32_t lane) const {
    return ring_of_[output] * lanes_ + lane;
  }

  std::vector<Place> sources_to(NodeId destination) const {
    std::vector<Place> sources;
    for (NodeId node = 0; node < graph_.nodes(); ++node) {
      const PortId adapter = graph_.node_port(node);
      if (graph_.peer_of(adapter) == kNone) continue;  // a node that is cut off
      routes_.lanes.for_each_service(node, destination, [&](std::uint8_t service) {
        const std::uint8_t level =
            routes_.lanes.first_level(graph_.switch_of(graph_.peer_of(adapter)), destination, service);
        sources.push_back(place_behind(level, adapter, adapter));
      });
    }
    if (routes_.choices) add_escapes_to(destination, sources);
    return sources;
  }

  // A packet can escape at any switch, and then begins at its first level.
  void add_escapes_to(NodeId destination, std::vector<Place>& sources) const {
    for (SwitchId sw = 0; sw < graph_.switches(); ++sw) {
      const PortId output = graph_.port(sw, routes_.table.at(sw, destination).first);
      for (std::uint32_t service = 0; service < routes_.lanes.services(); ++service)
        sources.push_back(place_behind(static_cast<std::uint8_t>(service), graph_.node_port(0), output));
    }
  }

  // The place of a packet of this level that came by one link and went by another, in the part of its source.
  Place place_behind(std::uint8_t level, PortId came, PortId goes) const {
    const LaneRules::Step step =
        routes_.lanes.step(level, routes_.lanes.came_by(came), routes_.lanes.goes_by(goes));
    return {goes, step.lane, step.level, true};
  }

  static void sort_out(std::vector<Place>& places) {
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
  }

  // Follows packets from places to a destination or waypoint, but not beyond places where `ends` returns
  // true.
  template <class Ends>
  void follow(const std::vector<Place>& from, const RouteTable& table, std::uint32_t to, Ends&& ends) {
    ++searches_;
    std::vector<Place> frontier;
    const auto reach = [&](const Place& place) {
      const PortId input = graph_.peer_of(place.output);
      if (input == kNone || graph_.is_node_port(input)) return;
      const std::size_t channel = std::size_t{place.output} * lanes_ + place.lane;
      std::uint32_t& seen =
          seen_[(channel * routes_.lanes.levels() + place.level) * 2 + (place.at_first_part ? 1 : 0)];
      if (seen == searches_) return;
      seen = searches_;
      if (!ends(place)) frontier.push_back(place);
    };
    for (const Place& place : from) reach(place);
    while (!frontier.empty()) {
      const Place place = frontier.back();
      frontier.pop_back();
      const PortId input = graph_.peer_of(place.output);
      const SwitchId sw = graph_.switch_of(input);
      const PortRange candidates = table.at(sw, to);
      for (std::uint32_t c = 0; c < candidates.count; ++c) {
        const PortId wanted = graph_.port(sw, table.port(sw, to, candidates, c));
        const LaneRules::Step step = routes_.lanes.step(place.level, routes_.lanes.came_by(place.output),
                                                        routes_.lanes.goes_by(wanted));
        if (!has_rings_ || graph_.ring_input(wanted) != input) {  // unless it continues along the same ring
          const std::uint32_t held = number_of(place.output, place.lane), next = number_of(wanted, step.lane);
          waits_for_[held].insert(next);
          waited_by_[next].insert(held);
        }
        reach({wanted, step.lane, step.level, place.at_first_part && stays_in_part(wanted)});
      }
    }
  }

  bool stays_in_part(PortId output) const {
    const PortId input = graph_.peer_of(output);
    if (!routes_.detours || input == kNone || graph_.is_node_port(input)) return false;
    const auto& part_of = routes_.detours->waypoint_of;
    return part_of[graph_.switch_of(output)] == part_of[graph_.switch_of(input)];
  }

  // [channel] the number of channels that it waits for, after channels that wait for none were removed
  // repeatedly.
  std::vector<std::size_t> waiting_forever() const {
    std::vector<std::size_t> waiting(waits_for_.size());
    std::vector<std::uint32_t> free;
    for (std::uint32_t channel = 0; channel < waiting.size(); ++channel) {
      waiting[channel] = waits_for_[channel].size();
      if (waiting[channel] == 0) free.push_back(channel);
    }
    while (!free.empty()) {
      const std::uint32_t channel = free.back();
      free.pop_back();
      for (const std::uint32_t holder : waited_by_[channel])
        if (--waiting[holder] == 0) free.push_back(holder);
    }
    return waiting;
  }

  const Graph& graph_;
  const Routes& routes_;
  std::uint32_t lanes_;
  bool has_rings_;
  std::vector<PortId> ring_of_;                                 // [output]
  std::vector<std::set<std::uint32_t>> waits_for_, waited_by_;  // [channel]
  std::vector<std::uint32_t> seen_;  // [channel, level, at_first_part] the last search that reached it
  std::uint32_t searches_ = 0;
};

}  // namespace

std::vector<Channel> plain_dependency_cycle(const Graph& graph, const Routes& routes) {
  Dependencies dependencies(graph, routes);
  dependencies.follow_all();
  return dependencies.cycle();
}

}  // namespace headway::test
